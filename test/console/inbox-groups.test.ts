import { expect, it } from "vitest";
import { groupByRule, type OpenEvent } from "../../console/pages/inbox/groups.ts";

const anOpenEvent = (id: string, rule: string | undefined, priority: OpenEvent["priority"] = "LOW"): OpenEvent => ({
  id,
  title: `Title of ${id}`,
  eventKey: `key.${id}`,
  priority,
  at: "2026-11-28T03:00:00.000Z",
  rules: rule === undefined ? [] : [{ id: `rul_${rule}`, name: rule }],
  card: null,
});

it("the inbox groups events by the first rule that they matched, and has separate groups of urgent events at the top", () => {
  const open = [
    anOpenEvent("u", "Flood", "URGENT"),
    anOpenEvent("a", "Flood"),
    anOpenEvent("b", "Disks"),
    anOpenEvent("c", "Flood"),
    anOpenEvent("d", undefined),
  ];

  expect(groupByRule(open).map(({ name, events }) => [name, events.map(({ id }) => id)])).toEqual([
    ["Flood", ["u"]],
    ["Flood", ["a", "c"]],
    ["Disks", ["b"]],
    ["key.d", ["d"]],
  ]);
});
