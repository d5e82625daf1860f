import { describe, expect, it } from "vitest";
import {
  raiseRulePriority,
  endsEvent,
  getCurrentPriority,
  acceptsRepeats,
  addRepeat,
} from "../../../../core/domain/event/alert.ts";
import type { Repeats } from "../../../../core/domain/event/repeats.ts";
import { toClaimName } from "../../../../core/domain/event/event.ts";
import type { Lifecycle } from "../../../../core/domain/event/lifecycle.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const content = { eventKey: "tool.firing", title: "Disk", body: "Full", priority: "NORMAL" as const };
const life: Lifecycle = { needsAck: false, acknowledged: undefined, resolved: undefined };
const repeats = (raised: Repeats["raised"]): Repeats => ({ count: 1, at: 0, by: "req_1", asked: 0, raised });

describe("an event with the same dedupeKey", () => {
  const plan = {} as never;
  const ended = { at: 1, id: "usr_ann", name: "Ann" };
  it.each<[string, object, Partial<Lifecycle>, number, boolean]>([
    ["joins within the window of the dedupeKey", {}, {}, 9 * MINUTE, true],
    ["does not join after the window if it is not a tool's alert", {}, { needsAck: true }, 11 * MINUTE, false],
    [
      "joins after the window while a tool's alert that requires acknowledgement is open",
      { alert: true },
      { needsAck: true },
      900 * HOUR,
      true,
    ],
    [
      "does not join after the window if the alert requires no acknowledgement",
      { alert: true },
      {},
      11 * MINUTE,
      false,
    ],
    ["joins for a day if a silence holds the alert back", { alert: true }, { heldBy: "sil_1" }, 23 * HOUR, true],
    [
      "does not join after a day if a silence holds the alert back",
      { alert: true },
      { heldBy: "sil_1" },
      24 * HOUR,
      false,
    ],
    [
      "never joins if the earlier event is resolved",
      { alert: true },
      { needsAck: true, resolved: ended },
      MINUTE,
      false,
    ],
    [
      "never joins if the earlier event has expired",
      { alert: true },
      { needsAck: true, expired: { at: 1, round: "r" } },
      MINUTE,
      false,
    ],
  ])("joins the earlier event only while that event accepts repeats: it %s", (_, more, lived, at, takes) => {
    const event = { content: { ...content, ...more }, plan, life: { ...life, ...lived }, receivedAt: 0 };
    expect(acceptsRepeats(event, 10 * MINUTE, at)).toBe(takes);
  });

  it("joins the earlier event even after the window of the dedupeKey if that event has not been matched yet", () => {
    const event = { content: { ...content, alert: true as const }, plan: undefined, life, receivedAt: 0 };
    expect(acceptsRepeats(event, 10 * MINUTE, 11 * MINUTE)).toBe(true);
  });

  it.each([
    ["joins the earlier event within the window of the dedupeKey", false, 9 * MINUTE, true],
    ["joins the earlier event after the window if the open alert requires acknowledgement", true, 11 * MINUTE, true],
    ["does not join the earlier event after the window if no acknowledgement is required", false, 10 * MINUTE, false],
  ])("during a shadow %s; after the shadow, it never joins that event", (_, asks, at, takes) => {
    const shadow = { shadow: { asks, pages: [], omitted: 0 } } as never;
    const event = {
      content: { ...content, alert: true as const },
      plan: shadow,
      life,
      receivedAt: 0,
      shadow: true as const,
    };

    expect(acceptsRepeats(event, 10 * MINUTE, at, true)).toBe(takes);
    expect(acceptsRepeats(event, 10 * MINUTE, at)).toBe(false);
  });
});

