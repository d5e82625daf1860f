import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from "../core/domain/basics/units.ts";
import { toIso } from "../core/domain/basics/time.ts";

/* Answers of Opsgenie's API for a small company: settings, and two weeks of alerts with logs. */

const DAYS = 14;
const toEmail = (name: string): string => `${name}@acme.example`;
const toUser = (name: string) => ({ type: "user", username: toEmail(name) });
const ONCALL = ["alice", "bob", "carol"] as const;
/** The start of Alice's first shift. */
const TURNS_FROM = Date.parse("2026-01-05T09:00:00Z");

/** Returns the person who is on call at a time in ms since 1970. */
export const findPersonOnCall = (time: number): string =>
  toEmail(ONCALL[Math.floor((time - TURNS_FROM) / WEEK_MS) % ONCALL.length] ?? "");

const toEscalation = (name: string) => ({ type: "escalation", name });
/** A condition that the import leaves out, so that the replay finds a difference. */
const canRestart = {
  type: "match-all-conditions",
  conditions: [{ field: "actions", operation: "contains", expectedValue: "restart" }],
};
const settings: Readonly<Record<string, object>> = {
  users: {
    users: [...ONCALL, "dave", "erin", "frank"].map((name, n) => ({
      username: toEmail(name),
      role: { name: n === 0 ? "Owner" : "User" },
    })),
  },
  integrations: {
    integrations: ["Shop", "Warehouse"].map((name) => ({ id: `int-${name}`, name, type: "API", ownerTeam: { name } })),
  },
  "teams/shop": {
    name: "Shop",
    members: [...ONCALL, "dave"].map((name) => ({ user: toUser(name) })),
    routingRules: [{ name: "Everything", isDefault: true, notify: toEscalation("Shop") }],
  },
  "teams/warehouse": {
    name: "Warehouse",
    members: ["erin", "frank"].map((name) => ({ user: toUser(name) })),
    routingRules: [
      { name: "Printers that can be restarted", order: 0, criteria: canRestart, notify: toEscalation("Warehouse") },
      { name: "The rest can wait", order: 1, isDefault: true, notify: { type: "none" } },
    ],
  },
  "schedules/shop": {
    schedule: {
      name: "Shop on call",
      timezone: "Etc/UTC",
      rotations: [
        { name: "Weeks", startDate: toIso(TURNS_FROM), type: "weekly", length: 1, participants: ONCALL.map(toUser) },
      ],
    },
  },
  "escalations/shop": {
    name: "Shop",
    rules: [
      { delay: { timeAmount: 0 }, notifyType: "default", recipient: { type: "schedule", name: "Shop on call" } },
      { delay: { timeAmount: 10 }, notifyType: "default", recipient: toUser("dave") },
    ],
  },
  "escalations/warehouse": {
    name: "Warehouse",
    rules: [{ delay: { timeAmount: 0 }, notifyType: "all", recipient: { type: "team", name: "Warehouse" } }],
  },
};

const kinds = [
  { message: "Checkout is slow", team: "Shop", hour: 13, everyDays: 1, ackMinutes: 3 },
  { message: "Payments are declined", team: "Shop", hour: 22, everyDays: 3, ackMinutes: 14 },
  { message: "Label printer is offline", team: "Warehouse", hour: 16, everyDays: 5, ackMinutes: 6 },
] as const;

/** Returns the files of an alert and its log by path. The log shows whom Opsgenie notified. */
const toAlertFiles = ({ message, team, hour, ackMinutes }: (typeof kinds)[number], day: number): [string, object][] => {
  const since = day + hour * HOUR_MS;
  const id = `${team.toLowerCase()}-${since}`;
  const people = team === "Shop" ? [findPersonOnCall(since)] : ["erin", "frank"].map(toEmail);
  const notified = [
    ...people.map((person) => ({ person, after: 2000 })),
    ...(ackMinutes > 10 ? [{ person: toEmail("dave"), after: 10 * MINUTE_MS }] : []),
  ];
  const alert = {
    id,
    alias: id,
    message,
    priority: "P2",
    actions: team === "Shop" ? [] : ["restart"],
    createdAt: toIso(since),
    integration: { id: `int-${team}`, name: team },
    report: { ackTime: ackMinutes * MINUTE_MS },
  };
  const log = notified.map(({ person, after }) => ({
    log: `Notification sent to ${person} via Mobile`,
    createdAt: toIso(since + after),
  }));
  return [
    [`alerts/${id}`, { data: alert }],
    [`logs/${id}`, { data: log }],
  ];
};

/** Returns the files of the export by path. `now`: in ms since 1970. The alerts are from the 14 days before `now`. */
export const createDemoExport = (now: number): Map<string, string> => {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const alerts = kinds.flatMap((kind) =>
    Array.from({ length: Math.ceil(DAYS / kind.everyDays) }, (_, n) =>
      toAlertFiles(kind, today - (1 + n * kind.everyDays) * DAY_MS),
    ).flat(),
  );
  return new Map(
    [...Object.entries(settings), ...alerts].map(([path, value]) => [`${path}.json`, JSON.stringify(value)]),
  );
};
