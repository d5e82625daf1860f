import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { createRefusal } from "../../console/app/failure.ts";
import { describeBrokenLink, explainTooSoon, listLinks } from "../../console/pages/rule/probe.ts";
import { probeLinks } from "../../core/domain/event/notices.ts";
import { Links } from "../../core/domain/planning/probe.ts";
import { texts as english } from "../../console/texts/en/rules.ts";

const at = "2026-11-30T12:00:00.000Z";
const proven = { at, fault: null };
const waiting = { at: null, fault: null };
const createBrokenStep = (fault: string) => ({ at: null, fault });
const links = { accepted: proven, matched: proven, recipient: waiting, sent: waiting, confirmed: waiting };

describe("the five steps of a probe", () => {
  it("are in the order in which they happen, with their times", () => {
    expect(listLinks(links).map(({ name, at: time }) => [name, time])).toEqual([
      ["Accepted", at],
      ["Matched", at],
      ["Recipient", null],
      ["Accepted by the push service", null],
      ["Confirmed by a device", null],
    ]);
  });

  it("are all the steps that the API returns for a probe", () => {
    const all = v.parse(Links, Object.fromEntries(probeLinks.map((name) => [name, { at: name, fault: null }])));

    expect(listLinks(all).map(({ at: name }) => name)).toEqual(probeLinks);
  });

  it.each([
    ["rule_disabled", "Matched: The rule is disabled. Enable it."],
    [
      "QUOTA_EXCEEDED",
      "Matched: The push service refused the push (QUOTA_EXCEEDED). Ask a recipient to test their devices.",
    ],
  ])("with the fault %s have a sentence that says what failed and what to do", (fault, said) => {
    expect(describeBrokenLink({ ...links, matched: createBrokenStep(fault) })).toBe(said);
  });

  it.each([
    ["while no step has failed", links],
    ["if the rule has no probe", null],
  ])("have no sentence about a failure %s", (_, some) => {
    expect(describeBrokenLink(some)).toBeUndefined();
  });

  it("have a remedy for every fault that the API reference lists", () => {
    const [, section = ""] = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8").split("\n## Probes\n");
    const [probes = ""] = section.split("\n## ");
    const rows = [...probes.matchAll(/^- `\w+`: [^]*?faults: ([^]*?)\.$/gm)];
    const faults = rows.flatMap(([, list = ""]) => [...list.matchAll(/`(\w+)`/g)].map(([, code = ""]) => code));

    expect(rows).toHaveLength(5);
    expect(faults.filter((code) => !(code in english.probeLinks.faults))).toEqual([]);
  });
});

it("if a rule is probed twice within a minute, the console says how long to wait", () => {
  const refused = createRefusal(429, { code: "rate_limited", retryAfter: 42 });

  expect(explainTooSoon(refused)).toBe("A rule can be probed once a minute. Try again in 42 s.");
  expect(() => explainTooSoon(createRefusal(404))).toThrow("refused");
});