describe("a repeated event with the same dedupeKey", () => {
  it("notifies again if its priority is higher, or if the last notification is ten minutes old", () => {
    const event = { content, receivedAt: 0 };
    const isNotifiedAgain = (priority: "LOW" | "HIGH", at: number) =>
      addRepeat(event, { priority, at, by: "req_2" }).isDue;

    expect([
      isNotifiedAgain("LOW", 9 * MINUTE),
      isNotifiedAgain("LOW", 10 * MINUTE),
      isNotifiedAgain("HIGH", 1),
    ]).toEqual([false, true, true]);
    // A repeat notifies ten minutes after the last notification, even if a silent repeat came in between.
    const { next } = addRepeat(event, { priority: "LOW", at: 9 * MINUTE, by: "req_2" });
    const again = { ...event, repeats: next };
    expect(addRepeat(again, { priority: "LOW", at: 10 * MINUTE, by: "req_3" }).isDue).toBe(true);
  });

  it("raises the open event to the repeat's priority if that is higher", () => {
    const raised = { ...repeats([{ priority: "HIGH", at: 0 }]), acknowledged: { at: 5, count: 1 } };
    const event = { content, receivedAt: 0, repeats: raised };

    expect(addRepeat(event, { priority: "URGENT", at: 7, by: "req_2" }).next).toEqual({
      count: 2,
      at: 7,
      by: "req_2",
      asked: 7,
      raised: [
        { priority: "HIGH", at: 0 },
        { priority: "URGENT", at: 7 },
      ],
      acknowledged: { at: 5, count: 1 },
    });
    expect(addRepeat(event, { priority: "HIGH", at: 7, by: "req_2" })).toMatchObject({ isWorse: false, isDue: false });
  });
});

describe("an event whose priority was raised by repeats", () => {
  const raised = (["HIGH", "URGENT"] as const).map((priority, at) => ({ priority, at }));
  const event = { content, repeats: repeats(raised) };

  it("has the highest priority of the event and its repeats", () => {
    expect([getCurrentPriority(event), getCurrentPriority({ content })]).toEqual(["URGENT", "NORMAL"]);
  });

  it("notifies with the raised priority if a rule sets no priority itself", () => {
    expect(raiseRulePriority({ priority: "NORMAL", priorityFrom: "event" }, event).priority).toBe("URGENT");
    expect(raiseRulePriority({ priority: "LOW", priorityFrom: "rule" }, event).priority).toBe("LOW");
  });
});

describe("a message that ends an alert", () => {
  const event = (more: object) => ({ eventId: "evt_00000000a00000000000", content: { ...content, ...more } });

  it.each<[string, object, object, boolean]>([
    ["ends an event that came before it", { id: "evt_00000000b00000000000" }, {}, true],
    ["does not end an event that came after it", { id: "evt_00000000900000000000" }, {}, false],
    [
      "ends an alert that changed before it, even if that arrived later",
      { id: "evt_00000000900000000000" },
      { changedAt: 9 },
      true,
    ],
    [
      "does not end an alert that changed at the same time",
      { id: "evt_00000000b00000000000" },
      { changedAt: 10 },
      false,
    ],
    ["does not end an event of another sender", { id: "evt_00000000b00000000000", by: "key:other" }, {}, false],
  ])("%s", (_, ended, more, ends) => {
    const sender = { id: "key_1", name: "mine" };
    expect(endsEvent({ at: 10, id: "", ...ended }, event({ sender, ...more }), true)).toBe(ends);
  });

  it("ends every event that came before it, whatever the times, if its sender may resolve any alert", () => {
    const ended = { at: 10, id: "evt_00000000b00000000000" };

    expect(endsEvent(ended, event({ changedAt: 20 }), false)).toBe(true);
    expect(endsEvent({ ...ended, id: "evt_00000000900000000000" }, event({ changedAt: 1 }), false)).toBe(false);
  });
});

it("an event's dedupeKey is shared in the workspace; the dedupeKey of a tool's alert is separate for each sender", () => {
  const claimNameFor = (id: string, name: string) => toClaimName({ alert: true, sender: { id, name } }, "kuma:1");

  expect(toClaimName({ sender: { id: "key_1", name: "a" } }, "kuma:1")).toBe("kuma:1");
  expect(claimNameFor("key_1", "a")).toBe(claimNameFor("key_2", "a"));
  expect(claimNameFor("key_1", "a")).not.toBe(claimNameFor("key_1", "b"));
  expect(claimNameFor("key_1", "a")).toBe('\0["key:a","kuma:1"]');
});
