import { sample } from "fast-check";
import { describe, expect, it } from "vitest";
import type { SourceName } from "../../core/domain/sources/index.ts";
import { sources } from "../../core/domain/sources/index.ts";
import { setUsagePlan } from "../../core/store/control.ts";
import { startFurnished } from "../support/furnished.ts";
import { alice } from "../support/people.ts";
import { payloadLike, RANDOM_PAYLOADS } from "../support/random-payloads.ts";
import { sourcePayloads } from "../support/source-payloads.ts";

const names = Object.keys(sources) as SourceName[];

const { app, mine, get } = await startFurnished();
const plan = { monthlyEvents: 10_000_000, eventsPerMinute: 600_000, burst: 1_000_000 };
await setUsagePlan(app.deps, mine.workspaceId, plan);

type Taken = { events?: { eventId: string; eventKey: string; deduplicated: boolean }[]; code?: string };
const send = (source: SourceName, body: unknown) =>
  app.ask<Taken>(`/v1/events/from/${source}`, { method: "POST", apiKey: mine.key, body });
const eventOf = (id: string | undefined) => get<{ state: string; matched: boolean }>(`/events/${id}`);
const total = async () => (await get<{ total: number }>("/events?limit=1")).total;

/** Sends a payload and lets the workers run; returns its one event, and the resulting pushes. */
const deliver = async (source: SourceName, body: object) => {
  const before = app.pushed.length;
  const answer = await send(source, body);
  expect(answer.status).toBeLessThan(300);
  await app.work();
  const [event, ...others] = answer.body.events ?? [];
  expect(others).toEqual([]);
  return { id: event?.eventId, key: event?.eventKey, pushes: app.pushed.slice(before) };
};

describe.each(names)("what %s sends", (source) => {
  const { firing, resolved, test } = sourcePayloads[source]!;

  it("wakes somebody, and tells when it is over", async () => {
    const fired = await deliver(source, firing);
    expect(fired.pushes.length).toBeGreaterThan(0);
    expect(await eventOf(fired.id)).toMatchObject({ state: "open" });

    app.advance(60_000);
    const over = await deliver(source, resolved);
    expect(over.pushes.length).toBeGreaterThan(0);
    expect(over.key).toMatch(/\.resolved$/);
    expect(await eventOf(fired.id)).toMatchObject({ state: "resolved", resolvedBy: { id: over.id } });
  });

  it.runIf(test !== undefined)("when it is tried out reaches the phone", async () => {
    const { key, pushes } = await deliver(source, test!);

    expect(key).toMatch(/\.(test|firing)$/);
    expect(pushes.length).toBeGreaterThan(0);
  });

  it(
    "and what nobody has thought of is answered without an error of ours, and nothing is half made",
    { timeout: 600_000 },
    async () => {
      let made = await total();
      const payloads = sample(payloadLike([firing, resolved, test ?? firing]), {
        seed: 14,
        numRuns: RANDOM_PAYLOADS ?? 10,
      });
      for (const payload of payloads) {
        const { status, body } = await send(source, payload);
        expect({ payload, status, body, is: status < 500 }).toMatchObject({ is: true });
        const { events = [] } = body;
        made += new Set(events.filter(({ deduplicated }) => !deduplicated).map(({ eventId }) => eventId)).size;
      }

      expect(await total()).toBe(made);
      await app.work();
      const [latest] = (
        await app.ask<{ items: { id: string }[] }>(`/v1/workspaces/${mine.workspaceId}/events?limit=1`, { as: alice })
      ).body.items;
      expect(await eventOf(latest?.id)).toMatchObject({ matched: true });
    },
  );
});
