import { expect, test } from "vitest";
import { toLifeView } from "../../../../core/domain/event/life.ts";

const life = { needsAck: true, acknowledged: undefined, resolved: undefined };
const by = (name: string, second: number, requiresAck = true) => ({
  requiresAck,
  acknowledgedAt: `2026-11-21T12:00:0${second}.000Z`,
  acknowledgedBy: { id: `usr_${name}`, name },
});

test("an event is acknowledged by whoever was the first that was asked", () => {
  expect(toLifeView(life, [by("ann", 5), by("bob", 3), by("cyd", 1, false)])).toMatchObject({
    state: "acknowledged",
    acknowledgedBy: { id: "usr_bob" },
    acknowledgedAt: "2026-11-21T12:00:03.000Z",
  });
});

test("an acknowledgement that nobody asked for leaves an event open for those who are asked", () => {
  expect(toLifeView(life, [by("cyd", 1, false)])).toMatchObject({ state: "open", acknowledgedBy: null });
});
