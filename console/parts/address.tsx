import { useState } from "preact/hooks";
import type { ViewProps } from "../app/page.tsx";
import type { Answers } from "../app/types.ts";
import { texts } from "../texts.ts";
import { Form, TextField } from "./form.tsx";

type Device = Answers["Device"];
type Props = Omit<ViewProps<Device[]>, "data">;

/** Adds an e-mail address, to which a code is sent. */
export const AddAddress = ({ context, refresh }: Props) => {
  const [email, setEmail] = useState("");
  const add = async (): Promise<string> => {
    const { verified } = await context.api("devices/register-device", { body: { email } });
    await refresh();
    setEmail("");
    return verified ? texts.devices.alreadyVerified(email) : texts.devices.codeSent(email);
  };
  return (
    <details class="panel">
      <summary>{texts.devices.addAddress}</summary>
      <Form send={add} submit={texts.devices.sendCode} fields={["email"]}>
        <TextField label={texts.devices.email} name="email" value={email} onValue={setEmail} />
      </Form>
    </details>
  );
};

/** Takes the code that was sent to an address. */
export const EnterCode = ({ device, context, refresh }: Props & { device: Device & { email: string } }) => {
  const [code, setCode] = useState("");
  const verify = async (): Promise<string> => {
    await context.api("devices/verify-device", { path: { deviceId: device.id }, body: { code } });
    await refresh();
    return texts.devices.verified(device.email);
  };
  return (
    <Form send={verify} submit={texts.devices.verify} fields={["code"]}>
      <TextField label={texts.devices.code} name="code" value={code} onValue={setCode} />
    </Form>
  );
};
