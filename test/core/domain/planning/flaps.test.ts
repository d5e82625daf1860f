import { describe, expect, it } from "vitest";
import type { EventContent } from "../../../../core/domain/event/event.ts";
import { createFlappingTracker } from "../../../../core/domain/planning/flaps.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 21, 12);

const content = { eventKey: "disk.full", title: "Disk full", body: "", priority: "HIGH" as const };
const sender = (id: string) => ({ id, name: id });
type Step = readonly [minute: number, fields: Partial<EventContent>];
const openingStep = (minute: number, fields: Partial<EventContent> = {}): Step => [
  minute,
  { dedupeKey: "disk-1", ...fields },
];
const endingStep = (minute: number, fields: Partial<EventContent> = {}): Step => [
  minute,
  { resolves: "disk-1", ...fields },
];

/** Returns for each event the event that it ends, and until which minute it is held back (`!`: flapping has just begun). */
const trackFlapping = (steps: readonly Step[]): string[] => {
  const keep = createFlappingTracker();
  return steps.map(([minute, fields], nr) => {
    const { ends: ended, flapping } = keep({
      eventId: `evt_${nr}`,
      receivedAt: NOON + minute * MINUTE,
      content: { ...content, ...fields },
    });
    const held = flapping && `until ${(flapping.until - NOON) / MINUTE}${flapping.first ? "!" : ""}`;
    return [...(ended === undefined ? [] : [`ends ${ended}`]), ...(held === undefined ? [] : [held])].join(", ");
  });
};

describe("the flap detection of a preview", () => {
  it.each<[string, Step[], string[]]>([
    ["an event ends the alert with its key", [openingStep(0), endingStep(1)], ["", "ends evt_0"]],
    ["an event without a key opens and ends nothing", [[0, {}], endingStep(1)], ["", ""]],
    ["an event whose key no alert has ends nothing", [openingStep(0), endingStep(1, { resolves: "disk-2" })], ["", ""]],
    [
      "an alert that has ended does not end twice",
      [openingStep(0), endingStep(1), endingStep(2)],
      ["", "ends evt_0", ""],
    ],
    [
      "the latest of several alerts with the same key ends",
      [openingStep(0), openingStep(1), endingStep(2)],
      ["", "", "ends evt_1"],
    ],
    [
      "an event of another sender ends nothing",
      [openingStep(0, { sender: sender("key_1") }), endingStep(1, { sender: sender("key_2") })],
      ["", ""],
    ],
    [
      "an event of another sender ends the alert if its API key may resolve any event",
      [openingStep(0, { sender: sender("key_1") }), endingStep(1, { sender: sender("key_2"), resolvesAny: true })],
      ["", "ends evt_0"],
    ],
    [
      "an event of the same sender ends the alert",
      [openingStep(0, { sender: sender("key_1") }), endingStep(1, { sender: sender("key_1") })],
      ["", "ends evt_0"],
    ],
    [
      "two senders of one tool have one alert each under equal ids",
      [
        openingStep(0, { sender: sender("key_1"), alert: true }),
        openingStep(1, { sender: sender("key_2"), alert: true }),
        endingStep(2, { sender: sender("key_1"), alert: true }),
        endingStep(3, { sender: sender("key_3"), alert: true, resolvesAny: true }),
      ],
      ["", "", "ends evt_0", "ends evt_1"],
    ],
    ["an end before its start is ignored", [openingStep(5), endingStep(6, { changedAt: NOON + 4 * MINUTE })], ["", ""]],
    [
      "an end at the moment of the start ends the alert",
      [openingStep(5), endingStep(6, { changedAt: NOON + 5 * MINUTE })],
      ["", "ends evt_0"],
    ],
    [
      "an event may end one alert and open another",
      [openingStep(0), [1, { resolves: "disk-1", dedupeKey: "disk-2" }], endingStep(2, { resolves: "disk-2" })],
      ["", "ends evt_0", "ends evt_1"],
    ],
  ])("finds the alert that each event ends: %s", (_how, steps, expected) => {
    expect(trackFlapping(steps)).toEqual(expected);
  });

  it("reports each opening of an alert that opens and ends again and again, and marks the first one", () => {
    expect(
      trackFlapping([
        openingStep(0),
        endingStep(1),
        openingStep(2),
        endingStep(3),
        openingStep(4),
        endingStep(5),
        openingStep(6),
      ]),
    ).toEqual(["", "ends evt_0", "", "ends evt_2", "until 14!", "ends evt_4", "until 16"]);
  });

  it("ignores alerts that only reopen without ending, or that have different keys", () => {
    expect(
      trackFlapping([openingStep(0), openingStep(1), openingStep(2), openingStep(3), openingStep(4)]).join(""),
    ).toBe("");
    expect(
      trackFlapping([
        openingStep(0),
        endingStep(1),
        openingStep(2, { dedupeKey: "disk-2" }),
        endingStep(3, { resolves: "disk-2" }),
        openingStep(4),
      ]).at(-1),
    ).toBe("");
  });

  it("uses the change times that the sender gives", () => {
    const changedAtMinute = (minute: number) => ({ changedAt: NOON + minute * MINUTE });

    expect(
      trackFlapping([
        openingStep(0, changedAtMinute(-90)),
        endingStep(1, changedAtMinute(-60)),
        openingStep(2, changedAtMinute(-30)),
        endingStep(3, changedAtMinute(-1)),
        openingStep(4, changedAtMinute(4)),
      ]).at(-1),
    ).toBe("");
  });
});
