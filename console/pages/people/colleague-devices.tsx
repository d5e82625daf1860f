import { useState } from "preact/hooks";
import { locale } from "../../app/language.ts";
import type { PageContext, StatusText } from "../../app/page.tsx";
import type { Answers } from "../../app/types.ts";
import { Ago } from "../../parts/ago.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { texts } from "../../page-texts/people.ts";

/** The pause before the devices are read again, to show changes made elsewhere. */
const LOOK_SECONDS = 30;

type Member = Pick<Answers["Member"], "userId" | "name">;

const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });

type DevicesProps = {
  member: Member;
  devices: Answers["MemberDetail"]["devices"];
  api: PageContext["api"];
  changed: () => void | Promise<void>;
};

/** Lists the devices of a colleague. An owner can remove a lost device. */
export const Devices = ({ member: { userId, name }, devices, api, changed }: DevicesProps) => {
  if (devices.length === 0) return null;
  return (
    <section class="panel" aria-label={texts.people.devicesOf(name)}>
      <h2>{texts.people.devicesOf(name)}</h2>
      <ul class="rows">
        {devices.map(({ id, platform, createdAt, lastDeliveredAt }) => {
          const kind = texts.push.platforms[platform];
          const since = day.format(Date.parse(createdAt));
          const deleteDevice = async (): Promise<StatusText> => {
            await api("devices/delete-device", { path: { deviceId: id }, query: { userId } });
            await changed();
            return texts.people.deviceRemoved(kind, name);
          };
          return (
            <li key={id}>
              <span>{kind}</span>
              <span class="soft">{texts.people.deviceSince(since)}</span>
              <span class={lastDeliveredAt === null ? "soft" : undefined}>
                {lastDeliveredAt === null ? (
                  texts.people.notReached
                ) : (
                  <>
                    {texts.people.reached} <Ago at={lastDeliveredAt} />
                  </>
                )}
              </span>
              <span class="acts">
                <Confirm
                  text={texts.remove}
                  label={texts.removeOf(`${kind}, ${since}`)}
                  question={texts.people.removeDeviceQuestion(kind, name)}
                  action={deleteDevice}
                  role="owner"
                />
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

export const ColleagueDevices = ({ member, context: { api } }: { member: Member; context: PageContext }) => {
  const { userId } = member;
  const [turn, setTurn] = useState(0);
  const readMember = () => api("members/get-member", { path: { userId } });
  const state = useResource(readMember, LOOK_SECONDS, `devices of ${userId} ${turn}`);
  if (state?.kind !== "ready") return null;
  const { devices } = state.data;
  return <Devices member={member} devices={devices} api={api} changed={() => setTurn((before) => before + 1)} />;
};
