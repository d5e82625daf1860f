import { expect, it } from "vitest";
import type { EventContent } from "../../../../core/domain/event/event.ts";
import { createFlapKeeper } from "../../../../core/domain/planning/flaps.ts";

const MINUTE = 60_000;
const sender = (name: string) => ({ id: `key_${name}`, name });
const past = (eventId: string, receivedAt: number, more: Partial<EventContent>) => ({
  eventId,
  receivedAt,
  content: { eventKey: "a.b", title: "T", body: "B", priority: "NORMAL" as const, ...more },
});
const opened = past("e1", 10 * MINUTE, { dedupeKey: "k", sender: sender("A") });

it.each<[string, Partial<EventContent>, string | undefined]>([
  ["of its own sender", { sender: sender("A") }, "e1"],
  ["of another sender", { sender: sender("B") }, undefined],
  ["of another sender who may end any", { sender: sender("B"), resolvesAny: true }, "e1"],
  ["that is as old as the alert", { sender: sender("A"), changedAt: 10 * MINUTE }, "e1"],
  ["that is older than the alert", { sender: sender("A"), changedAt: 10 * MINUTE - 1 }, undefined],
  ["of another key", { sender: sender("A"), resolves: "other" }, undefined],
])("an alert that is simulated is ended, or not, by an end %s", (_, more, ends) => {
  const look = createFlapKeeper();
  look(opened);

  expect(look(past("e2", 20 * MINUTE, { resolves: "k", ...more })).ends).toBe(ends);
  if (ends !== undefined)
    expect(look(past("e3", 21 * MINUTE, { resolves: "k", ...more })).ends, "a second time").toBeUndefined();
});

it("an alert that is simulated flaps as it does when it is sent, and says so first", () => {
  const look = createFlapKeeper();
  const seen = Array.from({ length: 4 }, (_, round) => {
    const { flapping } = look(past(`o${round}`, 2 * round * MINUTE, { dedupeKey: "k", sender: sender("A") }));
    look(past(`c${round}`, (2 * round + 1) * MINUTE, { resolves: "k", sender: sender("A") }));
    return flapping;
  });

  expect(seen).toEqual([
    undefined,
    undefined,
    { until: 14 * MINUTE, first: true },
    { until: 16 * MINUTE, first: false },
  ]);
});
