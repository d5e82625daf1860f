import { describe, expect, it } from "vitest";
import * as v from "valibot";
import {
  AcknowledgeInput,
  isEventOver,
  isAcknowledgedOrFinal,
  findPermanentAcknowledgement,
  toLifecycleView,
  type Acknowledged,
  type Lifecycle,
} from "../../../../core/domain/event/lifecycle.ts";

const at = (second: number) => Date.UTC(2026, 10, 21, 12, 0, second);
const action = (name: string, second: number) => ({ at: at(second), id: `usr_${name}`, name });
const aLifecycle = (fields: Partial<Lifecycle> = {}): Lifecycle => ({
  needsAck: true,
  acknowledged: undefined,
  resolved: undefined,
  ...fields,
});
const acknowledgedBy = (name: string, second: number, requiresAck = true) => ({
  requiresAck,
  acknowledgedAt: `2026-11-21T12:00:0${second}.000Z`,
  acknowledgedBy: { id: `usr_${name}`, name },
  acknowledgedUntil: null,
});
const expired = { at: at(9), round: "r" };

describe("the lifecycle state of an event", () => {
  it("is open and shows no action at first", () => {
    expect(toLifecycleView(aLifecycle(), [])).toStrictEqual({
      state: "open",
      acknowledgedBy: null,
      acknowledgedAt: null,
      acknowledgedUntil: null,
      resolvedBy: null,
      resolvedAt: null,
      note: null,
      expiredAt: null,
    });
  });

  it("shows who did what, and when", () => {
    const resolved = { ...action("bob", 5), note: "Restarted" };

    expect(toLifecycleView(aLifecycle({ acknowledged: action("ann", 3), resolved, expired }), [])).toStrictEqual({
      state: "resolved",
      acknowledgedBy: { id: "usr_ann", name: "ann" },
      acknowledgedAt: "2026-11-21T12:00:03.000Z",
      acknowledgedUntil: null,
      resolvedBy: { id: "usr_bob", name: "bob" },
      resolvedAt: "2026-11-21T12:00:05.000Z",
      note: "Restarted",
      expiredAt: "2026-11-21T12:00:09.000Z",
    });
    expect(toLifecycleView(aLifecycle({ resolved: action("bob", 5) }), []).note).toBeNull();
  });

  it.each<[string, Partial<Lifecycle>, string]>([
    ["that requires no acknowledgement", { needsAck: false }, "none"],
    ["that requires an acknowledgement", {}, "open"],
    ["that was acknowledged", { acknowledged: action("ann", 1) }, "acknowledged"],
    ["that a silence holds back", { needsAck: false, heldBy: "sil_1" }, "none"],
    [
      "that was acknowledged while held back",
      { needsAck: false, heldBy: "s", acknowledged: action("ann", 1) },
      "acknowledged",
    ],
    [
      "that requires no acknowledgement but was acknowledged",
      { needsAck: false, acknowledged: action("ann", 1) },
      "none",
    ],
    ["that was open for too long", { acknowledged: action("ann", 1), expired }, "expired"],
    ["that was resolved", { needsAck: false, resolved: action("ann", 1) }, "resolved"],
  ])('is "$2" for an event %s', (_what, fields, state) => {
    expect(toLifecycleView(aLifecycle(fields), []).state).toBe(state);
  });

  it("shows the first acknowledgement by a person who was asked to acknowledge", () => {
    expect(
      toLifecycleView(aLifecycle(), [
        acknowledgedBy("ann", 5),
        acknowledgedBy("bob", 3),
        acknowledgedBy("cyd", 1, false),
      ]),
    ).toMatchObject({
      state: "acknowledged",
      acknowledgedBy: { id: "usr_bob" },
      acknowledgedAt: "2026-11-21T12:00:03.000Z",
    });
  });

  it("stays open if only people who were not asked to acknowledge have acknowledged", () => {
    const none = [
      { ...acknowledgedBy("ann", 1), acknowledgedAt: null },
      { ...acknowledgedBy("ann", 1), acknowledgedBy: null },
    ];
    for (const notification of [acknowledgedBy("cyd", 1, false), ...none])
      expect(toLifecycleView(aLifecycle(), [notification])).toMatchObject({ state: "open", acknowledgedBy: null });
  });
});

/** Ann acknowledged at second 2; at second 4, she confirmed until second 50. */
const ack = { until: at(50), at: at(4), since: at(2), id: "usr_ann", name: "ann" };

