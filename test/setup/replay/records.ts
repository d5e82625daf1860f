import type { Account, Call } from "../import/accounts/move.ts";
import { createJsonFile } from "../import/accounts/move.ts";

const MINUTE = 60_000;

/** `ackAfter`: in milliseconds after the message; undefined without an acknowledgement. */
type Came = { call: Call; at: number; ackAfter: number | undefined };
type Entry = { person: string; at: number };
type File = { path: string; text: string };

const toIsoTime = (ms: number): string => new Date(ms).toISOString();

/** Lists the notifications from before the acknowledgement. */
const listEntries = ({ call, at, ackAfter = Infinity }: Came): Entry[] => {
  const seen = new Set<string>();
  return call.told.flatMap(({ afterMinutes, people }) =>
    people.flatMap((person): Entry[] => {
      if (seen.has(person) || afterMinutes * MINUTE >= ackAfter) return [];
      seen.add(person);
      // The old service's own queues take a few seconds.
      return [{ person, at: at + afterMinutes * MINUTE + 3_000 }];
    }),
  );
};

type Body = Record<string, unknown> & { payload?: Record<string, unknown>; data?: unknown };

const createOpsgenieFiles = ({ senders }: Account, came: readonly Came[]): File[] =>
  came.flatMap((one, index) => {
    const { call, at, ackAfter } = one;
    const id = `70413a06-38d6-4c85-92b8-5ebc900d42e2-${index}`;
    const report = ackAfter === undefined ? {} : { ackTime: ackAfter, acknowledgedBy: "ann@acme.example" };
    const alert = {
      ...call.body,
      priority: (call.body as Body)["priority"] ?? "P3",
      id,
      createdAt: toIsoTime(at),
      report,
    };
    const logs = [
      { log: "Alert created via API", type: "system", owner: "System", createdAt: toIsoTime(at) },
      ...listEntries(one).map(({ person, at: sent }) => ({
        log: `Notification sent to ${person} via SMS`,
        type: "alertRecipient",
        owner: person,
        createdAt: toIsoTime(sent),
      })),
      {
        log: "Notification to fay@acme.example is suppressed",
        type: "system",
        owner: "System",
        createdAt: toIsoTime(at),
      },
    ];
    return [
      createJsonFile(`export/alerts/${id}`, {
        data: { ...alert, integration: { id: senders[call.key], name: "An integration" } },
      }),
      createJsonFile(`export/logs/${id}`, { data: logs, took: 0.1 }),
    ];
  });

const createPagerDutyFiles = ({ people, senders }: Account, came: readonly Came[]): File[] => [
  createJsonFile("export/incidents", {
    incidents: came.map(({ at }, index) => ({
      id: `INC${index}`,
      title: "A title",
      created_at: toIsoTime(at),
      status: "resolved",
      service: { id: "SVC0", summary: "A service" },
    })),
    more: false,
  }),
  ...came.map(({ call, at }, index) => {
    const { payload, dedup_key } = call.body as Body;
    const { summary, severity, source, component, custom_details } = payload ?? {};
    const body = {
      type: "alert_body",
      details: custom_details,
      cef_details: { source_origin: source, source_component: component },
    };
    const alert = { id: `A${index}`, created_at: toIsoTime(at), summary, severity, alert_key: dedup_key, body };
    const of = { incident: { id: `INC${index}` }, integration: { id: senders[call.key] } };
    return createJsonFile(`export/alerts-${index}`, { alerts: [{ ...alert, ...of }] });
  }),
  createJsonFile("export/log_entries", {
    log_entries: came.flatMap((one, index) => {
      const incident = { id: `INC${index}` };
      const createEntry = (type: string, at: number, fields = {}) => ({
        id: "L",
        type,
        created_at: toIsoTime(at),
        incident,
        ...fields,
      });
      const createNotifyEntry = (at: number, person: string) =>
        createEntry("notify_log_entry", at, {
          user: { id: `U${people.indexOf(person)}` },
          channel: { type: "auto", notification: { type: "phone", status: "success" } },
        });
      return [
        createEntry("trigger_log_entry", one.at),
        ...listEntries(one).map(({ person, at }) => createNotifyEntry(at, person)),
        ...(one.ackAfter === undefined ? [] : [createEntry("acknowledge_log_entry", one.at + one.ackAfter)]),
      ];
    }),
    more: false,
  }),
];

const createOnCallFiles = ({ senders }: Account, came: readonly Came[]): File[] => {
  const createPage = (results: unknown[]) => ({ count: results.length, next: null, previous: null, results });
  return [
    createJsonFile(
      "export/alert_groups",
      createPage(
        came.map(({ call, at, ackAfter }, index) => ({
          id: `G${index}`,
          integration_id: senders[call.key],
          title: "A title",
          created_at: toIsoTime(at),
          acknowledged_at: ackAfter === undefined ? null : toIsoTime(at + ackAfter),
          resolved_at: null,
        })),
      ),
    ),
    createJsonFile(
      "export/alerts",
      createPage(
        came.map(({ call, at }, index) => {
          const { data } = call.body as Body;
          return {
            id: `A${index}`,
            alert_group_id: `G${index}`,
            created_at: toIsoTime(at),
            payload: data ?? call.body,
          };
        }),
      ),
    ),
    ...came.map((one, index) =>
      createJsonFile(`export/logs/G${index}`, {
        pk: `G${index}`,
        render_after_resolve_report_json: listEntries(one).flatMap(({ person, at }) => {
          const author = {
            pk: "unknown",
            username: person === "fay@acme.example" ? "Fay@acme.example" : person,
          };
          const line = { time: "1 minute", realm: "user_notification", type: 0, created_at: toIsoTime(at), author };
          return [
            { ...line, action: "escalation triggered for {{author}}", created_at: toIsoTime(at - 1_000) },
            { ...line, action: "sent sms to {{author}}" },
          ];
        }),
      }),
    ),
  ];
};

export const recordsBy = { opsgenie: createOpsgenieFiles, pagerduty: createPagerDutyFiles, oncall: createOnCallFiles };
