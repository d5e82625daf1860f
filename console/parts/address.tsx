import { useState } from "preact/hooks";
import type { StatusText, ViewProps } from "../app/page.tsx";
import type { Answers } from "../app/types.ts";
import { texts } from "../page-texts/devices.ts";
import { Choices } from "./choices.tsx";
import { Form, TextField } from "./form.tsx";

type Device = Answers["Device"];
type Props = Omit<ViewProps<Device[]>, "data">;

const kinds = {
  email: { summary: texts.devices.addAddress, label: texts.devices.email, fields: ["email"] },
  phone: { summary: texts.devices.addPhone, label: texts.devices.phone, fields: ["phone", "ways"] },
} as const;
type Kind = keyof typeof kinds;

type PhoneChannel = Exclude<Device["ways"][number], "push" | "email">;
const phoneChannels = (["sms", "voice"] as const).map((id) => ({ id, name: texts.devices.phoneWays[id] }));

/** Returns the API's input for an address or number. `channels`: the channels for which a phone number may be used. */
export const toContactInput = (kind: Kind, address: string, channels: readonly PhoneChannel[]) =>
  kind === "email" ? { email: address } : { phone: address, ways: [...channels] };

export const listPhoneChannels = ({ ways }: Device): PhoneChannel[] =>
  ways.filter((channel) => channel === "sms" || channel === "voice");

export const AddContact = ({ kind, context, refresh }: Props & { kind: Kind }) => {
  const [address, setAddress] = useState("");
  const [ways, setWays] = useState<readonly PhoneChannel[]>(["sms"]);
  const { summary, label, fields } = kinds[kind];
  const addContact = async (): Promise<StatusText> => {
    const { verified } = await context.api("devices/register-device", { body: toContactInput(kind, address, ways) });
    await refresh();
    setAddress("");
    return verified ? texts.devices.alreadyVerified(address) : texts.devices.codeSent(address);
  };
  return (
    <details class="panel">
      <summary>{summary}</summary>
      <Form send={addContact} submit={texts.devices.sendCode} fields={[...fields]}>
        <TextField label={label} name={kind} value={address} onValue={setAddress} />
        {kind === "phone" && <Choices options={phoneChannels} chosen={ways} onChosen={setWays} />}
      </Form>
    </details>
  );
};

export const EnterCode = ({ id, address, context, refresh }: Props & { id: string; address: string }) => {
  const [code, setCode] = useState("");
  const verifyCode = async (): Promise<StatusText> => {
    await context.api("devices/verify-device", { path: { deviceId: id }, body: { code } });
    await refresh();
    return texts.devices.verified(address);
  };
  return (
    <Form send={verifyCode} submit={texts.devices.verify} fields={["code"]}>
      <TextField label={texts.devices.code} name="code" value={code} onValue={setCode} />
    </Form>
  );
};
