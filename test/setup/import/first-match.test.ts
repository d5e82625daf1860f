import * as fc from "fast-check";
import { afterAll, expect, it, vi } from "vitest";
import * as v from "valibot";
import { EventInput, addSender } from "../../../core/domain/event/event.ts";
import { isSource, MAPPED } from "../../../core/domain/basics/source-name.ts";
import { fitDraft } from "../../../core/domain/sources/fit.ts";
import { sources } from "../../../core/domain/sources/index.ts";
import { createSimulator } from "../../../setup/rehearsal.ts";
import { importExport } from "../../../setup/import/import-export.ts";
import { offline } from "../offline.ts";
import { runOn } from "../running.ts";
import { createAccounts as ofOnCall } from "./accounts/oncall.ts";
import { createAccounts as ofOpsgenie } from "./accounts/opsgenie.ts";
import { createAccounts as ofPagerDuty } from "./accounts/pagerduty.ts";
import type { Account, Call } from "./accounts/move.ts";

const NOW = Date.parse("2026-03-18T10:30:00Z");
const HOUR = 3_600_000;

vi.resetModules();
vi.doMock("../../../setup/import/rules.ts", () => import("./exclusive.ts"));
const { importExport: importExclusive } = await import("../../../setup/import/import-export.ts");
vi.doUnmock("../../../setup/import/rules.ts");
afterAll(() => vi.resetModules());

const readEvent = ({ path, body }: Call) => {
  const [, name = ""] = /^\/v1\/events\/from\/([^/]+)/.exec(path) ?? [];
  if (!isSource(name) || name === MAPPED) return v.parse(EventInput, body);
  const [draft] = v.parse(sources[name].adapter, body);
  return fitDraft(name, draft!).event;
};

/** Returns a function that tells who is notified of an event, and after how many minutes. */
const createNotifiedReader = (imported: ReturnType<typeof importExport>) => {
  const lead = createSimulator(imported.draft.setUp);
  return (event: ReturnType<typeof readEvent>, key: string, at: number): string[] =>
    [
      ...new Set(lead(addSender(event, key), at).notifications.map(({ person, minutes }) => `${minutes} ${person}`)),
    ].sort();
};

const listRemarked = ({ draft }: ReturnType<typeof importExport>, kind: string) =>
  draft.remarks.flatMap((remark) => (remark.kind === kind ? [remark.what] : []));

/** Lists items that the report shows both as imported and as left out. */
const listContradictions = (imported: ReturnType<typeof importExport>): string[] => {
  const left = new Set(listRemarked(imported, "left"));
  return listRemarked(imported, "taken").filter((what) => left.has(what));
};

/** Lists items of the export that the report does not mention. */
const listUnreported = (imported: ReturnType<typeof importExport>): string[] => {
  const said = new Set([...listRemarked(imported, "taken"), ...listRemarked(imported, "left")]);
  return imported.draft.found.map(({ what }) => what).filter((what) => !said.has(what));
};

const ALERTS = 50;
/** `npm run test:import` uses 200 accounts and 10,000 alerts. */
const ACCOUNTS = Number(process.env["IMPORTED_ACCOUNTS"] ?? 20);
const calls = { minLength: ALERTS, maxLength: ALERTS };

it.each<[string, fc.Arbitrary<Account>]>([
  ["opsgenie", ofOpsgenie(calls)],
  ["oncall", ofOnCall(calls)],
  ["pagerduty", ofPagerDuty(calls)],
])(
  "imported chains notify the same people as rules of which at most one matches: from the service %s",
  (source, accounts) => {
    let [notified, differing] = [0, 0];
    fc.assert(
      fc.property(accounts, ({ files, calls: sent }) => {
        const [chained, exclusive] = [importExport(source, files, NOW), importExclusive(source, files, NOW)];
        const [ours, theirs] = [createNotifiedReader(chained), createNotifiedReader(exclusive)];
        expect(listContradictions(chained)).toEqual([]);
        expect(listUnreported(chained)).toEqual([]);
        const names = chained.draft.setUp.keys.map(({ name }) => name);
        for (const [index, call] of sent.entries()) {
          const at = NOW + index * 7 * HOUR;
          const made = call(at);
          const [event, key] = [readEvent(made), names[made.key] ?? ""];
          const people = ours(event, key, at);
          notified += people.length;
          differing += chained.draft.setUp.rules.length === exclusive.draft.setUp.rules.length ? 0 : 1;
          expect(people, `${JSON.stringify(event)} by ${key}\n${chained.yaml}`).toEqual(theirs(event, key, at));
        }
      }),
      { numRuns: Math.ceil(ACCOUNTS / 3), seed: 46 },
    );
    expect(notified).toBeGreaterThan(ACCOUNTS);
    expect(differing).toBeGreaterThan(0);
  },
  600_000,
);

const PRIORITIES = ["P1", "P2", "P3", "P4", "P5"];

/** Thirty routing rules like those of a large team: by priority, tag and message, some with alternatives for one field. */
const thirty = Array.from({ length: 30 }, (_, index) => ({
  name: `Rule ${index + 1}`,
  order: index,
  criteria: {
    type: index % 3 === 0 ? "match-any-condition" : "match-all-conditions",
    conditions:
      index % 3 === 0
        ? [0, 1].map((step) => ({
            field: "priority",
            operation: "equals",
            expectedValue: PRIORITIES[(index / 3 + step) % 5],
          }))
        : [
            {
              field: "priority",
              operation: index % 2 === 0 ? "equals" : "less-than",
              expectedValue: PRIORITIES[index % 4],
            },
            { field: "tags", operation: "contains", expectedValue: `tag-${index}`, not: index % 5 === 0 },
            { field: "message", operation: "contains", expectedValue: `service-${index}` },
          ],
  },
  notify: { type: "schedule", id: "s" },
}));

it("30 imported routing rules become 30 rules in one chain in the same order, and the report does not contradict itself", async () => {
  const files = [
    { path: "users.json", text: JSON.stringify([{ id: "u", username: "ann@acme.example" }]) },
    {
      path: "schedules.json",
      text: JSON.stringify([
        {
          id: "s",
          name: "Primary",
          timezone: "UTC",
          rotations: [
            {
              name: "Main",
              startDate: "2026-01-05T09:00:00Z",
              type: "weekly",
              participants: [{ type: "user", id: "u" }],
            },
          ],
        },
      ]),
    },
    {
      path: "teams/checkout.json",
      text: JSON.stringify({ id: "t", name: "Checkout", members: [], routingRules: thirty }),
    },
    {
      path: "integrations.json",
      text: JSON.stringify([{ name: "Shop", type: "API", ownerTeam: { id: "t", name: "Checkout" } }]),
    },
  ];
  const { yaml, draft } = importExport("opsgenie", files, NOW);
  const chain = draft.setUp.rules.filter((rule) => rule.chain === "Checkout");

  expect(chain.map(({ name, position }) => [name, position])).toEqual(
    thirty.map(({ name }, index) => [`Checkout: ${name}`, (index + 1) * 10]),
  );
  const { code, text } = await runOn(new Map([["set-up.yaml", yaml]]), ["test", "set-up.yaml"], {
    ...offline,
    now: () => NOW,
  });
  expect([code, text.split("\n").filter((line) => line.includes("warning"))]).toEqual([0, []]);
});
