import { formatDayAndTime } from "../app/clock.ts";
import { forgetRegistration, enableNotifications } from "../app/browser-push.ts";
import { showUnreachableDevices } from "../app/check-devices.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { AddContact, toContactInput, EnterCode, listPhoneChannels } from "../parts/address.tsx";
import { Ago } from "../parts/ago.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Empty } from "../parts/states.tsx";
import { texts } from "../page-texts/devices.ts";
import { isLastReachable } from "./devices/reaching.ts";

type Device = Answers["Device"];

/** The maximum number of checks for a confirmation. Most confirmations take less than a second. */
const LOOKS = 20;
const LOOK_EVERY_MS = 500;
/** The maximum number of checks after a call, because people listen before they press a key. */
const LOOKS_AT_A_CALL = 120;

/** Describes whether and how soon the device showed the last test; returns undefined if there was no test. */
const describeLastTest = ({ lastTest }: Pick<Device, "lastTest">): string | undefined => {
  if (lastTest === null) return undefined;
  if (lastTest.shownAt === null) return texts.devices.testUnconfirmed;
  const ms = Date.parse(lastTest.shownAt) - Date.parse(lastTest.sentAt);
  return texts.devices.testShown((ms / 1000).toFixed(1));
};

/** Sends a test, waits for a limited time until the device confirms it, and returns a message about the outcome. */
const sendTest = async (
  api: ViewProps<Device[]>["context"]["api"],
  id: string,
  way: "sms" | "voice" | undefined,
): Promise<StatusText> => {
  const query = way === undefined ? {} : { query: { way } };
  const { outcome, code } = await api("devices/test-device", { path: { deviceId: id }, ...query });
  if (outcome !== "accepted" && outcome !== "unknown") return texts.devices.testRefused(code ?? outcome);
  for (let look = 0; look < (way === "voice" ? LOOKS_AT_A_CALL : LOOKS); look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const device = (await api("devices/list-devices", {})).find((one) => one.id === id);
    // For text messages, the carrier's service reports the outcome.
    if (device === undefined || !(device.sendsReceipts || way === "sms")) break;
    if (device.lastTest?.shownAt !== null) return describeLastTest(device) ?? texts.devices.testUnconfirmed;
  }
  return texts.devices.testUnconfirmed;
};

const describeFault = ({ stopped, verified, failing }: Device): string => {
  if (stopped) return texts.devices.stopped;
  return verified && failing !== null ? texts.devices.failing(failing.code) : texts.devices.unverified;
};

type RowProps = Omit<ViewProps<Device[]>, "data"> & { device: Device; isLast: boolean };

const DeviceRow = ({ device, isLast, context, refresh }: RowProps) => {
  const { api } = context;
  const { id, platform, registeredAt, lastDeliveredAt, lastFailure, mustRenew, silent, lastTest } = device;
  const { email, phone, verified, failing } = device;
  const address = email ?? phone;
  const name = device.name ?? address ?? texts.reach.unnamed;
  const unregister = async (): Promise<StatusText> => {
    await api("devices/delete-device", { path: { deviceId: id } });
    forgetRegistration(id);
    await Promise.all([refresh(), showUnreachableDevices(context)]);
    return texts.devices.removed(name);
  };
  const createRemovalQuestion = async (): Promise<string> => {
    if (!isLast) return texts.devices.askRemove(name);
    const [shift] = await api("on-call/list-my-shifts", {});
    return texts.devices.askLast(name, shift === undefined ? undefined : formatDayAndTime(shift.start));
  };
  const channels = listPhoneChannels(device);
  const createTestAction = (channel: (typeof channels)[number] | undefined) => async (): Promise<StatusText> => {
    const said = await sendTest(api, id, channel);
    await Promise.all([refresh(), showUnreachableDevices(context)]);
    return said;
  };
  return (
    <li tabIndex={-1} data-row>
      <strong>{name}</strong>
      <span>{address === null || address === name ? texts.push.platforms[platform] : address}</span>
      <span class="soft">
        {texts.devices.registered} <Ago at={registeredAt} />
      </span>
      <span class="soft">
        {texts.devices.lastReached} {lastDeliveredAt === null ? texts.devices.notYet : <Ago at={lastDeliveredAt} />}
      </span>
      <span>
        {lastFailure !== null && (
          <span class="status-failed">
            {texts.devices.failed(lastFailure.code)} <Ago at={lastFailure.at} />{" "}
          </span>
        )}
        {lastTest !== null && (
          <span class="soft">
            {describeLastTest(device)} <Ago at={lastTest.sentAt} />
          </span>
        )}
      </span>
      <span class="acts">
        {verified && channels.length === 0 && (
          <Action label={`${texts.devices.test} ${name}`} action={createTestAction(undefined)}>
            {texts.devices.test}
          </Action>
        )}
        {verified &&
          channels.map((way) => (
            <Action key={way} label={`${texts.devices.testPhone[way]} ${name}`} action={createTestAction(way)}>
              {texts.devices.testPhone[way]}
            </Action>
          ))}
        <Confirm
          text={texts.remove}
          label={texts.removeOf(name)}
          look="plain"
          question={createRemovalQuestion}
          action={unregister}
        />
      </span>
      {mustRenew && <p class="note warn">{texts.devices.mustRenew}</p>}
      {silent && <p class="note warn">{texts.devices.silent}</p>}
      {address !== null && (!verified || failing !== null) && (
        <div class="opened">
          <p class="note warn">{describeFault(device)}</p>
          <EnterCode id={id} address={address} context={context} refresh={refresh} />
          <p class="buttons">
            <Action
              label={`${texts.devices.anotherCode} ${name}`}
              action={async () => {
                await api("devices/register-device", {
                  body: toContactInput(email === null ? "phone" : "email", address, channels),
                });
                await refresh();
                return texts.devices.codeSent(address);
              }}
            >
              {texts.devices.anotherCode}
            </Action>
          </p>
        </div>
      )}
    </li>
  );
};

const DevicesView = ({ data, ...rest }: ViewProps<Device[]>) => (
  <>
    {data.length === 0 ? (
      <Empty>{texts.devices.empty}</Empty>
    ) : (
      <ul class="rows table table-devices">
        {data.map((device) => (
          <DeviceRow key={device.id} device={device} isLast={isLastReachable(data, device.id)} {...rest} />
        ))}
      </ul>
    )}
    <p>
      <a href="/night">{texts.devices.atNight}</a>
    </p>
    <AddContact kind="email" {...rest} />
    <AddContact kind="phone" {...rest} />
  </>
);

const NotifyThisBrowser = ({ context, refresh }: ViewProps<Device[]>) => (
  <div>
    <Action
      look="main"
      action={async () => {
        const done = await enableNotifications(context);
        await Promise.all([refresh(), showUnreachableDevices(context)]);
        return done;
      }}
    >
      {texts.push.notifyHere}
    </Action>
  </div>
);

export const page = definePage<Device[]>({
  heading: texts.pages.devices,
  load: ({ api }) => api("devices/list-devices", {}),
  everySeconds: 30,
  Actions: NotifyThisBrowser,
  View: DevicesView,
});
