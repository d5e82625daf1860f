import * as v from "valibot";
import { createDraft } from "../import/draft.ts";
import { createReader, readAllItems, RECORDS, type ExportFile } from "../import/export-files.ts";
import {
  findChannel,
  id,
  maybe,
  listOtherFiles,
  toEventOrReason,
  type SkippedAlert,
  type PastAlert,
  type ExportRecords,
  required,
  type SenderMaps,
} from "./record.ts";

/** The payload comes from the incident's first alert, and the recipients come from its log entries. */

const Reference = v.object({ id, summary: maybe });
const Incident = v.object({ id, title: maybe, created_at: required, service: Reference, incident_key: maybe });
const Alert = v.object({
  created_at: required,
  summary: maybe,
  severity: maybe,
  alert_key: maybe,
  incident: Reference,
  integration: v.nullish(v.object({ id })),
  body: v.nullish(
    v.looseObject({ details: v.unknown(), cef_details: v.nullish(v.record(v.string(), v.unknown()), {}) }),
  ),
});
const LogEntry = v.object({
  type: v.string("type must be a string."),
  created_at: required,
  incident: Reference,
  user: v.nullish(Reference),
  channel: v.nullish(v.looseObject({ notification: v.nullish(v.looseObject({ type: maybe, status: maybe })) })),
});
const User = v.object({ id, email: v.string() });
const Orchestration = v.object({ id });

/** Returns the call of the Events API v2 that created the alert. */
const toApiCall = ({ summary, severity, alert_key: key, body }: v.InferOutput<typeof Alert>, title: string) => {
  const cef = body?.cef_details ?? {};
  const { client, client_url } = cef;
  return {
    event_action: "trigger",
    dedup_key: key ?? cef["dedup_key"],
    client,
    client_url,
    payload: {
      summary: summary ?? title,
      source: cef["source_origin"],
      severity: severity ?? cef["severity"],
      component: cef["source_component"],
      group: cef["service_group"],
      class: cef["event_class"],
      custom_details: body?.details ?? cef["details"],
    },
  };
};

export const readPagerDutyAlerts = (files: readonly ExportFile[]): ExportRecords => {
  const draft = createDraft();
  const kinds = { ...RECORDS.pagerduty, users: ["users"], orchestrations: ["orchestrations", "event_orchestrations"] };
  const all = readAllItems(createDraft(), undefined, files, kinds);
  const parts = readAllItems(draft, undefined, files, RECORDS.pagerduty);
  const read = createReader(draft, all);
  const users = new Map(read("users", User).map((user) => [user.id, user.email.toLowerCase()]));
  const orchestrations = read("orchestrations", Orchestration);
  const alerts = Map.groupBy(read("alerts", Alert), ({ incident }) => incident.id);
  const entries = Map.groupBy(read("log entries", LogEntry), ({ incident }) => incident.id);
  /** Returns the alerts as events of this service, or why one is skipped. `keyOf`: keys by sender; `sourceOf`: sources by key. */
  const readAlerts = ({ keyOf, sourceOf }: SenderMaps): (PastAlert | SkippedAlert)[] =>
    read("incidents", Incident).map((incident): PastAlert | SkippedAlert => {
      const [first] = (alerts.get(incident.id) ?? []).sort((one, other) => one.created_at - other.created_at);
      const own = entries.get(incident.id)?.sort((one, other) => one.created_at - other.created_at);
      const skipAlert = (why: string) => ({ id: incident.id, why });
      if (own === undefined) return skipAlert("The export has no log entries of the incident.");
      if (first === undefined)
        return skipAlert(
          "The export has no alert of the incident: somebody created the incident by hand, or its alerts were not fetched.",
        );
      const router = orchestrations.length === 1 ? orchestrations[0]?.id : undefined;
      const direct = first.integration?.id;
      const sender =
        keyOf.get(direct ?? incident.service.id) ??
        keyOf.get(router ?? "") ??
        keyOf.get(incident.service.id) ??
        undefined;
      const call = toApiCall(first, incident.title ?? incident.id);
      const event = toEventOrReason("pagerduty", { name: "PagerDuty", sender, sourceOf }, call);
      if (typeof event === "string") return skipAlert(event);
      const findLogEntryTime = (type: RegExp) => own.find((entry) => type.test(entry.type))?.created_at;
      return {
        id: incident.id,
        at: incident.created_at,
        sender: sender ?? incident.service.summary ?? undefined,
        event,
        ackAt: findLogEntryTime(/^acknowledge/),
        endAt: findLogEntryTime(/^resolve/),
        notified: own.flatMap(({ type, user, channel, created_at: at }) =>
          type !== "notify_log_entry" || user === null || user === undefined
            ? []
            : [
                {
                  person: users.get(user.id) ?? user.summary ?? user.id,
                  at,
                  channel: findChannel(channel?.notification?.type ?? "") ?? channel?.notification?.type ?? "unknown",
                },
              ],
        ),
      };
    });
  return { config: listOtherFiles(files, parts), draft, alertsBy: readAlerts };
};
