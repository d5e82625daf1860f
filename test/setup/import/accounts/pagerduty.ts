import * as fc from "fast-check";
import { aName, listNotified, createJsonFile, personOnCall, type Account, type Notified } from "./move.ts";

const people = ["ann", "bea", "cem", "dan", "eva", "Fay"].map((name) => `${name}@acme.example`);
const START = "2026-01-05T00:00:00Z";

/** A condition of an event. `holds`: evaluates the condition as PagerDuty does. */
type Test = { written: string; holds: (event: Payload) => boolean };
type Payload = {
  summary: string;
  source: string;
  severity: string;
  component?: string | undefined;
  custom_details: { region?: string | undefined };
};

const words = ["db", "disk full", "O'Neil", "timeout and more", "Café"];
const quote = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
const field = fc.constantFrom(
  { path: "event.summary", of: (event: Payload) => event.summary as string | undefined },
  { path: "event.source", of: (event: Payload) => event.source as string | undefined },
  { path: "event.severity", of: (event: Payload) => event.severity as string | undefined },
  { path: "event.component", of: (event: Payload) => event.component },
  { path: "event.custom_details.region", of: (event: Payload) => event.custom_details.region },
);
const value = fc.constantFrom(...words, "critical", "warning", "eu", "us", "db-1");
const lease: fc.Arbitrary<Test> = fc.tuple(field, value, fc.nat(6)).map(([{ path, of }, text, kind]): Test => {
  const given = quote(text);
  const escaped = text.replaceAll(/[^\p{L}\p{N} ]/gu, ".");
  const kinds: Test[] = [
    { written: `${path} matches ${given}`, holds: (event) => of(event) === text },
    { written: `${path} matches part ${given}`, holds: (event) => of(event)?.includes(text) === true },
    { written: `${path} does not match ${given}`, holds: (event) => of(event) !== text },
    { written: `${path} does not match part ${given}`, holds: (event) => of(event)?.includes(text) !== true },
    {
      written: `${path} matches regex '^${escaped}'`,
      holds: (event) => new RegExp(`^${escaped}`).test(of(event) ?? "\n"),
    },
    { written: `${path} exists`, holds: (event) => of(event) !== undefined },
    { written: `${path} does not exist`, holds: (event) => of(event) === undefined },
  ];
  return kinds[kind]!;
});
const { test } = fc.letrec<{ test: Test }>((tie) => ({
  test: fc.oneof(
    { depthSize: "small", maxDepth: 2, withCrossShrink: true },
    lease,
    fc.tuple(tie("test"), tie("test")).map(([one, other]): Test => ({
      written: `(${one.written}) and ${other.written.includes(" or ") ? `(${other.written})` : other.written}`,
      holds: (event) => one.holds(event) && other.holds(event),
    })),
    fc.tuple(tie("test"), tie("test")).map(([one, other]): Test => ({
      written: `${one.written} or ${other.written}`,
      holds: (event) => one.holds(event) || other.holds(event),
    })),
    tie("test").map((one): Test => ({ written: `not (${one.written})`, holds: (event) => !one.holds(event) })),
  ),
}));

const LEVEL = fc.record({
  delay: fc.constantFrom(5, 10, 30),
  users: fc.uniqueArray(fc.nat(people.length - 1), { minLength: 0, maxLength: 2 }),
  schedules: fc.uniqueArray(fc.nat(1), { maxLength: 2 }),
});
const anyLevel = LEVEL.filter(({ users, schedules }) => users.length + schedules.length > 0);

const payload: fc.Arbitrary<Payload> = fc.record({
  summary: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 2 }).map((some) => some.join(" ")),
  source: fc.constantFrom("db-1", "db", "web"),
  severity: fc.constantFrom("critical", "error", "warning", "info"),
  component: fc.option(fc.constantFrom("db", "web"), { nil: undefined }),
  custom_details: fc.record({ region: fc.option(fc.constantFrom("eu", "us"), { nil: undefined }) }),
});

