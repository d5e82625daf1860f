import { useState } from "preact/hooks";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { createSecondFactorClient, type NewFactor } from "../app/second-factor.ts";
import { getAccessToken } from "../app/session.ts";
import { setting } from "../app/setting.ts";
import { Action } from "../parts/action.tsx";
import { Form, TextField } from "../parts/form.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Copyable } from "../parts/snippet.tsx";
import { texts } from "../page-texts/second-factor.ts";

const factor = createSecondFactorClient({
  url: setting.userPool,
  fetch: (...call) => fetch(...call),
  accessToken: getAccessToken,
});

/** Asks for a code, which proves that the authenticator app has the key. */
const SecondFactorSetUp = ({ factor: { key, link }, done }: { factor: NewFactor; done: () => Promise<void> }) => {
  const [code, setCode] = useState("");
  const confirmCode = async (): Promise<StatusText> => {
    await factor.confirm(code);
    await done();
    return texts.secondFactor.turnedOn;
  };
  return (
    <section class="panel" aria-label={texts.secondFactor.setUp}>
      <p>{texts.secondFactor.how}</p>
      <Copyable name={texts.secondFactor.key} text={key} />
      <p>
        <a href={link}>{texts.secondFactor.openApp}</a>
      </p>
      <Form send={confirmCode} submit={texts.secondFactor.confirm} fields={["code"]}>
        <TextField label={texts.secondFactor.code} name="code" value={code} onValue={setCode} />
      </Form>
    </section>
  );
};

const SecondFactorView = ({ data: isOn, refresh }: ViewProps<boolean>) => {
  const [made, setMade] = useState<NewFactor>();
  const beginSetup = async (): Promise<undefined> => {
    setMade(await factor.begin());
    return undefined;
  };
  const finishSetUp = async (): Promise<void> => {
    setMade(undefined);
    await refresh();
  };
  const turnOff = async (): Promise<StatusText> => {
    await factor.turnOff();
    await refresh();
    return texts.secondFactor.turnedOff;
  };
  return (
    <>
      <p>{isOn ? texts.secondFactor.on : texts.secondFactor.off}</p>
      {made === undefined ? (
        <p class="buttons">
          <Action action={beginSetup} look={isOn ? "plain" : "main"}>
            {isOn ? texts.secondFactor.replace : texts.secondFactor.setUp}
          </Action>
          {isOn && (
            <Confirm text={texts.secondFactor.turnOff} question={texts.secondFactor.turnOffQuestion} action={turnOff} />
          )}
        </p>
      ) : (
        <SecondFactorSetUp factor={made} done={finishSetUp} />
      )}
    </>
  );
};

export const page = definePage<boolean>({
  heading: texts.pages.secondFactor,
  load: () => factor.isOn(),
  View: SecondFactorView,
});
