import { describe, expect, it } from "vitest";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { useWorld } from "../../world/use-world.ts";

const MINUTE = 60_000;

/** Returns the day and hour in Berlin, by the platform's own calendar. */
const toBerlinTime = (ms: number): { day: number; hour: number } => {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: "Europe/Berlin",
    day: "numeric",
    hour: "numeric",
    hourCycle: "h23",
  });
  const part = (type: string) => Number(format.formatToParts(ms).find((one) => one.type === type)?.value);
  return { day: part("day"), hour: part("hour") };
};

describe("fifty events before and fifty after a clock change", () => {
  it.each([
    ["forward", Date.UTC(2026, 2, 28), "2026-03-27T09:00", 28],
    ["back", Date.UTC(2026, 9, 24), "2026-10-23T09:00", 24],
  ])(
    "notify exactly the person whom an independent calendar names (clocks go %s)",
    async (_, start, handover, firstDay) => {
      const world = await useWorld({ start });
      const group = await world.group("Duty", ["usr_ann", "usr_bob", "usr_cleo"]);
      await world.schedule(group, {
        timeZone: "Europe/Berlin",
        layers: [{ start: handover, every: 1, unit: "day", participants: ["usr_cleo", "usr_ann", "usr_bob"] }],
      });
      await world.rule([group], { onCallOnly: true });
      // Cleo is on call in the night before the first day. From the first day, Ann, Bob and Cleo take turns from 9 to 9.
      const expectedOnCall = (at: number): string => {
        const { day, hour } = toBerlinTime(at);
        const turn = day - firstDay - (hour < 9 ? 1 : 0);
        return ["usr_cleo", "usr_ann", "usr_bob", "usr_cleo"][turn + 1] ?? "nobody";
      };

      const expected: [string, string][] = [];
      for (let index = 0; index < 50; index += 1) {
        await world.runUntil(start + index * 83 * MINUTE);
        await world.post({ title: `Event ${index}` });
        expected.push([`Event ${index}`, expectedOnCall(world.now())]);
      }
      await world.runFor(MINUTE);

      expect(world.pushed.map(({ userId, message }) => [message.notification.title, userId])).toEqual(expected);
      expect(new Set(expected.map(([, userId]) => userId)).size).toBe(3);
    },
  );
});

describe("an event while nobody is on call", () => {
  it("notifies nobody, and its view says that nobody is on call", async () => {
    const world = await useWorld();
    const group = await world.group("Duty", ["usr_ann"]);
    await world.rule([group], { onCallOnly: true });

    const { eventId } = await world.post();
    await world.runFor(MINUTE);

    expect(world.pushed).toEqual([]);
    const event = await readEventView(world.deps, world.ws, eventId);
    expect(event?.outcome).toBe("no_recipient");
    expect(event?.matchedRules[0]?.unreached).toEqual([{ groupId: group, because: "nobody_on_call" }]);
  });
});
