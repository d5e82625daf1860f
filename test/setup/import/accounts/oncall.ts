import * as fc from "fast-check";
import { aName, listNotified, createJsonFile, personOnCall, type Account, type Notified } from "./move.ts";

const people = ["ann", "bea", "cem", "dan", "eva", "Fay"].map((name) => `${name}@acme.example`);
const START = "2026-01-05T00:00:00";
const REPEATED = 5;

type Labels = Readonly<Record<string, string>>;
/**
 * A template of a route. `written`: the template's text; `labels`: the payload's field with the labels. `holds`: OnCall's
 * evaluation of the template.
 */
type Test = { written: (labels: string) => string; holds: (labels: Labels) => boolean };

const label = fc.constantFrom("severity", "team", "env");
const value = fc.constantFrom("critical", "warning", "db", "web", "it's", "prod-eu", "prod");
const quote = (text: string) => (text.includes("'") ? `"${text}"` : `'${text}'`);
const lease: fc.Arbitrary<Test> = fc.tuple(label, value, value, fc.nat(4)).map(([name, one, other, kind]): Test => {
  const kinds: Test[] = [
    { written: (at) => `payload.${at}.${name} == ${quote(one)}`, holds: (labels) => labels[name] === one },
    { written: (at) => `payload["${at}"]["${name}"] != ${quote(one)}`, holds: (labels) => labels[name] !== one },
    {
      written: (at) => `${quote(one)} in payload.${at}.${name}`,
      holds: (labels) => labels[name]?.includes(one) === true,
    },
    {
      written: (at) => `payload.${at}.${name} in [${quote(one)}, ${quote(other)}]`,
      holds: (labels) => labels[name] === one || labels[name] === other,
    },
    { written: (at) => `payload.get("${at}").get("${name}")`, holds: (labels) => (labels[name] ?? "") !== "" },
  ];
  return kinds[kind]!;
});
const { test } = fc.letrec<{ test: Test }>((tie) => ({
  test: fc.oneof(
    { depthSize: "small", maxDepth: 2 },
    lease,
    fc.tuple(tie("test"), tie("test")).map(([one, other]): Test => ({
      written: (at) => `(${one.written(at)}) and (${other.written(at)})`,
      holds: (labels) => one.holds(labels) && other.holds(labels),
    })),
    fc.tuple(tie("test"), tie("test")).map(([one, other]): Test => ({
      written: (at) => `${one.written(at)} or ${other.written(at)}`,
      holds: (labels) => one.holds(labels) || other.holds(labels),
    })),
    tie("test").map((one): Test => ({
      written: (at) => `not (${one.written(at)})`,
      holds: (labels) => !one.holds(labels),
    })),
  ),
}));

const labels = fc.record({ severity: value, team: value, env: value }, { requiredKeys: [] }) as fc.Arbitrary<Labels>;

/** Templates that the import leaves out: a comparison of the whole alert as text, and one that does more than compare. */
const odd = fc.constantFrom(
  { routing_type: "regex", routing_regex: "severity.*critical" },
  { routing_type: "jinja2", routing_regex: "{{ payload.labels | length > 2 }}" },
  { routing_type: "labels", routing_regex: "" },
);

const step = fc.oneof(
  fc.record({ type: fc.constant("wait" as const), minutes: fc.constantFrom(1, 5, 20) }),
  fc.record({ type: fc.constant("schedule" as const), index: fc.nat(1) }),
  fc.record({
    type: fc.constant("persons" as const),
    users: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ type: fc.constant("team" as const), index: fc.nat(1) }),
);

