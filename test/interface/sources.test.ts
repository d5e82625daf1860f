import { sample } from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolName } from "../../core/domain/basics/source-name.ts";
import { sources } from "../../core/domain/sources/index.ts";
import { setUsagePlan } from "../../core/store/control.ts";
import { startFurnished } from "../support/furnished.ts";
import { alice } from "../support/people.ts";
import { payloadLike, RANDOM_PAYLOADS } from "../support/random-payloads.ts";
import { sourcePayloads } from "../support/source-payloads.ts";

const names = Object.keys(sources) as ToolName[];

const { app, mine, get } = await startFurnished();
const plan = { monthlyEvents: 10_000_000, eventsPerMinute: 600_000, burst: 1_000_000, retentionDays: 400 };
await setUsagePlan(app.deps, mine.workspaceId, plan);

type Taken = { events?: { eventId: string; eventKey: string; deduplicated: boolean }[]; code?: string };
const send = (source: ToolName, body: unknown) =>
  app.ask<Taken>(`/v1/events/from/${source}`, { method: "POST", apiKey: mine.key, body });
const eventOf = (id: string | undefined) => get<{ state: string; matched: boolean }>(`/events/${id}`);
const total = async () => (await get<{ total: number }>("/events?limit=1")).total;

/** Sends a payload and lets the workers run; returns its one event, and the resulting pushes. */
const deliver = async (source: ToolName, body: object) => {
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
    const ended = await deliver(source, resolved);
    expect(ended.pushes.length).toBeGreaterThan(0);
    expect(ended.key).toMatch(/\.resolved$/);
    expect(await eventOf(fired.id)).toMatchObject({ state: "resolved", resolvedBy: { id: ended.id } });
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

describe("a call that is not done here", () => {
  const post = (path: string, body?: object) =>
    app.ask<Taken & { errors?: { field: string; message: string }[] }>(`/v1/events/from/${path}`, {
      method: "POST",
      apiKey: mine.key,
      ...(body === undefined ? {} : { body }),
    });

  it.each(["acknowledge", "unacknowledge", "notes", "snooze", "assign", "escalate"])(
    "is refused: Opsgenie's %s",
    async (action) => {
      const before = await total();

      const { status, body } = await post(`opsgenie/v2/alerts/disk/${action}?identifierType=alias`, { note: "n" });

      expect({ status, field: body.errors?.[0]?.field }).toEqual({ status: 422, field: "action" });
      expect(body.errors?.[0]?.message).toMatch(/people acknowledge/);
      expect(await total()).toBe(before);
    },
  );

  it("is refused: PagerDuty's acknowledge", async () => {
    const { status, body } = await post("pagerduty/v2/enqueue", { event_action: "acknowledge", dedup_key: "k" });

    expect({ status, field: body.errors?.[0]?.field }).toEqual({ status: 422, field: "event_action" });
  });

  it("is answered without the promise of 202: a webhook of Opsgenie about something else", async () => {
    const { status, body } = await post("opsgenie", { action: "Acknowledge", alert: { message: "m", alias: "a" } });

    expect({ status, events: body.events }).toEqual({ status: 200, events: [] });
  });
});

it("an alert that PagerDuty's client creates without a key gets one in the answer, which ends it", async () => {
  const payload = { summary: "Disk full", source: "db-1", severity: "critical" };
  const triggered = await app.ask<Taken & { dedup_key: string }>("/v1/events/from/pagerduty/v2/enqueue/", {
    method: "POST",
    body: { routing_key: mine.key, event_action: "trigger", payload },
  });
  const { dedup_key } = triggered.body;

  const ended = await send("pagerduty", { event_action: "resolve", dedup_key });
  await app.work();

  expect([triggered.status, ended.status]).toEqual([202, 202]);
  expect(dedup_key).not.toBe("");
  expect(await eventOf(triggered.body.events?.[0]?.eventId)).toMatchObject({ state: "resolved" });
});
