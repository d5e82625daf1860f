import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runContracts } from "../../../scripts/alerts/contracts.ts";
import { readAlertsFile } from "../../../scripts/alerts/read.ts";
import { writeAlertsFile } from "../../../scripts/alerts/write.ts";
import { runAlerts } from "../../../scripts/alerts/run.ts";
import { offline } from "./offline.ts";

const example = new URL("../../../docs/examples/shop.yaml", import.meta.url);
const shop = readFileSync(example, "utf8");
const MONDAY = Date.UTC(2026, 10, 23, 12);

const world = { ...offline, now: () => MONDAY, writeText: () => {} };

/** What `test` prints for a text, and its exit code. */
const test = async (text: string) => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = await runAlerts({ ...world, print, readText: () => text }, ["test", "shop.yaml"]);
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

  it("takes `notTold` without `within` for never", async () => {
    const never = shop.replace(
      "notTold: [alice@shop.example, bob@shop.example]",
      "notTold: [alice@shop.example, Leads]",
    );

    expect((await test(never)).text).toContain("promised: Leads is not told");
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

  it("tells every fault of a file, and an unknown command", async () => {
    const lines: string[] = [];
    const here = { ...world, print: (line: string) => void lines.push(line), readText: () => "rule:\n" };

    expect(await runAlerts(here, ["test", "x.yaml"])).toBe(1);
    expect(await runAlerts(here, ["tset", "x.yaml"])).toBe(1);
    expect(lines).toEqual([
      "x.yaml:1:1: rule is not a field that can be set here. Did you mean rules?",
      "There is no command tset. Did you mean test?",
    ]);
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