/** Generates accounts. `calls`: how many alerts are sent to each account's integrations. */
export const createAccounts = (calls: { minLength: number; maxLength: number }): fc.Arbitrary<Account> =>
  fc
    .record({
      schedules: fc.tuple(
        fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }),
      ),
      names: fc.tuple(aName, aName, aName, aName),
      team: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 }),
      chains: fc.array(fc.record({ name: aName, steps: fc.array(step, { maxLength: 5 }), repeats: fc.boolean() }), {
        minLength: 1,
        maxLength: 3,
      }),
      integrations: fc.array(
        fc.record({
          name: aName,
          type: fc.constantFrom("alertmanager", "grafana_alerting", "webhook", "formatted_webhook"),
          routes: fc.array(
            fc.record({ test: fc.option(test, { freq: 4 }), odd, chain: fc.option(fc.nat(2), { freq: 4 }) }),
            { maxLength: 4 },
          ),
          rest: fc.option(fc.nat(2), { freq: 4 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      sent: fc.array(fc.record({ to: fc.nat(2), labels }), calls),
    })
    .map(({ schedules, names, team, chains, integrations, sent }): Account => {
      const lower = people.map((one) => one.toLowerCase());
      const listNotifiedBy = (chainIndex: number | null, now: number): Notified[] => {
        if (chainIndex === null) return listNotified([]);
        const levels = new Map<number, string[]>();
        let afterMinutes = 0;
        for (const one of chains[chainIndex % chains.length]!.steps) {
          if (one.type === "wait") {
            afterMinutes += one.minutes;
            continue;
          }
          const more =
            one.type === "persons"
              ? one.users.map((index) => lower[index]!)
              : one.type === "team"
                ? // The second team has no members.
                  one.index === 0
                  ? team.map((index) => lower[index]!)
                  : []
                : [
                    personOnCall(
                      schedules[one.index]!.map((index) => lower[index]!),
                      Date.parse(`${START}Z`),
                      now,
                    ),
                  ];
          levels.set(afterMinutes, [...(levels.get(afterMinutes) ?? []), ...more]);
        }
        const reached = [...levels].filter(([, some]) => some.length > 0);
        // The import leaves out the waits at the beginning of an escalation chain, and the report says so.
        const [first = 0] = reached[0] ?? [];
        return listNotified(reached.map(([at, some]) => ({ afterMinutes: at - first, people: some })));
      };
      const chainIdOf = (index: number | null) => (index === null ? null : `C${index % chains.length}`);
      const labelsField = (type: string) => (type.includes("webhook") ? "labels" : "commonLabels");
      const createResults = (kind: string, list: unknown[]) =>
        createJsonFile(kind, { count: list.length, next: null, previous: null, results: list });
      const left: string[] = [];
      const routes = integrations.flatMap(({ type, routes: own, rest }, index) => [
        ...own.map(({ test: asked, odd: other, chain }, position) => {
          const said =
            asked === null
              ? other
              : { routing_type: "jinja2", routing_regex: `{{ ${asked.written(labelsField(type))} }}` };
          const isRead = asked !== null || (type.includes("webhook") && said.routing_regex === "");
          if (!isRead && said.routing_regex !== "") left.push(said.routing_regex);
          return {
            id: `R${index}-${position}`,
            integration_id: `I${index}`,
            position,
            escalation_chain_id: chainIdOf(chain),
            ...said,
          };
        }),
        {
          id: `R${index}-last`,
          integration_id: `I${index}`,
          is_the_last_route: true,
          escalation_chain_id: chainIdOf(rest),
        },
      ]);
      const files = [
        createResults(
          "users",
          people.map((email, index) => ({
            id: `U${index}`,
            email,
            username: email,
            teams: team.includes(index) ? ["T0"] : [],
          })),
        ),
        createResults(
          "teams",
          [0, 1].map((index) => ({ id: `T${index}`, name: names[index] })),
        ),
        createResults(
          "schedules",
          schedules.map((_, index) => ({
            id: `S${index}`,
            name: names[index + 2],
            time_zone: "UTC",
            shifts: [`H${index}`],
          })),
        ),
        createResults(
          "on_call_shifts",
          schedules.map((turns, index) => ({
            id: `H${index}`,
            name: "Main",
            type: "rolling_users",
            start: START,
            duration: 604_800,
            frequency: "weekly",
            interval: 1,
            week_start: "MO",
            rolling_users: turns.map((one) => [`U${one}`]),
          })),
        ),
        createResults(
          "escalation_chains",
          chains.map(({ name }, index) => ({ id: `C${index}`, name })),
        ),
        createResults(
          "escalation_policies",
          chains.flatMap(({ steps, repeats }, index) => [
            ...steps.map((one, position) => ({
              id: `P${index}-${position}`,
              escalation_chain_id: `C${index}`,
              position,
              ...(one.type === "wait"
                ? { type: "wait", duration: one.minutes * 60 }
                : one.type === "schedule"
                  ? { type: "notify_on_call_from_schedule", notify_on_call_from_schedule: `S${one.index}` }
                  : one.type === "team"
                    ? { type: "notify_team_members", notify_to_team_members: `T${one.index}` }
                    : { type: "notify_persons", persons_to_notify: one.users.map((user) => `U${user}`) }),
            })),
            ...(repeats
              ? [
                  {
                    id: `P${index}-x`,
                    escalation_chain_id: `C${index}`,
                    position: REPEATED + steps.length,
                    type: "repeat_escalation",
                  },
                ]
              : []),
          ]),
        ),
        createResults("integrations", [
          { id: "MAIL", name: "By mail", type: "inbound_email" },
          ...integrations.map(({ name, type }, index) => ({ id: `I${index}`, name, type })),
        ]),
        createResults("routes", routes),
      ];
      return {
        files,
        people: lower,
        left,
        senders: integrations.map((_, index) => `I${index}`),
        calls: sent.map(({ to, labels: sentLabels }, index) => (now) => {
          const key = to % integrations.length;
          const { type, routes: own, rest } = integrations[key]!;
          const decides = own.find(({ test: asked }) => asked?.holds(sentLabels) === true);
          const webhook = {
            status: "firing",
            receiver: "oncall",
            groupLabels: {},
            commonLabels: sentLabels,
            commonAnnotations: {},
            alerts: [
              { status: "firing", fingerprint: `f${index}`, startsAt: new Date(now).toISOString(), labels: sentLabels },
            ],
          };
          const called = type === "alertmanager" ? "alertmanager" : "grafana";
          const sentTo = type.includes("webhook")
            ? {
                path: "/v1/events",
                body: { event: "alert.raised", title: "A", body: "B", data: { labels: sentLabels } },
              }
            : { path: `/v1/events/from/${called}`, body: webhook };
          return { key, ...sentTo, told: listNotifiedBy(decides === undefined ? rest : decides.chain, now) };
        }),
      };
    });

export const account = createAccounts({ minLength: 2, maxLength: 3 });
