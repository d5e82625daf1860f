import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type App } from "../support/app.ts";
import { alice, bob, furnish, type Furnished } from "../support/people.ts";

let app: App;
let mine: Furnished;
let root: string;
beforeAll(async () => {
  app = await startApp();
  mine = await furnish(app, alice);
  root = `/v1/workspaces/${mine.workspaceId}`;
});
afterAll(() => app.close());

const get = async <Body = unknown>(path: string) => (await app.ask<Body>(`${root}${path}`, { as: alice })).body;

/** Sends an event, lets the workers work, and gives what came of it. */
const send = async (fields: object) => {
  const body = { event: "deploy.failed", title: "Deploy failed", body: "Twice", ...fields };
  const answer = await app.ask<{ eventId: string }>("/v1/events", { method: "POST", apiKey: mine.key, body });
  await app.work();
  return get<{ id: string; outcome: string; silence: object | null; notifications: unknown[] }>(
    `/events/${answer.body.eventId}`,
  );
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
    const { body: silence } = await app.ask<{ id: string }>(`${root}/silences`, { method: "POST", as: alice, body });

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
