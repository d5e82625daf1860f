import { describe, expect, it } from "vitest";
import { startFurnished } from "../support/furnished.ts";
import { bob } from "../support/people.ts";

const { app, mine, ask, get, ...furnished } = await startFurnished();

/** Sends an event, lets the workers work, and gives what came of it. */
const send = async (fields: object) => {
  const id = await furnished.send({ event: "deploy.failed", title: "Deploy failed", body: "Twice", ...fields });
  await app.work();
  return get<{ id: string; outcome: string; silence: object | null; notifications: unknown[] }>(`/events/${id}`);
};

describe("a silence", () => {
  it("keeps still what it covers, in its time, and is named in the explanation", async () => {
    const body = {
      name: "Release",
      eventKey: "deploy.*",
      conditions: [{ field: "data.stage", operator: "equals", value: "test" }],
      startsAt: "2026-11-21T12:00:00Z",
      endsAt: "2026-11-21T13:00:00Z",
    };
    const { body: silence } = await ask<{ id: string }>("POST", "/silences", body);

    const covered = await send({ data: { stage: "test" } });
    const other = await send({ data: { stage: "live" } });
    const urgent = await send({ data: { stage: "test" }, priority: "CRITICAL" });
    app.advance(60 * 60_000);
    const later = await send({ data: { stage: "test" } });

    expect(covered).toMatchObject({
      outcome: "silenced",
      silence: { id: silence.id, name: "Release", recipients: 2 },
      notifications: [],
      matchedRules: [{ id: mine.ruleId }],
    });
    expect([other, urgent, later].map((event) => [event.silence, event.notifications.length])).toEqual([
      [null, 2],
      [null, 2],
      [null, 2],
    ]);
    expect(await get(`/events/${covered.id}/explain?userId=${bob}`)).toMatchObject({
      told: false,
      summary: 'Silence "Release" kept this event still: nobody was told.',
      silence: { id: silence.id },
      rules: [{ reason: "silenced", basis: "record" }],
    });
  });
});
