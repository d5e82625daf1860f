import { describe, expect, it } from "vitest";
import { readAlertsFile } from "../../setup/read.ts";
import { describeNotified, type Sample } from "../../setup/notified.ts";
import { aWorkspace } from "./fake-workspace.ts";

const NOW = Date.UTC(2026, 10, 23, 12);

/** Alice and Bob are in group A, and Carol is in group B. */
const readSetUp = (rules: string, otherYaml = "") =>
  readAlertsFile(`groups:
  - { name: A, members: [bob@x.example, alice@x.example] }
  - { name: B, members: [carol@x.example] }
policies: [{ name: P, steps: [{ delayMinutes: 5, targets: [{ group: B }] }] }]
rules: [${rules}]
${otherYaml}`).file!;
const createSample = (eventKey: string): Sample => ({
  event: { eventKey, title: "T", body: "B", priority: "NORMAL" },
  at: NOW,
});
const R = '{ name: R, eventKey: "a.*", groups: [A]';
const TRIED = "tried events (the latest stored events and the events of the contracts)";

describe("a plan's report of changes in who is notified", () => {
  const describeChange = (before: string, after: string, ...keys: string[]) =>
    describeNotified(readSetUp(before), readSetUp(after), keys.map(createSample), NOW);

  it.each([
    ["a rule that is new", "", `${R} }`, ['rule "R" can notify +alice@x.example +bob@x.example']],
    ["a rule that is removed", `${R} }`, "", ['rule "R" can notify -alice@x.example -bob@x.example']],
    ["a rule that stays", `${R} }`, `${R} }`, []],
    [
      "a rule that is disabled",
      `${R} }`,
      `${R}, enabled: false }`,
      ['rule "R" can notify -alice@x.example -bob@x.example'],
    ],
    [
      "a policy that is added to a rule",
      `${R} }`,
      `${R}, requiresAck: true, policy: P }`,
      ['rule "R" can notify +carol@x.example'],
    ],
    ["a policy of a rule that requires no acknowledgement", `${R} }`, `${R}, requiresAck: false, policy: P }`, []],
    [
      "a rule that gets other groups",
      `${R} }`,
      '{ name: R, eventKey: "a.*", groups: [B] }',
      ['rule "R" can notify +carol@x.example -alice@x.example -bob@x.example'],
    ],
  ])(
    "names the people whom a changed rule notifies in addition (+) or no longer (-): %s",
    (_, before, after, lines) => {
      expect(describeChange(before, after)).toEqual(lines);
    },
  );

  it("counts notifications by person and event key, including those by escalation steps", () => {
    expect(
      describeChange(
        `${R} }`,
        '{ name: R, eventKey: "a.*", groups: [B] }, { name: S, eventKey: "b.*", groups: [B], requiresAck: true, policy: P }',
        "b.y",
        "a.x",
        "b.x",
        "a.x",
        "c.x",
      ),
    ).toEqual([
      'rule "R" can notify +carol@x.example -alice@x.example -bob@x.example',
      'rule "S" can notify +carol@x.example',
      `Of 5 ${TRIED}:`,
      "    carol@x.example gets 4 more: a.x 2, b.x 1, b.y 1",
      "    alice@x.example gets 2 fewer: a.x 2",
      "    bob@x.example gets 2 fewer: a.x 2",
    ]);
    expect(describeChange(`${R} }`, `${R}, requiresAck: true, policy: P }`, "a.x").slice(1)).toEqual([
      `Of 1 ${TRIED}:`,
      "    carol@x.example gets 1 more: a.x 1",
    ]);
  });

  it("says that each sample event notifies the same people as before", () => {
    expect(describeChange(`${R} }`, `${R} }`, "a.x")).toEqual([
      `Of 1 ${TRIED}, each notifies the same people as before.`,
    ]);
  });

  it("shows forty rules and forty people at most, and how many more there are", () => {
    const createRules = (count: number) =>
      Array.from({ length: count }, (_, index) => `{ name: R${index}, eventKey: x.y, groups: [B] }`).join(", ");

    expect(describeChange("", createRules(40))).toHaveLength(40);
    const lines = describeChange("", createRules(42));
    expect([lines.length, lines.at(-2), lines.at(-1)]).toEqual([
      41,
      'rule "R39" can notify +carol@x.example',
      "and 2 more rules",
    ]);
    const createCrowd = (count: number) =>
      readAlertsFile(
        `groups: [{ name: G, members: [${Array.from({ length: count }, (_, index) => `p${index}@x.example`).join(", ")}] }]\nrules: [{ name: R, eventKey: x.y, groups: [G] }]\n`,
      ).file!;
    expect(describeNotified(createCrowd(0), createCrowd(41), [createSample("x.y")], NOW).slice(-2)).toEqual([
      "    p8@x.example gets 1 more: x.y 1",
      "and 1 more people",
    ]);
  });
});

