import { notifyHere } from "../app/browser-push.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { Ago } from "../parts/ago.tsx";
import { Empty } from "../parts/states.tsx";
import { texts } from "../texts.ts";

type Device = Answers["Device"];

const Row = ({ device, context: { api }, refresh }: Omit<ViewProps<Device[]>, "data"> & { device: Device }) => {
  const { id, platform, registeredAt, lastDeliveredAt, lastFailure } = device;
  const name = device.name ?? texts.devices.unnamed;
  const remove = async (): Promise<string> => {
    await api("devices/delete-device", { path: { deviceId: id } });
    await refresh();
    return texts.devices.removed(name);
  };
  return (
    <li tabIndex={-1} data-row>
      <strong>{name}</strong>
      <span>{texts.devices.platforms[platform]}</span>
      <span class="soft">
        {texts.devices.registered} <Ago at={registeredAt} />
      </span>
      <span class="soft">
        {texts.devices.lastReached} {lastDeliveredAt === null ? texts.devices.notYet : <Ago at={lastDeliveredAt} />}
      </span>
      {lastFailure !== null && (
        <span class="status-failed">
          {texts.devices.failed(lastFailure.code)} <Ago at={lastFailure.at} />
        </span>
      )}
      <Action label={`${texts.remove} ${name}`} action={remove}>
        {texts.remove}
      </Action>
    </li>
  );
};

const DevicesView = ({ data, ...rest }: ViewProps<Device[]>) =>
  data.length === 0 ? (
    <Empty>{texts.devices.empty}</Empty>
  ) : (
    <ul class="rows">
      {data.map((device) => (
        <Row key={device.id} device={device} {...rest} />
      ))}
    </ul>
  );

const NotifyHere = ({ context: { api }, refresh }: ViewProps<Device[]>) => (
  <div>
    <Action
      look="main"
      action={async () => {
        const done = await notifyHere(api);
        await refresh();
        return done;
      }}
    >
      {texts.devices.notifyHere}
    </Action>
  </div>
);

export const page = definePage<Device[]>({
  heading: texts.pages.devices,
  load: ({ api }) => api("devices/list-devices", {}),
  everySeconds: 30,
  Actions: NotifyHere,
  View: DevicesView,
});
