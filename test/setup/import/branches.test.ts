import { describe, expect, it } from "vitest";
import { createDraft } from "../../../setup/import/draft.ts";
import { ALWAYS_HOLDS, type Formula } from "../../../setup/import/formula.ts";
import { createDailyHours } from "../../../setup/import/hours.ts";
import {
  addBranches,
  containsListedName,
  createSenderFormula,
  type Branch,
  type ReachingEvents,
} from "../../../setup/import/rules.ts";

const createCondition = (field: string, operator: string, value: string): Formula => ({
  is: { field, operator, value },
});
const recipients = { groups: ["G"], onCallOnly: false, policy: null };
const branch = (name: string, when: Formula | undefined, fields: Partial<Branch> = {}): Branch => ({
  what: `Route ${name}`,
  name,
  when,
  recipients,
  ...fields,
});
const createReach = (...keys: string[]): ReachingEvents => ({ eventKey: "a.firing", when: createSenderFormula(keys) });
const addAndList = (branches: readonly Branch[], reach: readonly ReachingEvents[] = [createReach("K")]) => {
  const draft = createDraft();
  addBranches(draft, "Chain", reach, branches);
  return {
    rules: draft.setUp.rules,
    names: draft.setUp.rules.map(({ name }) => name),
    remarks: draft.remarks.map(({ kind, what, why }) => `${kind}: ${what}: ${why}`),
  };
};
const sender = { field: "sender", operator: "equals", value: "K" };
const TITLE = createCondition("title", "equals", "x");
const createAny = (prefix: string, count: number): Formula => ({
  any: Array.from({ length: count }, (_, index) => createCondition(`data.${prefix}${index}`, "contains", "x")),
});
/** A formula that would need 72 rules. */
const WIDE: Formula = { all: [createAny("f", 8), createAny("g", 9)] };
const UNSAID = "The conditions of a rule cannot express this condition:";