describe("the sample events of a plan", () => {
  const createStoredEvent = (id: string, fields: object) => ({
    id,
    eventKey: "order.failed",
    title: "T",
    body: "B",
    priority: "NORMAL",
    receivedAt: "2026-11-23T11:00:00.000Z",
    state: "open",
    groupedInto: null,
    _count: { notifications: 0 },
    requiresAck: null,
    sender: null,
    data: null,
    ...fields,
  });
  const planWithEvents = async (args: string, ...events: object[]) => {
    const workspace = aWorkspace("alice@a.example");
    workspace.events.push(...(events as Record<string, unknown>[]));
    workspace.files.set(
      "f.yaml",
      `groups: [{ name: A, members: [alice@a.example] }]
keys: [{ name: Shop }]
rules:
  - name: R
    eventKey: order.*
    groups: [A]
    conditions:
      - { field: data.total, operator: greater_than, value: 5 }
      - { field: sender, operator: equals, value: Shop }
    activeHours: [{ days: [mon], from: "11:00", to: "12:00" }]
    timeZone: UTC
contracts:
  - { name: C, at: 2026-11-23T11:30:00Z, event: { event: order.lost, title: T, body: B, data: { total: 6 } }, sender: Shop, told: [A] }
`,
    );
    const { code, text } = await workspace.run(`plan f.yaml${args}`);
    const asked = workspace.requests.flatMap(({ path }) => (path.startsWith("/events") ? [path] : []));
    return { code, lines: text.split("\n").slice(4), asked };
  };

  it("are the latest stored events, with their data and times, and the events of the contracts", async () => {
    const large = { data: { total: 9 }, requiresAck: true, sender: { id: "key_1", name: "Shop" } };
    expect(
      await planWithEvents(
        "",
        createStoredEvent("e1", large),
        createStoredEvent("e2", {}),
        createStoredEvent("e3", { ...large, sender: { id: "key_2", name: "Search" } }),
        createStoredEvent("e4", { ...large, receivedAt: "2026-11-23T12:00:00.000Z" }),
      ),
    ).toEqual({
      code: 2,
      lines: [
        'rule "R" can notify +alice@a.example',
        `Of 5 ${TRIED}:`,
        "    alice@a.example gets 2 more: order.failed 1, order.lost 1",
      ],
      asked: ["/events", "/events/e1", "/events/e2", "/events/e3", "/events/e4"],
    });
  });

  it("are as many as requested, without deleted events", async () => {
    const { lines, asked } = await planWithEvents(
      " --events 1",
      createStoredEvent("e1", {}),
      createStoredEvent("e2", {}),
    );
    expect([lines[1], asked]).toEqual([`Of 2 ${TRIED}:`, ["/events", "/events/e1"]]);
    expect((await planWithEvents(" --events 0", createStoredEvent("e1", {}))).asked).toEqual([]);
    for (const events of ["-1", "101", "1.5", "x"])
      expect(await planWithEvents(` --events ${events}`)).toMatchObject({ code: 1 });
  });
});