describe("an acknowledgement that ends at a set time", () => {
  const view = (fields: Partial<Lifecycle>, notifications: Acknowledged[] = []) => {
    const { state, acknowledgedBy, acknowledgedAt, acknowledgedUntil } = toLifecycleView(
      aLifecycle(fields),
      notifications,
    );
    return [
      state,
      acknowledgedBy?.name ?? null,
      acknowledgedAt?.slice(17, 19) ?? null,
      acknowledgedUntil?.slice(17, 19) ?? null,
    ];
  };

  it.each<[string, Partial<Lifecycle>, Acknowledged[], unknown[]]>([
    [
      "belongs to its acknowledger from the first acknowledgement until its end",
      { term: ack },
      [],
      ["acknowledged", "ann", "02", "50"],
    ],
    [
      "belongs to the person who set the end, and not to people who acknowledged earlier",
      { term: ack, acknowledged: action("bob", 1) },
      [acknowledgedBy("cyd", 1)],
      ["acknowledged", "ann", "02", "50"],
    ],
    [
      "has no end after a later acknowledgement without an end",
      { term: ack },
      [acknowledgedBy("cyd", 5)],
      ["acknowledged", "ann", "02", null],
    ],
    [
      "keeps its end after a later acknowledgement with an end",
      { term: ack },
      [{ ...acknowledgedBy("cyd", 5), acknowledgedUntil: "2026-11-21T12:00:50.000Z" }],
      ["acknowledged", "ann", "02", "50"],
    ],
    [
      "has no end if the event is resolved",
      { term: ack, resolved: action("bob", 6) },
      [],
      ["resolved", "ann", "02", null],
    ],
    ["has no end if the event has expired", { term: ack, expired }, [], ["expired", "ann", "02", null]],
  ])("%s", (_, fields, notifications, expected) => {
    expect(view(fields, notifications)).toEqual(expected);
  });

  /** The acknowledgement ended and the event reopened at second 5. */
  const reopened = { ...ack, on: at(5) };
  const confirmedBy = (name: string, second: number) => ({
    ...acknowledgedBy(name, second),
    acknowledgedUntil: "2026-11-21T12:00:50.000Z",
  });

  it.each<[string, Acknowledged[], string | null]>([
    ["nobody if others acknowledged before the end", [acknowledgedBy("bob", 4), confirmedBy("bob", 5)], null],
    ["a person who acknowledged permanently at the end", [acknowledgedBy("bob", 5)], "bob"],
    ["a person who acknowledged temporarily after the end", [confirmedBy("bob", 6)], "bob"],
    [
      "the first of several people who acknowledged after the end",
      [acknowledgedBy("bob", 7), confirmedBy("cyd", 6)],
      "cyd",
    ],
  ])("leaves the event, after that time, acknowledged by %s", (_, notifications, name) => {
    expect(view({ reopened }, notifications).slice(0, 2)).toEqual([name === null ? "open" : "acknowledged", name]);
  });
});

describe("the acknowledgement that makes an event stay acknowledged after a temporary acknowledgement ends", () => {
  it.each<[string, Acknowledged[], string | undefined]>([
    ["does not exist if nobody acknowledged", [], undefined],
    [
      "does not exist if people acknowledged only at the start of the temporary acknowledgement or earlier",
      [acknowledgedBy("bob", 4), acknowledgedBy("cyd", 3)],
      undefined,
    ],
    ["does not exist if the only acknowledger was not asked to do so", [acknowledgedBy("bob", 5, false)], undefined],
    [
      "is the latest of several permanent acknowledgements",
      [acknowledgedBy("bob", 5), acknowledgedBy("cyd", 7), acknowledgedBy("dan", 6)],
      "cyd",
    ],
  ])("%s", (_, notifications, name) => {
    expect(findPermanentAcknowledgement(ack, notifications)?.name).toBe(name);
  });
});

it.each([
  ["with an event id is accepted", ["evt_1"], undefined],
  ["without event ids is refused", [], "eventIds must name at least one event."],
  ["with a text instead of an array is refused", "evt_1", "eventIds must be an array of event ids."],
  ["with a number as an event id is refused", [7], "An event id must be a string."],
])("an acknowledge request %s", (_what, eventIds, message) => {
  expect(v.safeParse(AcknowledgeInput, { eventIds }).issues?.[0].message).toBe(message);
});

it.each<[string, Partial<Lifecycle>, boolean, boolean]>([
  ["that is open is neither acknowledged nor over", {}, false, false],
  ["that is snoozed is acknowledged, but not over", { term: ack }, false, true],
  ["that was acknowledged is not over", { acknowledged: action("ann", 1) }, false, true],
  ["that was resolved is over", { resolved: action("ann", 1) }, true, true],
  ["that has expired is over", { expired }, true, true],
])("an event %s", (_what, fields, final, isDone) => {
  expect(isEventOver(aLifecycle(fields))).toBe(final);
  expect(isAcknowledgedOrFinal(aLifecycle(fields))).toBe(isDone);
});
