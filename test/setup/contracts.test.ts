import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runContracts } from "../../setup/contracts.ts";
import { readAlertsFile } from "../../setup/read.ts";
import { writeAlertsFile } from "../../setup/write.ts";
import { runAlerts } from "../../setup/run.ts";
import { offline } from "./offline.ts";

const example = new URL("../../docs/examples/shop.yaml", import.meta.url);
const shop = readFileSync(example, "utf8");
const MONDAY = Date.UTC(2026, 10, 23, 12);

const world = { ...offline, now: () => MONDAY, writeText: () => {} };

const runTest = async (text: string) => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = await runAlerts({ ...world, print, tell: print, readText: () => text }, ["test", "shop.yaml"]);
  return { code, text: lines.join("\n") };
};

describe("the command `alerts test`", () => {
  it("passes for the example of the documentation", async () => {
    expect(await runTest(shop)).toEqual({ code: 0, text: "5 of 5 contracts hold; the setup has 3 rules." });
  });

  it("reports for a broken contract what happened instead, at which line, and because of which condition", async () => {
    const { code, text } = await runTest(shop.replace("greater_than_or_equal", "greater_than"));

    expect(code).toBe(1);
    expect(text).toBe(`shop.yaml:82:5: contract "Large ones wake those who can do something" does not hold
    promised: Payments is notified at once
    happened: no rule matched; nobody was notified
    rule "Large payments" does not match, for Payments
      yes  event key payment.*: the event has payment.failed
      no   data.amount greater_than 1000: the value is 1000
      yes  data.currency one_of ["EUR","CHF"]: the value is "CHF"
4 of 5 contracts hold; the setup has 3 rules.`);
  });

  it("says after how many minutes an escalation step notifies which person on call", async () => {
    const { code, text } = await runTest(shop.replace("within: 15", "within: 14"));

    expect(code).toBe(1);
    expect(text).toContain("promised: carol@shop.example is notified within 14 min");
    expect(text).toContain("happened: after 15 min: carol@shop.example");
    expect(text).not.toContain("promised: bob@shop.example");
  });

  it("names the silence that suppressed an event, and who was notified against the contract", async () => {
    const silenced = shop.replace("told: [Payments]\n    notTold: [Operations, Leads]", "told: nobody");
    const still = shop
      .replace("event: import.late", "event: order.failed")
      .replace("eventKey: import.*", 'eventKey: "*"\n    everything: true');

    expect((await runTest(silenced)).text).toContain('happened: at once: dave@shop.example (rule "Large payments")');
    expect(
      (await runTest(still.replace("told: nobody\n", "told: [Leads]\n").replaceAll("told: nobody", "told: [Leads]")))
        .text,
    ).toContain('happened: the silence "The nightly import" covered the event; nobody was notified');
  });

  // Alice is notified at once, Bob after five minutes, by a step.
  const steps = `groups: [{ name: A, members: [alice@shop.example] }, { name: B, members: [bob@shop.example] }]
policies: [{ name: P, steps: [{ delayMinutes: 5, targets: [{ group: B }] }] }]
rules: [{ name: R, eventKey: "*", groups: [A], requiresAck: true, policy: P }]
contracts:
  - { name: C, at: 2026-11-23T12:00:00Z, event: { event: a.b, title: T, body: B }, PROMISE }
`;
  it.each([
    ["holds if it promises the group that the rule notifies at once", "told: [A]", []],
    ["does not hold if it promises the group of a later step at once", "told: [B]", ["B is notified at once"]],
    [
      "does not hold if it promises to notify within 4 minutes the person of a step after 5 minutes",
      "told: [bob@shop.example], within: 4",
      ["bob@shop.example is notified within 4 min"],
    ],
    [
      "holds if it promises to notify within 5 minutes a group and the person of a step after 5 minutes",
      "told: [A, Bob@shop.example], within: 5",
      [],
    ],
    ["does not hold if it excludes a group that the rule notifies at once", "notTold: [A]", ["A is not notified"]],
    // Without `within`, the person must never be notified, not even by a step.
    ["does not hold if it excludes, without a time, the group of a step", "notTold: [B]", ["B is not notified"]],
    ["holds if it excludes for 4 minutes the group of a step after 5 minutes", "notTold: [B], within: 4", []],
    [
      "does not hold, with one line for each, if it excludes for 5 minutes a group and a person who are notified then",
      "notTold: [B, alice@shop.example], within: 5",
      ["B is not notified within 5 min", "alice@shop.example is not notified within 5 min"],
    ],
    ["does not hold if it promises that nobody is notified", "told: nobody", ["nobody is notified"]],
  ])("reports that a contract %s", async (_, promise, broken) => {
    const { code, text } = await runTest(steps.replace("PROMISE", promise));

    const promised = text.split("\n").flatMap((line) => /^ {4}promised: (.*)$/.exec(line)?.slice(1) ?? []);
    expect([code, promised]).toEqual([broken.length === 0 ? 0 : 1, broken]);
  });

  /** Returns the explanation of a failed contract at Monday noon, without the first line and the count. */
  const explainFailure = async (file: string, contract: string) =>
    (
      await runTest(`groups: [{ name: A, members: [alice@shop.example] }, { name: B, members: [bob@shop.example] }]
${file}contracts: [{ name: C, at: 2026-11-23T12:00:00Z, event: { event: a.b, title: T, body: B }, ${contract} }]
`)
    ).text
      .split("\n")
      .filter((line) => !line.startsWith("shop.yaml"))
      .slice(0, -1)
      .map((line) => line.slice(4));

  it("explains in one line each condition of a rule, its active hours, and which rules come before a fallback", async () => {
    const rules = `rules:
  - { name: Z, eventKey: z.z, groups: [B], enabled: false }
  - name: R
    eventKey: a.*
    groups: [A, B]
    onCallOnly: true
    conditions:
      - { field: data.x, operator: is_empty, not: true }
      - { field: title, operator: equals, value: t, ignoreCase: true }
    activeHours: [{ days: [tue], from: "08:00", to: "09:00" }]
    timeZone: UTC
  - { name: F, eventKey: "*", groups: [B], fallback: true, conditions: [{ field: body, operator: equals, value: x }] }
  - { name: S, eventKey: a.b, groups: [A] }
`;

    expect(await explainFailure(rules, "told: [B]")).toEqual([
      "promised: B is notified at once",
      'happened: at once: alice@shop.example (rule "S")',
      'rule "R" does not match, for A, B (only people on call)',
      "  yes  event key a.*: the event has a.b",
      "  no   not data.x is_empty: the value is null",
      '  yes  title equals "t" (ignoring case): the value is "T"',
      "  no   active hours: the event came at 2026-11-23T12:00:00.000Z",
      'rule "F" does not match, for B',
      "  yes  event key *: the event has a.b",
      '  no   body equals "x": the value is "B"',
      '  no   fallback (only if no other rule matches): rule "S" matched',
      'rule "Z" is disabled, for B',
      "  no   event key z.z: the event has a.b",
    ]);
    expect((await explainFailure(rules.replace(/  - { name: S.*\n/, ""), "told: [B]")).slice(-3)).toEqual([
      "  yes  fallback (only if no other rule matches): no other rule matched",
      'rule "Z" is disabled, for B',
      "  no   event key z.z: the event has a.b",
    ]);
  });

  it("names the earlier rule of a chain that prevents a rule from applying", async () => {
    const rules = `rules:
  - { name: First, eventKey: a.b, groups: [A], chain: c, position: 1 }
  - { name: Second, eventKey: a.b, groups: [B], chain: c, position: 2 }
`;

    expect((await explainFailure(rules, "told: [B]")).slice(2)).toEqual([
      'rule "Second" does not match, for B',
      "  yes  event key a.b: the event has a.b",
      '  no   chain c: an earlier rule of the chain matched, "First"',
    ]);
    expect((await explainFailure(rules, "told: nobody")).slice(-1)).toEqual([
      "  yes  chain c: no earlier rule of the chain matched",
    ]);
  });

  it("shows the first twelve recipients by time, five rules, and how many more there are", async () => {
    const crowd = Array.from({ length: 13 }, (_, index) => `p${index}@shop.example`).join(", ");
    const createRules = (count: number) =>
      Array.from({ length: count }, (_, index) => `  - { name: R${index}, eventKey: z.z, groups: [B] }\n`).join("");
    const steps = `policies: [{ name: P, steps: [{ delayMinutes: 5, targets: [{ user: bob@shop.example }] }, { delayMinutes: 5, targets: [{ group: A }] }] }]
rules:
  - { name: E, eventKey: a.b, groups: [A], requiresAck: true, policy: P }
  - { name: L, eventKey: a.b, groups: [B] }
`;

    const happened = (
      await explainFailure(`rules: [{ name: R, eventKey: a.b, groups: [A] }]\n`.replace("[A]", "[B]"), "told: nobody")
    ).slice(0, 2);
    expect(happened).toEqual(["promised: nobody is notified", 'happened: at once: bob@shop.example (rule "R")']);
    const notified = (
      await runTest(`groups: [{ name: G, members: [${crowd}] }]
rules: [{ name: R, eventKey: a.b, groups: [G] }]
contracts: [{ name: C, at: 2026-11-23T12:00:00Z, event: { event: a.b, title: T, body: B }, told: nobody }]
`)
    ).text.split("\n");
    expect([
      notified.filter((line) => line.includes("happened: at once")).length,
      notified.includes("    happened: and 1 more"),
    ]).toEqual([12, true]);
    const traced = await explainFailure(`rules:\n${createRules(6)}`, "told: [B]");
    expect([traced.filter((line) => line.startsWith("rule ")).length, traced.at(-1)]).toEqual([5, "and 1 more rules"]);
    expect((await explainFailure(`rules:\n${createRules(5)}`, "told: [B]")).at(-1)).toBe(
      "  no   event key z.z: the event has a.b",
    );
    expect((await explainFailure(steps, "told: nobody")).slice(1, 5)).toEqual([
      'happened: at once: alice@shop.example (rule "E")',
      'happened: at once: bob@shop.example (rule "L")',
      'happened: after 5 min: bob@shop.example (rule "E", step 1 of "P")',
      'happened: after 10 min: alice@shop.example (rule "E", step 2 of "P")',
    ]);
  });

  it("explains only rules that could notify the expected people, by a group or by an escalation step", async () => {
    const file = `policies: [{ name: P, steps: [{ delayMinutes: 5, targets: [{ user: bob@shop.example }] }, { delayMinutes: 5, targets: [{ group: A }] }] }]
rules:
  - { name: By group, eventKey: z.z, groups: [A, B] }
  - { name: By step, eventKey: z.z, groups: [A], requiresAck: true, policy: P }
  - { name: Of others, eventKey: z.z, groups: [A] }
`;
    const listExplainedRules = async (contract: string) =>
      (await explainFailure(file, contract)).flatMap((line) => /^rule "(.*?)"/.exec(line)?.slice(1) ?? []);

    expect(await listExplainedRules("told: [bob@shop.example]")).toEqual(["By group", "By step"]);
    expect(await listExplainedRules("told: [A]")).toEqual(["By group", "By step", "Of others"]);
    expect(
      await explainFailure(
        file
          .replaceAll("z.z", "a.b")
          .replaceAll("groups: [A]", "groups: [A], enabled: false")
          .replace("[A, B]", "[B], onCallOnly: true"),
        "told: [B]",
      ),
    ).toContain('happened: "By group" matched; nobody was notified');
  });

  it("warns about settings that are valid but probably not intended", async () => {
    const { code, text } = await runTest(
      shop
        .replace("members: [dave@shop.example, erin@shop.example]", "members: []")
        .replace("participants: [carol@shop.example]", "participants: [dave@shop.example]")
        .replace(/contracts:[^]*/, ""),
    );

    expect(code).toBe(0);
    expect(text).toMatch(/shop\.yaml:14:5: warning: dave@shop\.example has turns but is not in Operations/);
    expect(text).toMatch(/warning: A target group has no members, so nobody is notified through it\. \(Payments\)/);
  });

  it("warns about a rule with a condition on a sender that is not an API key of the file", async () => {
    const file = `groups: [{ name: A, members: [alice@shop.example] }]
keys: [{ name: Checkout }, { name: Search }]
rules:
  - name: Known
    eventKey: "*"
    groups: [A]
    conditions: [{ field: sender, operator: one_of, value: [Checkout, Search] }]
  - name: Negated
    eventKey: "*"
    groups: [A]
    conditions:
      - { field: sender, operator: equals, value: Nobody, not: true }
      - { field: sender, operator: equals, value: Nobody, ignoreCase: true }
      - { field: sender, operator: contains, value: Nobody }
      - { field: title, operator: equals, value: Nobody }
  - name: Mistyped
    eventKey: "*"
    groups: [A]
    conditions: [{ field: sender, operator: equals, value: Chekout }]
  - name: Unknown
    eventKey: "*"
    groups: [A]
    conditions: [{ field: sender, operator: one_of, value: [Checkout, Zzzzzz] }]
`;

    expect((await runTest(file)).text.split("\n")).toEqual([
      'shop.yaml:16:5: warning: The file has no key "Chekout": did you mean Checkout?',
      'shop.yaml:20:5: warning: The file has no key "Zzzzzz".',
      "0 of 0 contracts hold; the setup has 4 rules.",
    ]);
    expect((await runTest(file.replace(/keys: .*\n/, ""))).text).toBe("0 of 0 contracts hold; the setup has 4 rules.");
  });

  it("warns about times without anybody on call, and about a policy that reaches nobody, each at its line", async () => {
    const { text } = await runTest(`groups:
  - { name: A, members: [alice@shop.example] }
  - { name: B, members: [] }
schedules:
  - group: A
    timeZone: UTC
    layers: [{ start: 2026-11-25T09:00, every: 1, unit: week, participants: [alice@shop.example] }]
policies:
  - { name: P, steps: [{ delayMinutes: 5, targets: [{ group: B }] }] }
`);

    expect(text.split("\n").slice(0, 2)).toEqual([
      "shop.yaml:5:5: warning: There is a time in the next weeks when nobody is on call, from 2026-11-23T12:00:00.000Z.",
      expect.stringMatching(/^shop\.yaml:9:5: warning: .* \(B\)$/),
    ]);
  });

  it("gives each of the service's warnings that a rule or schedule in a file can cause", async () => {
    const { text } = await runTest(`groups:
  - { name: A, members: [alice@shop.example, bob@shop.example] }
schedules:
  - group: A
    timeZone: UTC
    layers:
      - { start: 2026-11-02T09:00, every: 1, unit: week, participants: [bob@shop.example] }
      - { start: 2026-11-02T09:00, every: 1, unit: week, participants: [alice@shop.example] }
rules:
  - name: Never
    eventKey: a.b
    groups: [A]
    conditions:
      - { field: data.priority, operator: equals, value: P1 }
      - { field: data.priority, operator: one_of, value: [P4, P5] }
  - { name: Slashes, eventKey: a.b, groups: [A], conditions: [{ field: title, operator: matches_regex, value: /x/ }] }
  - { name: One, eventKey: "*", groups: [A], chain: c, position: 1 }
  - { name: Two, eventKey: a.b, groups: [A], chain: c, position: 1 }
`);

    expect(text.split("\n").slice(0, -1)).toEqual([
      "shop.yaml:4:5: warning: bob@shop.example has turns in A but is never on call from now on: no turn is within the hours of its layer, or a later layer takes precedence.",
      "shop.yaml:10:5: warning: The conditions on data.priority contradict each other, so the rule never matches.",
      "shop.yaml:16:5: warning: The pattern matches only texts that contain its slashes. Did you mean x?",
      'shop.yaml:17:5: warning: Rule "Two" has the same position in the chain "c". The names of the rules decide which rule comes first.',
      'shop.yaml:18:5: warning: Rule "One" has the same position in the chain "c". The names of the rules decide which rule comes first.',
      'shop.yaml:18:5: warning: This rule never applies: the rule "One" comes first in the chain "c" and matches the same events.',
    ]);
  });

  it("reports every fault of a file, and suggests a command instead of an unknown one", async () => {
    const notified: string[] = [];
    const print = () => expect.fail("what is wrong does not belong on standard output");
    const here = { ...world, print, tell: (line: string) => void notified.push(line), readText: () => "rule:\n" };

    expect(await runAlerts(here, ["test", "x.yaml"])).toBe(1);
    expect(await runAlerts(here, ["tset", "x.yaml"])).toBe(2);
    expect(await runAlerts(here, ["plan", "x.yaml", "--prun"]), "2 would say that there is something to change").toBe(
      1,
    );
    expect(notified).toEqual([
      "x.yaml:1:1: rule is not a field that can be set here. Did you mean rules?",
      "There is no command tset: did you mean test? All: alerts --help",
      "There is no option --prun: did you mean --prune?",
    ]);
  });

  it("prints only its outcome as JSON, with warnings on standard error", async () => {
    const [printed, told]: [string[], string[]] = [[], []];
    const here = {
      ...world,
      print: (line: string) => void printed.push(line),
      tell: (line: string) => void told.push(line),
      readText: (path: string) => (path === "-" ? shop.replace("greater_than_or_equal", "greater_than") : undefined),
    };

    expect(await runAlerts(here, ["test", "-", "--json"])).toBe(1);

    expect(JSON.parse(printed.join("\n"))).toMatchObject({
      contracts: 5,
      rules: 3,
      failed: [{ name: "Large ones wake those who can do something" }],
      warnings: told,
    });
  });
});

const measureCpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

it("the command `alerts test` checks 100 contracts of a setup file with 200 rules in about the time that reading the rules takes", () => {
  const { file } = readAlertsFile(shop);
  const rules = Array.from({ length: 200 }, (_, index) => ({ ...file!.rules[index % 3]!, name: `Rule ${index}` }));
  const contracts = Array.from({ length: 100 }, (_, index) => file!.contracts[index % 5]!);
  const text = writeAlertsFile({ ...file!, rules }, { schema: "x" });

  const reading = measureCpuMs(() => readAlertsFile(text));
  const running = measureCpuMs(() => runContracts({ ...file!, rules, contracts }));

  expect(running).toBeLessThan(5 * reading);
});
