import * as fc from "fast-check";
import { aName, listNotified, createJsonFile, personOnCall, type Account, type Notified } from "./move.ts";

const people = ["ann", "bea", "cem", "dan", "eva", "Fay"].map((name) => `${name}@acme.example`);
const lower = people.map((one) => one.toLowerCase());
const START = "2026-01-05T00:00:00Z";
const PRIORITIES = ["P1", "P2", "P3", "P4", "P5"];

type Responder = { type: string; id?: string; name?: string };
type Alert = {
  message: string;
  priority?: string | undefined;
  description?: string | undefined;
  entity?: string | undefined;
  source?: string | undefined;
  tags: string[];
  details: Record<string, string>;
};
type Condition = { field: string; key?: string; operation: string; expectedValue: string; not: boolean };

const words = fc.constantFrom("db", "disk full", "timeout", "O'Neil (x)", "a.b", "Café", "prod");

/** Evaluates a condition as Opsgenie does. */
const isTrueFor = ({ field, key, operation, expectedValue, not }: Condition, alert: Alert): boolean => {
  const compare = () => {
    if (field === "tags") return alert.tags.includes(expectedValue);
    if (field === "priority") {
      const [is, asked] = [PRIORITIES.indexOf(alert.priority ?? "P3"), PRIORITIES.indexOf(expectedValue)];
      return operation === "equals" ? is === asked : operation === "greater-than" ? is < asked : is > asked;
    }
    if (operation === "contains-key") return (alert.details[expectedValue] ?? "") !== "";
    const text =
      field === "extra-properties"
        ? alert.details[key ?? ""]
        : field === "message"
          ? alert.message
          : field === "description"
            ? alert.description
            : field === "entity"
              ? alert.entity
              : alert.source;
    if (operation === "is-empty") return text === undefined;
    if (text === undefined) return false;
    if (operation === "equals") return text === expectedValue;
    if (operation === "starts-with") return text.startsWith(expectedValue);
    return operation === "ends-with" ? text.endsWith(expectedValue) : text.includes(expectedValue);
  };
  return compare() !== not;
};

const not = fc.boolean();
const plain = fc.record({
  field: fc.constantFrom("message", "description", "entity", "source"),
  operation: fc.constantFrom("equals", "contains", "starts-with", "ends-with", "is-empty"),
  expectedValue: words,
  not,
});
const condition: fc.Arbitrary<Condition> = fc.oneof(
  plain.map((one) =>
    one.field === "message" && one.operation === "is-empty" ? { ...one, operation: "contains" } : one,
  ),
  fc.record({ field: fc.constant("tags"), operation: fc.constant("contains"), expectedValue: words, not }),
  fc.record({
    field: fc.constant("priority"),
    operation: fc.constantFrom("equals", "greater-than", "less-than"),
    expectedValue: fc.constantFrom("P2", "P3", "P4"),
    not,
  }),
  fc.record({
    field: fc.constant("extra-properties"),
    key: fc.constantFrom("host", "region"),
    operation: fc.constantFrom("equals", "contains"),
    expectedValue: words,
    not,
  }),
  fc.record({
    field: fc.constant("details"),
    operation: fc.constant("contains-key"),
    expectedValue: fc.constantFrom("host", "region"),
    not,
  }),
);

/** A condition that a rule cannot express, which the report names. */
const ODD = { field: "actions", operation: "contains", expectedValue: "restart it", not: false };

const escalation = fc.record({
  name: aName,
  rules: fc.array(
    fc.record({
      delay: fc.constantFrom(0, 5, 20),
      to: fc.oneof(
        fc.nat(5).map((index) => ({ type: "user", index })),
        fc.nat(1).map((index) => ({ type: "schedule", index })),
        fc.nat(1).map((index) => ({ type: "team", index })),
      ),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  repeat: fc.option(fc.record({ waitInterval: fc.constantFrom(10, 30), count: fc.integer({ min: 1, max: 3 }) })),
});

const notify = fc.oneof(
  { weight: 3, arbitrary: fc.nat(1).map((index) => ({ type: "escalation", index })) },
  { weight: 3, arbitrary: fc.nat(1).map((index) => ({ type: "schedule", index })) },
  { weight: 1, arbitrary: fc.constant({ type: "none", index: 0 }) },
);
const rule = fc.record({
  name: aName,
  type: fc.constantFrom("match-all-conditions", "match-any-condition"),
  conditions: fc.array(condition, { minLength: 1, maxLength: 3 }),
  isOdd: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
  hours: fc.option(fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 23 })), { freq: 2 }),
  notify,
});
const team = fc.record({
  members: fc.uniqueArray(fc.nat(5), { maxLength: 3 }),
  rules: fc.array(rule, { maxLength: 3 }),
  rest: notify,
});
type TeamOf = typeof team extends fc.Arbitrary<infer One> ? One : never;

