import { describe, expect, it } from "vitest";
import type { Priority } from "../../../../core/domain/basics/priority.ts";
import type { PlannedRule } from "../../../../core/domain/delivery/delivery-plan.ts";
import type { PlannedDelivery } from "../../../../core/domain/planning/planned-delivery.ts";
import {
  createPageLimitSimulator,
  makeRecipientsQuiet,
  makeRecipientsOfRulesQuiet,
  decidePageSound,
  listPagedUsers,
  type CountedPage,
} from "../../../../core/domain/planning/page-limit.ts";
import type { Recipient } from "../../../../core/domain/people/recipient.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 21, 12);

const step = (by: string, minute: number, priority: Priority = "NORMAL"): CountedPage => ({
  by,
  at: NOON + minute * MINUTE,
  priority,
});
const to = (userId: string, fields: Partial<Recipient> = {}): Recipient => ({
  userId,
  reason: { groupId: "grp_ops" },
  ...fields,
});
const aRule = (priority: Priority, ...recipients: Recipient[]): PlannedRule => ({
  rule: { id: "rule_1", version: 1, name: "Disk" },
  requiresAck: false,
  priority,
  priorityFrom: "event",
  recipients,
});

describe("one more page of a person, with a page limit of two in ten minutes,", () => {
  it.each<[string, CountedPage[], CountedPage[], CountedPage, "rings" | "counts" | "quiet"]>([
    ["is loud if it is the first", [], [], step("9", 9), "counts"],
    ["is loud if it is the second", [step("1", 1)], [], step("9", 9), "counts"],
    ["is silent if it is the third", [step("1", 1), step("2", 2)], [], step("9", 9), "quiet"],
    ["is loud again if it was counted before", [step("9", 1), step("2", 2)], [], step("9", 9), "rings"],
    ["is loud and counted if one other page was counted", [step("1", 1)], [], step("2", 2), "counts"],
    ["is silent because of a page that is not counted yet", [step("1", 1)], [step("2", 2)], step("9", 9), "quiet"],
    ["is loud if one of the two pages is ten minutes old", [step("1", -1), step("2", 2)], [], step("9", 9), "counts"],
    ["is silent if both are less than ten minutes old", [step("1", -0.9), step("2", 2)], [], step("9", 9), "quiet"],
    ["is loud if the uncounted page is ten minutes old", [step("1", 1)], [step("2", -1)], step("9", 9), "counts"],
    [
      "is loud if its priority is higher than that of all other pages",
      [step("1", 1), step("2", 2)],
      [],
      step("9", 9, "HIGH"),
      "counts",
    ],
    [
      "is silent if another page has the same priority",
      [step("1", 1), step("2", 2, "HIGH")],
      [],
      step("9", 9, "HIGH"),
      "quiet",
    ],
    [
      "is silent if another page has a higher priority",
      [step("1", 1, "URGENT"), step("2", 2)],
      [],
      step("9", 9, "HIGH"),
      "quiet",
    ],
  ])("is loud or silent because of the earlier pages: it %s", (_how, counted, uncounted, one, kind) => {
    expect(decidePageSound(counted, uncounted, one, 2).kind).toBe(kind);
  });

  it("is counted with the pages of the last ten minutes", () => {
    expect(decidePageSound([step("1", -1), step("2", 2)], [], step("9", 9), 2)).toEqual({
      kind: "counts",
      rung: [step("2", 2), step("9", 9)],
    });
  });
});

it("page counts use the highest priority of each person's rules, and leave out LOW and silent notifications", () => {
  const rules = [
    aRule("LOW", to("usr_ann"), to("usr_dan")),
    aRule("HIGH", to("usr_ann"), to("usr_bob", { quiet: "acknowledged" })),
    aRule("NORMAL", to("usr_ann"), to("usr_cat")),
    aRule("NORMAL", to("usr_cat")),
  ];

  expect([...listPagedUsers(rules)]).toEqual([
    ["usr_ann", "HIGH"],
    ["usr_cat", "NORMAL"],
  ]);
});