describe("a branch of imported routing", () => {
  it("becomes a rule with the branch's conditions, hours and priority, which requires an acknowledgement", () => {
    const hours: Formula = { within: { spans: createDailyHours([0], 540, 60), timeZone: "Europe/Berlin" } };
    const { rules, remarks } = addAndList([
      branch("One", { all: [TITLE, hours] }, { enabled: false, priorityOverride: "HIGH" }),
    ]);

    expect(rules).toEqual([
      {
        name: "One",
        eventKey: "a.firing",
        enabled: false,
        conditions: [sender, { field: "title", operator: "equals", value: "x" }],
        conditionMatch: "all",
        priorityOverride: "HIGH",
        activeHours: [{ days: ["mon"], from: "09:00", to: "10:00" }],
        timeZone: "Europe/Berlin",
        requiresAck: true,
        fallback: false,
        groupBy: null,
        groupMinutes: null,
        atLeast: null,
        chain: null,
        position: null,
        ...recipients,
      },
    ]);
    expect(remarks).toEqual(["taken: Route One: rule One"]);
    expect(addAndList([branch("Two", ALWAYS_HOLDS)]).rules[0]).toMatchObject({
      enabled: true,
      priorityOverride: null,
      activeHours: null,
      timeZone: null,
    });
  });

  it("becomes one rule for each alternative of its condition and for each API key whose events reach it", () => {
    const either: Formula = { any: [TITLE, createCondition("body", "contains", "y")] };

    expect(addAndList([branch("One", either)])).toMatchObject({
      names: ["One, 1 of 2", "One, 2 of 2"],
      remarks: ["taken: Route One: rules One, 1 of 2; One, 2 of 2"],
    });
    expect(addAndList([branch("One", TITLE)], [createReach("K"), createReach("L")]).names).toEqual([
      "One, 1 of 2",
      "One, 2 of 2",
    ]);
  });

  it("becomes a rule without active hours if its hours cover the whole week", () => {
    const always: Formula = { within: { spans: createDailyHours([0, 1, 2, 3, 4, 5, 6], 0, 1_440), timeZone: "UTC" } };

    expect(addAndList([branch("One", always)]).rules[0]).toMatchObject({ activeHours: null, timeZone: null });
  });

  it("becomes no rule if no sender reaches it, or if an earlier branch always matches first", () => {
    expect(addAndList([branch("One", TITLE)], [])).toMatchObject({
      names: [],
      remarks: ["left: Route One: No sender in the export sends alerts that this rule could match."],
    });
  });

  const createSpans = (count: number) =>
    Array.from({ length: count }, (_, index) => createDailyHours([0], index * 120, 60 + index)).flat();
  it.each<[string, Formula | undefined, string]>([
    ["based on conditions that the import cannot read", undefined, UNSAID],
    ["based on an invalid pattern", createCondition("title", "matches_regex", "("), `${UNSAID} `],
    [
      "limited to eleven ranges of active hours",
      { within: { spans: createSpans(11), timeZone: "UTC" } },
      `${UNSAID} The active hours of the rule need more than 10 time ranges.`,
    ],
    ["a choice of too many alternatives", WIDE, `${UNSAID} it would need too many rules.`],
  ])("that is %s is left out, and blocks no later branch", (_, when, why) => {
    const { names, remarks } = addAndList([branch("One", when), branch("Two", TITLE)]);

    expect(names).toEqual(["Two"]);
    expect(remarks).toEqual([expect.stringContaining(`left: Route One: ${why}`), "taken: Route Two: rule Two"]);
    if (when === undefined)
      expect(remarks[0]).toBe(`left: Route One: ${UNSAID} it uses fields that the sending tools do not send.`);
  });

  it("may have up to ten ranges of active hours", () => {
    expect(
      addAndList([branch("One", { within: { spans: createSpans(10), timeZone: "UTC" } })]).rules[0]?.activeHours,
    ).toHaveLength(10);
  });

  it("becomes a rule at its position in the chain, without the conditions of earlier branches", () => {
    const { rules, remarks } = addAndList([
      branch("One", { all: [TITLE, createCondition("body", "contains", "y")] }),
      branch("Two", createCondition("body", "contains", "z"), { recipients: undefined }),
      branch("Three", ALWAYS_HOLDS),
    ]);

    expect(
      rules.map(({ name, chain, position, groups, conditions }) => [name, chain, position, groups, conditions.length]),
    ).toEqual([
      ["One", "Chain", 10, ["G"], 3],
      ["Two", "Chain", 20, ["Nobody"], 2],
      ["Three", "Chain", 30, ["G"], 1],
    ]);
    expect(remarks).toEqual([
      "taken: Route One: rule One",
      "taken: Route Two: rule Two, notifying nobody",
      "taken: Route Three: rule Three",
    ]);
  });

  it("that no event can match is left out, and blocks no later branch", () => {
    const never = {
      all: [createCondition("data.priority", "equals", "P1"), createCondition("data.priority", "equals", "P4")],
    };

    expect(addAndList([branch("One", never), branch("Two", TITLE)])).toMatchObject({
      names: ["Two"],
      remarks: ["left: Route One: No event can meet the conditions.", "taken: Route Two: rule Two"],
    });
    // A route is imported if an event can match one of its alternatives.
    expect(
      addAndList([branch("One", { any: [never, TITLE] })]).rules.map(({ conditions }) => conditions.length),
    ).toEqual([2]);
  });

  it("becomes a rule in a separate chain for each API key; branches without recipients share one empty group", () => {
    const draft = createDraft();
    const none = { recipients: undefined };
    const some = [branch("One", TITLE, none), branch("Two", ALWAYS_HOLDS, none)];
    for (const key of ["K", "L"]) addBranches(draft, "Chain", [createReach(key)], some);

    expect(draft.setUp.rules.map(({ chain }) => chain)).toEqual(["Chain", "Chain", "Chain (2)", "Chain (2)"]);
    expect(draft.setUp.groups).toEqual([{ name: "Nobody", members: [] }]);
  });

  it("is never reached if it comes after a branch that matches everything", () => {
    expect(addAndList([branch("One", ALWAYS_HOLDS), branch("Two", TITLE)]).remarks).toEqual([
      "left: Route Two: An earlier rule always matches first.",
      "taken: Route One: rule One",
    ]);
  });
});

it("in a list of names that is stored as one text, an imported rule matches only a whole name, whatever characters the name has", () => {
  const { value } = containsListedName("data.tags", ["a.b", "[c]", "d"]);
  const find = new RegExp(String(value));

  expect(["a.b", "x, a.b", "a.b, x", "x, [c], y", "d"].filter((text) => !find.test(text))).toEqual([]);
  expect(["aXb", "a.bc", "xa.b", "c", "dd", "x,d"].filter((text) => find.test(text))).toEqual([]);
});