const alert: fc.Arbitrary<Alert> = fc.record({
  message: fc.array(words, { minLength: 1, maxLength: 2 }).map((some) => some.join(" ")),
  priority: fc.option(fc.constantFrom(...PRIORITIES), { nil: undefined }),
  description: fc.option(words, { nil: undefined }),
  entity: fc.option(words, { nil: undefined }),
  source: fc.option(words, { nil: undefined }),
  tags: fc.uniqueArray(words, { maxLength: 3 }),
  details: fc.dictionary(fc.constantFrom("host", "region"), words),
});

/** Generates accounts. `calls`: how many messages the clients of each account send. */
export const createAccounts = (calls: { minLength: number; maxLength: number }): fc.Arbitrary<Account> =>
  fc
    .record({
      schedules: fc.tuple(
        fc.record({ turns: fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }), enabled: fc.constant(true) }),
        fc.record({ turns: fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }), enabled: fc.boolean() }),
      ),
      // Teams in a backup are identified by name, so their names are unique.
      names: fc.uniqueArray(
        aName.map((name) => name.trim()),
        { minLength: 4, maxLength: 4 },
      ),
      escalations: fc.tuple(escalation, escalation),
      teams: fc.tuple(team, team),
      integrations: fc.array(
        fc.record({
          name: aName,
          type: fc.constantFrom("API", "API", "Prometheus", "Nagios"),
          enabled: fc.integer({ min: 0, max: 4 }).map((one) => one > 0),
          owner: fc.option(fc.nat(1), { freq: 3 }),
          fallback: fc.option(fc.nat(1), { freq: 2 }),
          ignoreRespondersFromPayload: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      sent: fc.array(
        fc.record({
          alert,
          by: fc.nat(2),
          responders: fc.uniqueArray(fc.constantFrom("team-id 0", "team 0", "team 1", "escalation 0", "schedule 0"), {
            maxLength: 2,
          }),
        }),
        calls,
      ),
    })
    .map(({ schedules, names, escalations, teams, integrations, sent }): Account => {
      // Teams have the first two names and schedules the last two, so that a reference by name is unambiguous.
      const nameOfTeam = (index: number) => names[index]!;
      const listOnCall = (index: number, now: number): string[] =>
        schedules[index]!.enabled
          ? [
              personOnCall(
                schedules[index]!.turns.map((one) => lower[one]!),
                Date.parse(START),
                now,
              ),
            ]
          : [];
      type Levels = { afterMinutes: number; people: string[] }[];
      const levelsOfEscalation = (index: number, now: number): Levels => {
        const levels: Levels = [...escalations[index]!.rules]
          .sort((one, other) => one.delay - other.delay)
          .map(({ delay, to }) => ({
            afterMinutes: delay,
            people:
              to.type === "user"
                ? [lower[to.index]!]
                : to.type === "schedule"
                  ? listOnCall(to.index, now)
                  : teams[to.index]!.members.map((one) => lower[one]!),
          }))
          .filter((level) => level.people.length > 0);
        // An escalation whose first level waits notifies that level at once after the import, which the report says.
        const first = levels[0]?.afterMinutes ?? 0;
        return levels.map((level) => ({ ...level, afterMinutes: level.afterMinutes - first }));
      };
      const levelsOfNotify = ({ type, index }: { type: string; index: number }, now: number): Levels =>
        type === "none"
          ? []
          : type === "escalation"
            ? levelsOfEscalation(index, now)
            : [{ afterMinutes: 0, people: listOnCall(index, now) }];
      const isWithin = (hours: readonly [number, number] | null, now: number) => {
        if (hours === null) return true;
        const hour = new Date(now).getUTCHours();
        const [from, to] = hours;
        return from < to ? from <= hour && hour < to : hour >= from || hour < to;
      };
      const levelsOfTeam = ({ rules, rest }: TeamOf, alert: Alert, now: number): Levels => {
        const decides = rules.find(
          ({ type, conditions, isOdd, hours }) =>
            !isOdd &&
            isWithin(hours, now) &&
            (type === "match-any-condition"
              ? conditions.some((asked) => isTrueFor(asked, alert))
              : conditions.every((asked) => isTrueFor(asked, alert))),
        );
        return levelsOfNotify(decides?.notify ?? rest, now);
      };
      const createNotify = ({ type, index }: { type: string; index: number }) => ({
        type,
        ...(type === "none" ? {} : { id: `${type}-${index}` }),
      });
      const keyed = integrations.filter(({ enabled, type }) => enabled && type !== "Nagios");
      const files = [
        createJsonFile("users", { users: people.map((username, index) => ({ id: `u-${index}`, username })) }),
        ...teams.flatMap(({ members, rules, rest }, index) => [
          createJsonFile(`backup/teams/t${index}`, {
            id: `team-${index}`,
            name: nameOfTeam(index),
            members: members.map((one) => ({ user: { id: `u-${one}`, username: people[one] }, role: "user" })),
            routingRules: [
              ...rules.map(({ name, type, conditions, isOdd, hours, notify: to }, order) => ({
                name,
                order,
                timezone: "UTC",
                criteria: { type, conditions: isOdd ? [...conditions, ODD] : conditions },
                ...(hours === null
                  ? {}
                  : {
                      timeRestriction: {
                        type: "time-of-day",
                        restriction: { startHour: hours[0], startMin: 0, endHour: hours[1], endMin: 0 },
                      },
                    }),
                notify: createNotify(to),
              })),
              {
                name: "Default",
                isDefault: true,
                order: 99,
                criteria: { type: "match-all" },
                notify: createNotify(rest),
              },
            ],
          }),
        ]),
        ...schedules.map(({ turns, enabled }, index) =>
          createJsonFile(`backup/schedules/s${index}`, {
            id: `schedule-${index}`,
            name: names[index + 2],
            timezone: "UTC",
            enabled,
            rotations: [
              {
                id: `r-${index}`,
                name: "Main",
                startDate: START,
                type: "weekly",
                length: 1,
                participants: turns.map((one) => ({ type: "user", id: `u-${one}`, username: people[one] })),
              },
            ],
          }),
        ),
        ...escalations.map(({ name, rules, repeat }, index) =>
          createJsonFile(`backup/escalations/e${index}`, {
            id: `escalation-${index}`,
            name,
            rules: rules.map(({ delay, to }) => ({
              condition: "if-not-acked",
              notifyType: to.type === "team" ? "all" : "default",
              delay: { timeAmount: delay, timeUnit: "minutes" },
              recipient: { type: to.type, id: `${to.type === "user" ? "u" : to.type}-${to.index}` },
            })),
            repeat,
          }),
        ),
        createJsonFile("integrations", {
          integrations: integrations.map(
            ({ name, type, enabled, owner, fallback, ignoreRespondersFromPayload }, index) => ({
              id: `int-${index}`,
              name: name === "  Ops  " ? "Ops" : name,
              type,
              enabled,
              ownerTeam: owner === null ? null : { id: `team-${owner}`, name: nameOfTeam(owner) },
              responders: fallback === null ? [] : [{ type: "team", id: `team-${fallback}` }],
              ignoreRespondersFromPayload,
            }),
          ),
        }),
      ];
      const listNotifiedBy = (
        sender: (typeof keyed)[number],
        one: Alert,
        asked: readonly string[],
        now: number,
      ): Notified[] => {
        const { owner, fallback, ignoreRespondersFromPayload: ignores } = sender;
        const named = ignores ? [] : asked;
        const responders =
          owner !== null ? [`team ${owner}`] : named.length > 0 ? named : fallback === null ? [] : [`team ${fallback}`];
        const levels = [...new Set(responders.map((name) => name.replace("-id", "")))].flatMap((name) => {
          const [type, index] = [name.split(" ")[0]!, Number(name.split(" ")[1])];
          return type === "team" ? levelsOfTeam(teams[index]!, one, now) : levelsOfNotify({ type, index }, now);
        });
        const times = [...new Set(levels.map(({ afterMinutes }) => afterMinutes))].sort((a, b) => a - b);
        return listNotified(
          times.map((at) => ({
            afterMinutes: at,
            people: levels.filter(({ afterMinutes }) => afterMinutes === at).flatMap((level) => level.people),
          })),
        );
      };
      const responderOf = (name: string): Responder => {
        const [type = "", index] = name.split(" ");
        if (type === "team-id") return { type: "team", id: `team-${index}` };
        return type === "team" ? { type, name: nameOfTeam(Number(index)) } : { type, id: `${type}-${index}` };
      };
      return {
        files,
        people: lower,
        senders: keyed.map((one) => `int-${integrations.indexOf(one)}`),
        left: [
          ...teams.flatMap(({ rules }) => rules.flatMap(({ isOdd }) => (isOdd ? ["actions contains restart it"] : []))),
          ...integrations.flatMap(({ enabled }) => (enabled ? [] : ["The integration is disabled."])),
        ],
        calls:
          keyed.length === 0
            ? []
            : sent.map(({ alert: one, by, responders }, index) => (now) => {
                const key = by % keyed.length;
                const body = { ...one, alias: `a${index}`, responders: responders.map(responderOf) };
                return {
                  key,
                  path: "/v1/events/from/opsgenie/v2/alerts",
                  body,
                  told: listNotifiedBy(keyed[key]!, one, responders, now),
                };
              }),
      };
    });

export const account = createAccounts({ minLength: 2, maxLength: 3 });
