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

/** What `test` prints for a text, and its exit code. */
const test = async (text: string) => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = await runAlerts({ ...world, print, tell: print, readText: () => text }, ["test", "shop.yaml"]);
  return { code, text: lines.join("\n") };
};

describe("alerts test", () => {
  it("passes the example of the documentation", async () => {
    expect(await test(shop)).toEqual({ code: 0, text: "5 of 5 contracts hold; 3 rules." });
  });

  it("tells of a broken promise what happened instead, where, and by which condition", async () => {
    const { code, text } = await test(shop.replace("greater_than_or_equal", "greater_than"));

    expect(code).toBe(1);
    expect(text).toBe(`shop.yaml:82:5: "Large ones wake those who can do something" does not hold
    promised: Payments is told at once
    happened: no rule matched; nobody was told
    rule "Large payments" does not match, and tells Payments
      yes  event key payment.*: it is payment.failed
      no   data.amount greater_than 1000: it is 1000
      yes  data.currency one_of ["EUR","CHF"]: it is "CHF"
4 of 5 contracts hold; 3 rules.`);
  });

  it("counts the minutes of the escalation, and asks who is on call at its time", async () => {
    const { code, text } = await test(shop.replace("within: 15", "within: 14"));

    expect(code).toBe(1);
    expect(text).toContain("promised: carol@shop.example is told within 14 min");
    expect(text).toContain("happened: after 15 min: carol@shop.example");
    expect(text).not.toContain("promised: bob@shop.example");
  });

  it("names the silence that kept an event still, and who was told where nobody was to be", async () => {
    const silenced = shop.replace("told: [Payments]\n    notTold: [Operations, Leads]", "told: nobody");
    const still = shop
      .replace("event: import.late", "event: order.failed")
      .replace("eventKey: import.*", 'eventKey: "*"');

    expect((await test(silenced)).text).toContain('happened: at once: dave@shop.example (rule "Large payments")');
    expect(
      (await test(still.replace("told: nobody\n", "told: [Leads]\n").replaceAll("told: nobody", "told: [Leads]"))).text,
    ).toContain('happened: the silence "The nightly import" kept it still; nobody was told');
  });

  // Alice is told at once, Bob after five minutes, by a step.
  const steps = `groups: [{ name: A, members: [alice@shop.example] }, { name: B, members: [bob@shop.example] }]
policies: [{ name: P, steps: [{ delayMinutes: 5, targets: [{ group: B }] }] }]
rules: [{ name: R, eventKey: "*", groups: [A], requiresAck: true, policy: P }]
contracts:
  - { name: C, at: 2026-11-23T12:00:00Z, event: { event: a.b, title: T, body: B }, PROMISE }
`;
  it.each([
    ["told: [A]", []],
    ["told: [B]", ["B is told at once"]],
    ["told: [bob@shop.example], within: 4", ["bob@shop.example is told within 4 min"]],
    ["told: [A, Bob@shop.example], within: 5", []],
    ["notTold: [A]", ["A is not told"]],
    // Without `within` for never: not by a step, either.
    ["notTold: [B]", ["B is not told"]],
    ["notTold: [B], within: 4", []],
    [
      "notTold: [B, alice@shop.example], within: 5",
      ["B is not told within 5 min", "alice@shop.example is not told within 5 min"],
    ],
    ["told: nobody", ["nobody is told"]],
  ])("holds that %s, or says what was promised: %j", async (promise, broken) => {
    const { code, text } = await test(steps.replace("PROMISE", promise));

    const promised = text.split("\n").flatMap((line) => /^ {4}promised: (.*)$/.exec(line)?.slice(1) ?? []);
    expect([code, promised]).toEqual([broken.length === 0 ? 0 : 1, broken]);
  });

  it("warns of what is right and will hardly do what is wanted", async () => {
    const { code, text } = await test(
      shop
        .replace("members: [dave@shop.example, erin@shop.example]", "members: []")
        .replace("participants: [carol@shop.example]", "participants: [dave@shop.example]")
        .replace(/contracts:[^]*/, ""),
    );

    expect(code).toBe(0);
    expect(text).toMatch(/shop\.yaml:14:5: warning: dave@shop\.example takes turns and is not in Operations/);
    expect(text).toMatch(/warning: A target group has no members: nobody in it is told\. \(Payments\)/);
  });

  it("warns of a rule that waits for a sender of whom the file has no key", async () => {
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
    conditions: [{ field: sender, operator: equals, value: Nobody, not: true }]
  - name: Mistyped
    eventKey: "*"
    groups: [A]
    conditions: [{ field: sender, operator: equals, value: Chekout }]
`;

    expect((await test(file)).text.split("\n")).toEqual([
      'shop.yaml:12:5: warning: The file has no key "Chekout": did you mean Checkout?',
      "0 of 0 contracts hold; 3 rules.",
    ]);
    expect((await test(file.replace(/keys: .*\n/, ""))).text).toBe("0 of 0 contracts hold; 3 rules.");
  });

  it("tells every fault of a file, and an unknown command", async () => {
    const told: string[] = [];
    const print = () => expect.fail("what is wrong does not belong on standard output");
    const here = { ...world, print, tell: (line: string) => void told.push(line), readText: () => "rule:\n" };

    expect(await runAlerts(here, ["test", "x.yaml"])).toBe(1);
    expect(await runAlerts(here, ["tset", "x.yaml"])).toBe(2);
    expect(await runAlerts(here, ["plan", "x.yaml", "--prun"]), "2 would say that there is something to change").toBe(
      1,
    );
    expect(told).toEqual([
      "x.yaml:1:1: rule is not a field that can be set here. Did you mean rules?",
      "There is no command tset: did you mean test? All: alerts --help",
      "There is no option --prun: did you mean --prune?",
    ]);
  });

  it("prints its outcome as JSON alone, with warnings on standard error", async () => {
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

const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

it("runs 100 contracts on 200 rules in the order of time that reading the rules takes", () => {
  const { file } = readAlertsFile(shop);
  const rules = Array.from({ length: 200 }, (_, index) => ({ ...file!.rules[index % 3]!, name: `Rule ${index}` }));
  const contracts = Array.from({ length: 100 }, (_, index) => file!.contracts[index % 5]!);
  const text = writeAlertsFile({ ...file!, rules }, { schema: "x" });

  const reading = cpuMs(() => readAlertsFile(text));
  const running = cpuMs(() => runContracts({ ...file!, rules, contracts }));

  expect(running).toBeLessThan(5 * reading);
});
