import { expect, it } from "vitest";
import type { Priority } from "../../../../core/domain/basics/priority.ts";
import { toAddedRule, chooseUrgencyOfAddition } from "../../../../core/domain/event/added-rule.ts";

const by = { id: "usr_bob", name: "Bob" };

it("people who are added to an event are planned as recipients under the rule for the service's own notices", () => {
  expect(toAddedRule({ once: "o", priority: "HIGH", requiresAck: true, because: "told", by })).toStrictEqual({
    rule: { id: "service", version: 0, name: "The service's own notices" },
    requiresAck: true,
    priority: "HIGH",
    priorityFrom: "event",
    recipients: [],
    added: { because: "told", by },
  });
});

it("people added to an event get the priority of the first rule that requires acknowledgement, or else of the event", () => {
  const aRule = (priority: Priority, requiresAck: boolean, priorityFrom: "event" | "rule" = "event") =>
    ({ priority, requiresAck, priorityFrom }) as const;
  const [quiet, fixed] = [aRule("LOW", false), aRule("LOW", true, "rule")];
  const event = { content: { priority: "NORMAL" } } as const;
  const raised = {
    ...event,
    repeats: { count: 1, at: 0, by: "", asked: 0, raised: [{ at: 0, priority: "URGENT" as const }] },
  };
  const choose = (...args: Parameters<typeof chooseUrgencyOfAddition>) => {
    const { priority, requiresAck } = chooseUrgencyOfAddition(...args);
    return `${priority}${requiresAck ? ", to acknowledge" : ""}`;
  };

  expect(choose([quiet, aRule("HIGH", true), fixed], event)).toBe("HIGH, to acknowledge");
  expect(choose([quiet, aRule("HIGH", true), fixed], raised)).toBe("URGENT, to acknowledge");
  expect(choose([fixed], raised)).toBe("LOW, to acknowledge");
  expect([choose([quiet], event), choose([quiet], raised)]).toEqual(["NORMAL", "URGENT"]);
});
