import * as v from "valibot";
import { createDraft } from "../import/draft.ts";
import { readItems, readAllItems, RECORDS, type ExportFile } from "../import/export-files.ts";
import {
  findChannel,
  id,
  instant,
  maybe,
  toFileName,
  listOtherFiles,
  toEventOrReason,
  type TheirNotification,
  type SkippedAlert,
  type PastAlert,
  type ExportRecords,
  required,
  type SenderMaps,
} from "./record.ts";

/** The files with an alert's logs and recipients have the alert's id as name. */

const milliseconds = v.nullish(v.number("must be a number of milliseconds."));
const Alert = v.looseObject({
  id,
  createdAt: required,
  integration: v.nullish(v.object({ id: maybe, name: maybe })),
  /** `ackTime`, `closeTime`: in ms since the alert. */
  report: v.nullish(v.object({ ackTime: milliseconds, closeTime: milliseconds })),
  responders: v.nullish(v.array(v.unknown()), []),
});
const Log = v.object({ log: v.string("log must be a string."), type: maybe, owner: maybe, createdAt: required });
const Recipient = v.object({ user: v.object({ username: maybe, id: maybe }), method: maybe, createdAt: instant });

const ADDRESS = /[^\s@[\]()<>"',;:]+@[^\s@[\]()<>"',;:]+\w/;
/** Matches log lines about notifications that were not sent. */
const NOT_SENT = /suppress|skip|fail|could not|not sent|delay|cancel|will be|no contact|disabled/i;
const ENDED = /^alert (?:was )?(?:closed|deleted)|^closed/i;
const ACKNOWLEDGED = /acknowledged|^ack/i;

/** Returns the notifications in a log line; an empty list for other lines. */
const parseNotifications = ({ log, owner, createdAt: at }: v.InferOutput<typeof Log>): TheirNotification[] => {
  if (!/notif/i.test(log) || NOT_SENT.test(log)) return [];
  const person = ADDRESS.exec(log)?.[0] ?? (ADDRESS.test(owner ?? "") ? owner : undefined);
  const channel = findChannel(log.replace(person ?? "", ""));
  return typeof person === "string" && channel !== undefined ? [{ person: person.toLowerCase(), at, channel }] : [];
};

export const readOpsgenieAlerts = (files: readonly ExportFile[]): ExportRecords => {
  const draft = createDraft();
  const parts = readAllItems(draft, undefined, files, RECORDS.opsgenie);
  const logs = Map.groupBy(readItems(draft, parts, "logs", Log), ({ part }) => toFileName(part));
  const recipients = Map.groupBy(readItems(draft, parts, "recipients", Recipient), ({ part }) => toFileName(part));
  /** Returns the alerts as events of this service, or why one is skipped. `keyOf`: keys by sender; `sourceOf`: sources by key. */
  const readAlerts = ({ keyOf, sourceOf }: SenderMaps): (PastAlert | SkippedAlert)[] =>
    readItems(draft, parts, "alerts", Alert).map(({ value: alert }): PastAlert | SkippedAlert => {
      const { integration, report, createdAt: at } = alert;
      const [own, of] = [logs.get(alert.id), recipients.get(alert.id)];
      if (own === undefined && of === undefined)
        return { id: alert.id, why: "The export has neither the logs nor the recipients of the alert." };
      const sender =
        keyOf.get(integration?.id ?? "") ?? keyOf.get(integration?.name ?? "") ?? integration?.name ?? undefined;
      const event = toEventOrReason("opsgenie", { name: "Opsgenie", sender, sourceOf }, alert);
      if (typeof event === "string") return { id: alert.id, why: event };
      const lines = (own ?? []).map(({ value }) => value).sort((one, other) => one.createdAt - other.createdAt);
      const notified = lines.flatMap(parseNotifications);
      const findLogEntryTime = (word: RegExp) => lines.find(({ log }) => word.test(log))?.createdAt;
      const addToAlertTime = (ms: number | null | undefined) =>
        typeof ms === "number" && ms > 0 ? at + ms : undefined;
      return {
        id: alert.id,
        at,
        sender,
        event,
        ackAt: addToAlertTime(report?.ackTime) ?? findLogEntryTime(ACKNOWLEDGED),
        endAt: addToAlertTime(report?.closeTime) ?? findLogEntryTime(ENDED),
        // Recipients show who was notified, and the log shows when and how.
        notified:
          notified.length > 0
            ? notified
            : (of ?? []).flatMap(({ value: { user, createdAt, method } }) =>
                method === null || method === undefined || createdAt === undefined
                  ? []
                  : [{ person: (user.username ?? user.id ?? "").toLowerCase(), at: createdAt, channel: "recipient" }],
              ),
      };
    });
  return { config: listOtherFiles(files, parts), draft, alertsBy: readAlerts };
};