it("a recipient who is notified silently for a second reason keeps the first reason", () => {
  const recipients = [to("usr_ann"), to("usr_bob"), to("usr_cat", { quiet: "acknowledged" })];
  const silent = [to("usr_ann", { quiet: "too_many" }), to("usr_bob"), to("usr_cat", { quiet: "acknowledged" })];
  const users = new Set(["usr_ann", "usr_cat"]);

  expect(makeRecipientsQuiet(recipients, users, "too_many")).toEqual(silent);
  expect(
    makeRecipientsOfRulesQuiet([aRule("HIGH", ...recipients), aRule("LOW", ...recipients)], users, "too_many"),
  ).toEqual([aRule("HIGH", ...silent), aRule("LOW", ...recipients)]);
});

describe("the page limit of each person over a sequence of events", () => {
  const aDelivery = (minute: number, rules: readonly PlannedRule[], fields: object = {}): PlannedDelivery => ({
    plan: { at: NOON + minute * MINUTE, rulesVersion: 1, peopleVersion: 1, rules: [...rules], ...fields },
    called: 1,
    needsAck: false,
    overBudget: [],
    gates: [],
  });
  const AFTERWARDS = " after a silence";
  /** Takes events as "number minute recipients". Returns each event's recipients, silently notified recipients in brackets. */
  const listPaged = (limit: number | null, events: readonly string[]): string[] => {
    const pass = createPageLimitSimulator(limit);
    return events.map((event) => {
      const fields = event.endsWith(AFTERWARDS) ? { after: { id: "sil_1", name: "Night" } } : {};
      const [seq, minute, ...userIds] = event.replace(AFTERWARDS, "").split(" ");
      const at = Number(minute);
      const rule = aRule("NORMAL", ...userIds.map((name) => to(name)));
      const { plan } = pass({ seq: Number(seq), receivedAt: NOON + at * MINUTE }, aDelivery(at, [rule], fields));
      return plan.rules[0]!.recipients.map(({ userId, quiet }) => (quiet === "too_many" ? `(${userId})` : userId)).join(
        " ",
      );
    });
  };

  it.each<[string, number | null, string[], string[]]>([
    [
      "makes no page silent if no limit is set",
      null,
      ["1 0 ann", "2 0 ann", "3 0 ann", "4 0 ann"],
      ["ann", "ann", "ann", "ann"],
    ],
    [
      "allows as many loud pages as the limit",
      3,
      ["1 0 ann", "2 0 ann", "3 0 ann", "4 0 ann", "5 0 ann"],
      ["ann", "ann", "ann", "(ann)", "(ann)"],
    ],
    [
      "counts each person separately",
      2,
      ["1 0 ann", "2 1 ann", "3 2 ann bob", "4 3 bob cat", "5 4 bob cat"],
      ["ann", "ann", "(ann) bob", "bob cat", "(bob) cat"],
    ],
    [
      "does not count an event that notifies nobody",
      2,
      ["1 0", "2 1 ann", "3 2 ann", "4 3 ann"],
      ["", "ann", "ann", "(ann)"],
    ],
    [
      "counts an unused event number as a page for everybody",
      4,
      ["1 0 ann", "3 1 ann", "4 2 ann", "5 3 ann"],
      ["ann", "ann", "ann", "(ann)"],
    ],
    [
      "allows pages again after ten minutes",
      2,
      ["1 0 ann", "2 1 ann", "3 2 ann", "4 10.5 ann", "5 10.6 ann", "6 30 ann", "7 30 ann", "8 30 ann"],
      ["ann", "ann", "(ann)", "ann", "(ann)", "ann", "ann", "(ann)"],
    ],
    [
      "gives the same result for an event that is processed again",
      2,
      ["1 0 ann", "2 1 ann", "3 2 ann", "2 1 ann", "1 0 ann"],
      ["ann", "ann", "(ann)", "ann", "ann"],
    ],
    [
      "counts a later notification among the pages shortly before it",
      2,
      ["1 0 ann", "2 1 bob", "3 12 ann", "4 12.1 ann", "2 12.2 ann bob after a silence"],
      ["ann", "bob", "ann", "ann", "(ann) bob"],
    ],
  ])("%s", (_how, limit, events, expected) => {
    expect(listPaged(limit, events)).toEqual(expected);
  });
});
