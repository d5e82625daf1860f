import { definePage, type ViewProps } from "../app/page.tsx";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { Ago } from "../parts/ago.tsx";
import { Empty } from "../parts/states.tsx";
import { texts } from "../texts.ts";

type Devices = Answers["Device"][];

const DevicesView = ({ data, context: { api }, refresh }: ViewProps<Devices>) => {
  const remove = async ({ id, name }: Devices[number]): Promise<string> => {
    await api("devices/delete-device", { path: { deviceId: id } });
    await refresh();
    return texts.devices.removed(name ?? texts.devices.unnamed);
  };
  if (data.length === 0) return <Empty>{texts.devices.empty}</Empty>;
  return (
    <ul class="rows">
      {data.map((device) => (
        <li key={device.id} tabIndex={-1} data-row>
          <strong>{device.name ?? texts.devices.unnamed}</strong>
          <span>{texts.devices.platforms[device.platform]}</span>
          <span class="soft">
            {texts.devices.registered} <Ago at={device.registeredAt} />
          </span>
          <Action
            label={`${texts.devices.remove} ${device.name ?? texts.devices.unnamed}`}
            action={() => remove(device)}
          >
            {texts.devices.remove}
          </Action>
        </li>
      ))}
    </ul>
  );
};

export const page = definePage<Devices>({
  heading: texts.pages.devices,
  load: ({ api }) => api("devices/list-devices", {}),
  everySeconds: 30,
  View: DevicesView,
});
