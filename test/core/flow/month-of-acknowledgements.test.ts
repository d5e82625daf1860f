import { expect, it } from "vitest";
import { playMonth } from "./month.ts";

it(
  "in a month of temporary acknowledgements, exactly the expected people are paged, each on time",
  { timeout: 300_000 },
  async () => {
    const { came, foreseen, back, left } = await playMonth({
      timeZone: "Europe/Berlin",
      from: "2027-03-08T06:00:00Z",
      change: "2027-03-28T01:00:00Z",
      seed: 1,
      events: 6,
    });

    expect(came).toEqual(foreseen);
    expect({ back, left }).toEqual({ back: [], left: [] });
    expect(came.length).toBeGreaterThan(40);
  },
);
