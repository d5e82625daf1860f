import { expect, it } from "vitest";
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

it("an added recipient gets the priority of the first rule that requires acknowledgement, or else the event's settings", () => {
  const quiet = { priority: "LOW", requiresAck: false } as const;
  const asking = { priority: "HIGH", requiresAck: true } as const;
  const louder = { priority: "URGENT", requiresAck: true } as const;

  expect(chooseUrgencyOfAddition([quiet, asking, louder], { priority: "NORMAL" })).toEqual(asking);
  expect(chooseUrgencyOfAddition([quiet], { priority: "NORMAL" })).toEqual({ priority: "NORMAL", requiresAck: false });
});
