import * as v from "valibot";
import { fitDraft } from "../../core/domain/sources/fit.ts";
import { createDraft } from "../import/draft.ts";
import { readItems, readAllItems, RECORDS, type ExportFile } from "../import/export-files.ts";
import {
  findChannel,
  toEvent,
  id,
  instant,
  maybe,
  toFileName,
  NO_EVENT,
  listOtherFiles,
  type TheirNotification,
  type SkippedAlert,
  type PastAlert,
  type ExportRecords,
  required,
  type SenderMaps,
  chooseTitle,
} from "./record.ts";

/** The payload comes from the alert group's first alert, and the recipients come from the alert group's timeline. */

const Group = v.object({
  id,
  integration_id: id,
  title: maybe,
  created_at: required,
  acknowledged_at: instant,
  resolved_at: instant,
});
const Alert = v.object({ alert_group_id: id, created_at: required, payload: v.record(v.string(), v.unknown()) });
const LogLine = v.object({
  action: v.string("action must be a string."),
  realm: maybe,
  created_at: required,
  author: v.nullish(v.object({ pk: maybe, username: maybe })),
});
type LogLine = v.InferOutput<typeof LogLine>;
/** The name of a timeline's file is the alert group's id. */
const Timeline = v.object({ render_after_resolve_report_json: v.array(LogLine, "must be a list.") });
const User = v.object({ id, email: maybe, username: maybe });

/** Returns an event for an integration without an adapter, whose senders call `POST /v1/events`. */
const toOwnEvent = (title: string, data: Readonly<Record<string, unknown>>) =>
  fitDraft("alert", { action: "firing", title, body: title, data }).event;

export const readOnCallAlerts = (files: readonly ExportFile[]): ExportRecords => {
  const draft = createDraft();
  const all = readAllItems(createDraft(), undefined, files, { ...RECORDS.oncall, users: ["users"] });
  const parts = readAllItems(draft, undefined, files, RECORDS.oncall);
  const users = readItems(draft, all, "users", User).map(({ value }) => value);
  const findPerson = ({ pk, username }: { pk?: string | null | undefined; username?: string | null | undefined }) =>
    users.find(
      (user) =>
        (typeof pk === "string" && user.id === pk) || (typeof username === "string" && user.username === username),
    )?.email ??
    username ??
    pk ??
    "";
  const alerts = Map.groupBy(
    readItems(draft, all, "alerts", Alert).map(({ value }) => value),
    ({ alert_group_id }) => alert_group_id,
  );
  const timelines = new Map(
    readItems(draft, all, "logs", Timeline).map(({ value, part }) => [
      toFileName(part),
      value.render_after_resolve_report_json,
    ]),
  );
  const parseNotifications = ({ action, realm, author, created_at: at }: LogLine): TheirNotification[] => {
    const isSent = realm === "user_notification" && /^(?:sent|called|invited)\b/i.test(action);
    const channel = isSent ? findChannel(action) : undefined;
    return channel === undefined || author === null || author === undefined
      ? []
      : [{ person: findPerson(author).toLowerCase(), at, channel }];
  };
  /** Returns the alerts as events of this service, or why one is skipped. `keyOf`: keys by sender; `sourceOf`: sources by key. */
  const readAlerts = ({ keyOf, sourceOf }: SenderMaps): (PastAlert | SkippedAlert)[] =>
    readItems(draft, all, "alert groups", Group).map(({ value: group }): PastAlert | SkippedAlert => {
      const [first] = (alerts.get(group.id) ?? []).sort((one, other) => one.created_at - other.created_at);
      const lines = timelines.get(group.id);
      const skipAlert = (why: string) => ({ id: group.id, why });
      if (lines === undefined) return skipAlert("The export has no timeline of the alert.");
      if (first === undefined) return skipAlert("The export has no alert of the alert group.");
      const sender = keyOf.get(group.integration_id);
      const source = sourceOf.get(sender ?? "");
      const title = chooseTitle(group.title, group.id);
      const event =
        source === undefined || source === "mapped" ? toOwnEvent(title, first.payload) : toEvent(source, first.payload);
      if (event === undefined) return skipAlert(NO_EVENT);
      return {
        id: group.id,
        at: group.created_at,
        sender,
        event,
        ackAt: group.acknowledged_at,
        endAt: group.resolved_at,
        notified: lines.flatMap(parseNotifications).sort((one, other) => one.at - other.at),
      };
    });
  return { config: listOtherFiles(files, parts), draft, alertsBy: readAlerts };
};
