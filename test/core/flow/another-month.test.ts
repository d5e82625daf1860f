import { expect, it } from "vitest";
import { playMonth } from "./month.ts";

const EVENTS = 50;

it(
  `a simulated month with ${EVENTS} events and the end of daylight saving time leads to exactly the predicted pages`,
  { timeout: 600_000 },
  async () => {
    const { came, foreseen, back, left } = await playMonth({
      timeZone: "America/New_York",
      from: "2026-10-12T06:00:00Z",
      change: "2026-11-01T06:00:00Z",
      seed: 2,
      events: EVENTS,
    });

    expect(came).toEqual(foreseen);
    expect({ back, left }).toEqual({ back: [], left: [] });
    expect(came.length).toBeGreaterThan(200);
  },
);
