import { createLocalFailure } from "../app/failure.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { setting } from "../app/setting.ts";
import { Action } from "../parts/action.tsx";
import { texts } from "../page-texts/night.ts";

const NightView = ({ context: { api } }: ViewProps<null>) => {
  const testAllDevices = async (): Promise<StatusText> => {
    const devices = (await api("devices/list-devices", {})).filter(({ verified, stopped }) => verified && !stopped);
    if (devices.length === 0) throw createLocalFailure(texts.night.nothing);
    for (const { id, ways } of devices)
      await api("devices/test-device", {
        path: { deviceId: id },
        ...(ways.includes("voice") ? { query: { way: "voice" } } : {}),
      });
    return texts.night.rung(devices.length);
  };
  return (
    <>
      <p>{texts.night.lead}</p>
      {setting.phone === undefined ? (
        <p>{texts.night.noCard}</p>
      ) : (
        <>
          <p>{texts.night.cardLead}</p>
          <p>
            <a class="button" href="/contact.vcf" download>
              {texts.night.card}
            </a>{" "}
            <span class="number">{setting.phone}</span>
          </p>
        </>
      )}
      {texts.night.platforms.map(({ name, steps }) => (
        <section key={name} aria-label={name}>
          <h2>{name}</h2>
          <ol class="numbered">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
      ))}
      <section aria-label={texts.night.check}>
        <h2>{texts.night.check}</h2>
        <p>{texts.night.checkLead}</p>
        <Action look="main" action={testAllDevices}>
          {texts.night.ring}
        </Action>
        <p>
          <a href="/notification-rules">{texts.night.steps}</a>
        </p>
      </section>
    </>
  );
};

export const page = definePage<null>({ heading: texts.night.heading, load: async () => null, View: NightView });