/** Generates accounts. `calls`: how many messages the clients of each account send. */
export const createAccounts = (calls: { minLength: number; maxLength: number }): fc.Arbitrary<Account> =>
  fc
    .record({
      schedules: fc.tuple(
        fc.array(fc.nat(people.length - 1), { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(people.length - 1), { minLength: 1, maxLength: 3 }),
      ),
      scheduleNames: fc.tuple(aName, aName),
      policies: fc.array(
        fc.record({ name: aName, levels: fc.array(anyLevel, { minLength: 1, maxLength: 3 }), num_loops: fc.nat(2) }),
        { minLength: 1, maxLength: 3 },
      ),
      services: fc.array(
        fc.record({
          name: aName,
          policy: fc.nat(2),
          status: fc.constantFrom("active", "active", "active", "warning", "disabled"),
          urgency: fc.constantFrom(
            { type: "constant", urgency: "low" },
            { type: "constant", urgency: "high" },
            { type: "constant", urgency: "severity_based" },
          ),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      rules: fc.array(
        fc.record({
          label: aName,
          tests: fc.array(test, { maxLength: 2 }),
          isOdd: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
          disabled: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
          to: fc.option(fc.nat(3), { freq: 5 }),
        }),
        { maxLength: 4 },
      ),
      rest: fc.option(fc.nat(3), { freq: 3 }),
      emptyTeam: aName,
      payloads: fc.array(payload, calls),
      direct: fc.nat(3),
    })
    .map(({ schedules, scheduleNames, policies, services, rules, rest, emptyTeam, payloads, direct }): Account => {
      const serviceAt = (index: number | null) => (index === null ? undefined : services[index % services.length]);
      const idOf = (index: number | null) => (index === null ? "unrouted" : `SVC${index % services.length}`);
      const listNotifiedBy = (service: (typeof services)[number] | undefined, now: number): Notified[] => {
        if (service === undefined || service.status === "disabled") return listNotified([]);
        let afterMinutes = 0;
        return listNotified(
          policies[service.policy % policies.length]!.levels.map(({ delay, users, schedules: asked }) => {
            const level = {
              afterMinutes,
              people: [
                ...users.map((index) => people[index]!.toLowerCase()),
                ...asked.map((index) =>
                  personOnCall(
                    schedules[index]!.map((one) => people[one]!.toLowerCase()),
                    Date.parse(START),
                    now,
                  ),
                ),
              ],
            };
            afterMinutes += delay;
            return level;
          }),
        );
      };
      const files = [
        createJsonFile("users", { users: people.map((email, index) => ({ id: `U${index}`, email, name: email })) }),
        createJsonFile("teams", { teams: [{ id: "T", name: emptyTeam }], more: false }),
        createJsonFile("schedules", {
          schedules: schedules.map((turns, index) => ({
            id: `SCH${index}`,
            name: scheduleNames[index],
            time_zone: "UTC",
            schedule_layers: [
              {
                start: START,
                rotation_virtual_start: START,
                rotation_turn_length_seconds: 604_800,
                users: turns.map((one) => ({ user: { id: `U${one}`, summary: people[one] } })),
                restrictions: [],
              },
            ],
          })),
        }),
        createJsonFile("escalation_policies", {
          escalation_policies: policies.map(({ name, levels, num_loops }, index) => ({
            id: `POL${index}`,
            name,
            num_loops,
            escalation_rules: levels.map(({ delay, users, schedules: asked }) => ({
              escalation_delay_in_minutes: delay,
              targets: [
                ...users.map((one) => ({ id: `U${one}`, type: "user_reference" })),
                ...asked.map((one) => ({ id: `SCH${one}`, type: "schedule_reference" })),
              ],
            })),
          })),
        }),
        createJsonFile("services", {
          services: services.map(({ name, policy, status, urgency }, index) => ({
            id: `SVC${index}`,
            name,
            status,
            escalation_policy: { id: `POL${policy % policies.length}` },
            incident_urgency_rule: urgency,
            integrations: [{ id: `INT${index}`, summary: "Events API V2" }],
          })),
        }),
        createJsonFile("router", {
          orchestration_path: {
            type: "router",
            parent: { id: "ORC" },
            sets: [
              {
                id: "start",
                rules: rules.map(({ label, tests, isOdd, disabled, to }) => ({
                  label,
                  disabled,
                  conditions: [
                    ...tests.map(({ written }) => ({ expression: written })),
                    ...(isOdd ? [{ expression: "trigger_count over 5 in 1 hours" }] : []),
                  ],
                  actions: { route_to: idOf(to) },
                })),
              },
            ],
            catch_all: { actions: { route_to: idOf(rest) } },
          },
        }),
        createJsonFile("orchestrations", { orchestrations: [{ id: "ORC", name: "Platform" }] }),
      ];
      return {
        files,
        people: people.map((one) => one.toLowerCase()),
        senders: [...services.map((_, index) => `INT${index}`), "ORC"],
        left: rules.flatMap(({ isOdd, disabled }) => (isOdd && !disabled ? ["trigger_count over 5 in 1 hours"] : [])),
        calls: payloads.map((event, index) => (now) => {
          const isDirect = index === 0;
          const body = { event_action: "trigger", dedup_key: `k${index}`, payload: event };
          const path = "/v1/events/from/pagerduty/v2/enqueue";
          if (isDirect)
            return { key: direct % services.length, path, body, told: listNotifiedBy(serviceAt(direct), now) };
          const decides = rules.find(
            ({ tests, isOdd, disabled }) =>
              !isOdd && !disabled && (tests.length === 0 || tests.some(({ holds }) => holds(event))),
          );
          return {
            key: services.length,
            path,
            body,
            told: listNotifiedBy(serviceAt(decides === undefined ? rest : decides.to), now),
          };
        }),
      };
    });

export const account = createAccounts({ minLength: 2, maxLength: 3 });
