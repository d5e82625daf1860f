import { expect, it } from "vitest";
import { countWouldBeSilenced } from "../../../../core/flow/read/count-would-be-silenced.ts";
import { useWorld } from "../../../world/use-world.ts";

const DAY = 24 * 60 * 60_000;

it.each([
  ["without urgent events", {}, 1],
  ["with urgent events", { includeUrgent: true }, 2],
  ["of another weekday", { weekly: { days: ["sun"], from: "00:00", to: "24:00", timeZone: "UTC" } }, 1],
  ["of other event keys", { eventKey: "site.*" }, 0],
] as const)(
  "a new silence %s is compared with the last week's events by the time of each event",
  async (_, reach, events) => {
    const world = await useWorld();
    const send = (priority: string) => world.post({ event: "disk.full", priority });
    // The world begins on a Saturday.
    await send("LOW");
    world.skip(7 * DAY);
    await send("LOW");
    await send("URGENT");
    world.skip(DAY);
    await send("LOW");
    const saturdays = { days: ["sat"], from: "00:00", to: "24:00", timeZone: "UTC" };
    const silence = {
      eventKey: "disk.*",
      conditions: [],
      conditionMatch: "all",
      weekly: saturdays,
      includeUrgent: false,
    };

    const counted = await countWouldBeSilenced(world.deps, world.ws, { ...silence, ...reach } as never);

    expect(counted).toEqual({ events, of: 3, since: new Date(world.now() - 7 * DAY).toISOString() });
  },
);
