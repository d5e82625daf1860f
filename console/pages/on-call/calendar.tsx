import { useState } from "preact/hooks";
import type { Api } from "../../app/api.ts";
import type { StatusText } from "../../app/page.tsx";
import { Action } from "../../parts/action.tsx";
import type { MemberRole } from "../../parts/needs.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Copyable } from "../../parts/snippet.tsx";
import { texts } from "../../page-texts/calendar.ts";

type CalendarProps = {
  api: Api;
  /** The group whose shifts the calendar contains; absent for the reader's own shifts. */
  group?: { id: string; name: string };
  role: MemberRole;
};

/** Returns the URL with the scheme `webcal`. Calendar programs open `webcal` URLs, and load them again regularly. */
const toWebcalUrl = (url: string): string => url.replace(/^https?:/, "webcal:");

/** Creates and deletes a calendar's URL, which is secret and shown only once. */
export const Calendar = ({ api, group, role }: CalendarProps) => {
  const [url, setUrl] = useState<string>();
  const renewUrl = async (): Promise<undefined> => {
    const made =
      group === undefined
        ? await api("calendars/renew-my-calendar", {})
        : await api("calendars/renew-group-calendar", { path: { groupId: group.id } });
    setUrl(made.url);
    return undefined;
  };
  const deleteUrl = async (): Promise<StatusText> => {
    if (group === undefined) await api("calendars/delete-my-calendar", {});
    else await api("calendars/delete-group-calendar", { path: { groupId: group.id } });
    setUrl(undefined);
    return texts.calendar.closed;
  };
  if (url === undefined)
    return (
      <p class="buttons">
        <Action action={renewUrl} role={role} label={group && texts.calendar.addGroup(group.name)}>
          {texts.calendar.add}
        </Action>
      </p>
    );
  return (
    <div class="note">
      <p>{texts.calendar.once}</p>
      <Copyable name={texts.calendar.address} text={url} label={texts.copyOf(texts.calendar.address)} />
      <p class="buttons">
        <a class="button main" href={toWebcalUrl(url)}>
          {texts.calendar.open}
        </a>
        <Confirm text={texts.calendar.close} question={texts.calendar.closeQuestion} action={deleteUrl} role={role} />
      </p>
    </div>
  );
};
