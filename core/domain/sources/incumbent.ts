import * as v from "valibot";
import type { Incumbent } from "../event/incumbent.ts";
import { alertmanager } from "./alertmanager.ts";
import { fields, findText, maybe, partSchema, parseTime } from "./draft.ts";
import { shortenDedupeKey } from "./fit.ts";

/* Reads messages of Opsgenie, PagerDuty and Grafana OnCall about actions on an alert, which never create events. */

/** What the old service reports about an alert. The service finds the alert's event by the keys, or else by the title. */
export type IncumbentMessage = Omit<Incumbent, "at"> & {
  at: number | undefined;
  keys: string[];
  title?: string | undefined;
};

type Reader = v.GenericSchema<unknown, IncumbentMessage | undefined>;
type Action = Incumbent["action"];

const listNonBlankTexts = (...values: readonly unknown[]): string[] => values.flatMap((text) => findText(text) ?? []);
/** Lists the dedupeKeys that the alert may have in this service: each value, and the key that the source's adapter makes. */
const listPossibleKeys = (source: string, ...values: readonly unknown[]): string[] =>
  listNonBlankTexts(...values).flatMap((key) => [key, shortenDedupeKey(`${source}:${key}`)]);
/** Returns the person who acted; undefined if the old service itself acted. */
const parsePerson = (text: string | undefined): string | undefined =>
  text === undefined || /^(?:system|opsgenie)$/i.test(text) ? undefined : text;

const opsgenieActions: Readonly<Record<string, Action>> = {
  create: "triggered",
  acknowledge: "acknowledged",
  escalate: "escalated",
  escalatenext: "escalated",
  addrecipient: "escalated",
  close: "closed",
  delete: "closed",
};
const Recipient = partSchema({ name: maybe, type: maybe });

const opsgenie: Reader = v.pipe(
  v.object({
    action: v.string("action is required."),
    alert: v.object(
      { alertId: maybe, alias: maybe, message: maybe, username: maybe, recipient: maybe },
      "alert is required.",
    ),
    escalationNotify: Recipient,
  }),
  v.transform(({ action, alert, escalationNotify: next }) => {
    const known = opsgenieActions[action.toLowerCase()];
    if (known === undefined) return undefined;
    const by = parsePerson(findText(alert.username));
    const isPerson = next?.type === undefined || next.type.toLowerCase() === "user";
    return {
      action: known,
      at: undefined,
      ...(by === undefined || known === "triggered" ? {} : { by }),
      notified: known === "escalated" ? listNonBlankTexts(isPerson ? next?.name : undefined, alert.recipient) : [],
      keys: listPossibleKeys("opsgenie", alert.alias, alert.alertId),
      title: findText(alert.message),
    };
  }),
);

const pagerdutyActions: Readonly<Record<string, Action>> = {
  "incident.triggered": "triggered",
  "incident.acknowledged": "acknowledged",
  "incident.escalated": "escalated",
  "incident.reassigned": "escalated",
  "incident.resolved": "closed",
};
const Reference = v.fallback(v.object({ summary: maybe, type: maybe }), {});

const pagerduty: Reader = v.pipe(
  v.object({
    event: v.object(
      {
        event_type: v.string("event.event_type is required."),
        occurred_at: maybe,
        agent: partSchema({ summary: maybe, type: maybe }),
        data: v.object(
          { incident_key: maybe, title: maybe, assignees: v.fallback(v.array(Reference), []) },
          "event.data is required.",
        ),
      },
      "event is required.",
    ),
  }),
  v.transform(({ event: { event_type: type, occurred_at: at, agent, data } }) => {
    const action = pagerdutyActions[type];
    if (action === undefined) return undefined;
    const by = agent?.type?.startsWith("user") === true ? agent.summary : undefined;
    return {
      action,
      at: parseTime(at),
      ...(by === undefined || action === "triggered" ? {} : { by }),
      notified: data.assignees.flatMap(({ summary }) => summary ?? []),
      keys: listPossibleKeys("pagerduty", data.incident_key),
      title: findText(data.title),
    };
  }),
);

const onCallActions: readonly (readonly [Action, RegExp])[] = [
  ["triggered", /created|trigger|firing/i],
  ["acknowledged", /^ack/i],
  ["escalated", /^escalat/i],
  ["closed", /^resolve/i],
];
/** Returns the keys of the alerts in a payload of Alertmanager or Grafana; an empty list for any other payload. */
const listAlertKeys = (payload: unknown): string[] => {
  const read = v.safeParse(alertmanager, payload);
  const keys = read.success ? read.output.map(({ key }) => key) : [];
  return ["alertmanager", "grafana"].flatMap((source) => listPossibleKeys(source, ...keys));
};
const OnCallUser = v.fallback(v.object({ email: maybe, username: maybe }), {});

const onCall: Reader = v.pipe(
  v.object({
    event: v.object({ type: v.string("event.type is required."), time: maybe }, "event is required."),
    user: OnCallUser,
    alert_group: partSchema({ title: maybe }),
    alert_payload: fields,
    notified_users: v.fallback(v.array(OnCallUser), []),
  }),
  v.transform(({ event: { type, time }, user, alert_group: group, alert_payload: payload, notified_users: users }) => {
    const action = onCallActions.find(([, word]) => word.test(type))?.[0];
    if (action === undefined) return undefined;
    const by = findText(user.email, user.username);
    return {
      action,
      at: parseTime(time),
      ...(by === undefined ? {} : { by }),
      notified: users.flatMap(({ email, username }) => listNonBlankTexts(findText(email, username))),
      keys: listNonBlankTexts(payload["dedupeKey"], payload["alert_uid"], payload["groupKey"]).concat(
        listAlertKeys(payload),
      ),
      title: findText(group?.title),
    };
  }),
);

/** The readers of messages, by source name. A reader returns undefined for a message that is not about an action on an alert. */
export const incumbents: Readonly<Record<string, Reader>> = { opsgenie, pagerduty, grafana: onCall };
