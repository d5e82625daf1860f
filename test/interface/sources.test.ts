import { sample } from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { ToolName } from "../../core/domain/basics/source-name.ts";
import { sources } from "../../core/domain/sources/index.ts";
import { setUsagePlan } from "../../core/store/events/control.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice } from "../support/people.ts";
import { generateSimilar, RANDOM_PAYLOADS } from "../support/random-payloads.ts";
import { sourcePayloads } from "../support/source-payloads.ts";

const names = Object.keys(sources) as ToolName[];

const { app, mine, get } = await startFilled();
const plan = { monthlyEvents: 10_000_000, eventsPerMinute: 600_000, burst: 1_000_000, retentionDays: 400 };
await setUsagePlan(app.deps, mine.workspaceId, plan);

type Taken = { events?: { eventId: string; eventKey: string; deduplicated: boolean }[]; code?: string };
const send = (source: ToolName, body: unknown) =>
  app.ask<Taken>(`/v1/events/from/${source}`, { method: "POST", apiKey: mine.key, body });
const readEvent = (id: string | undefined) => get<{ state: string; matched: boolean }>(`/events/${id}`);
const countEvents = async () => (await get<{ total: number }>("/events?limit=1")).total;

/** Returns the payload's one event, and the resulting pushes. */
const deliver = async (source: ToolName, body: object) => {
  const before = app.pushed.length;
  const answer = await send(source, body);
  expect(answer.status).toBeLessThan(300);
  await app.work();
  const [event, ...others] = answer.body.events ?? [];
  expect(others).toEqual([]);
  return { id: event?.eventId, key: event?.eventKey, pushes: app.pushed.slice(before) };
};

describe.each(names)("messages of the source %s", (source) => {
  const { firing, resolved, test } = sourcePayloads[source]!;

  it("notify a person, and notify again when the alert ends", async () => {
    const fired = await deliver(source, firing);
    expect(fired.pushes.length).toBeGreaterThan(0);
    expect(await readEvent(fired.id)).toMatchObject({ state: "open" });

    app.advance(60_000);
    const ended = await deliver(source, resolved);
    expect(ended.pushes.length).toBeGreaterThan(0);
    expect(ended.key).toMatch(/\.resolved$/);
    expect(await readEvent(fired.id)).toMatchObject({ state: "resolved", resolvedBy: { id: ended.id } });
  });

  it.runIf(test !== undefined)("reach the phone if they are tests", async () => {
    const { key, pushes } = await deliver(source, test!);

    expect(key).toMatch(/\.(test|firing)$/);
    expect(pushes.length).toBeGreaterThan(0);
  });

  it(
    "that have unknown content are answered without a server error, and leave no incomplete event",
    { timeout: 600_000 },
    async () => {
      let made = await countEvents();
      const payloads = sample(generateSimilar([firing, resolved, test ?? firing]), {
        seed: 14,
        numRuns: RANDOM_PAYLOADS ?? 10,
      });
      for (const payload of payloads) {
        const { status, body } = await send(source, payload);
        expect({ payload, status, body, is: status < 500 }).toMatchObject({ is: true });
        const { events = [] } = body;
        made += new Set(events.filter(({ deduplicated }) => !deduplicated).map(({ eventId }) => eventId)).size;
      }

      expect(await countEvents()).toBe(made);
      await app.work();
      const [latest] = (
        await app.ask<{ items: { id: string }[] }>(`/v1/workspaces/${mine.workspaceId}/events?limit=1`, { as: alice })
      ).body.items;
      expect(await readEvent(latest?.id)).toMatchObject({ matched: true });
    },
  );
});

describe("a call of another service's API that this service does not support", () => {
  const post = (path: string, body?: object) =>
    app.ask<Taken & { errors?: { field: string; message: string }[] }>(`/v1/events/from/${path}`, {
      method: "POST",
      apiKey: mine.key,
      ...(body === undefined ? {} : { body }),
    });

  it.each(["acknowledge", "unacknowledge", "notes", "snooze", "assign", "escalate"])(
    "is refused for Opsgenie's action %s",
    async (action) => {
      const before = await countEvents();

      const { status, body } = await post(`opsgenie/v2/alerts/disk/${action}?identifierType=alias`, { note: "n" });

      expect({ status, field: body.errors?.[0]?.field }).toEqual({ status: 422, field: "action" });
      expect(body.errors?.[0]?.message).toMatch(/People acknowledge/);
      expect(await countEvents()).toBe(before);
    },
  );

  it("is refused if it is PagerDuty's call to acknowledge", async () => {
    const { status, body } = await post("pagerduty/v2/enqueue", { event_action: "acknowledge", dedup_key: "k" });

    expect({ status, field: body.errors?.[0]?.field }).toEqual({ status: 422, field: "event_action" });
  });

  it("creates no event, but gets 200, if it is Opsgenie's webhook message about an acknowledgement", async () => {
    const { status, body } = await post("opsgenie", { action: "Acknowledge", alert: { message: "m", alias: "a" } });

    expect({ status, events: body.events }).toEqual({ status: 200, events: [] });
  });
});

describe("a call of an Opsgenie client", () => {
  const callOpsgenie = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object) =>
    app.ask<Taken & { result?: string; errors?: { field: string; message: string }[] }>(
      `/v1/events/from/opsgenie/v2/${path}`,
      { method, apiKey: mine.key, ...(body === undefined ? {} : { body }) },
    );

  it("deletes an alert by its alias, which ends the event with a text about the deletion", async () => {
    const { body: made } = await callOpsgenie("POST", "alerts", { message: "Pool degraded", alias: "7149be57" });
    await app.work();
    const before = app.pushed.length;
    app.advance(60_000);

    const deleted = await callOpsgenie("DELETE", "alerts/7149be57?identifierType=alias");
    await app.work();

    expect(deleted.status).toBe(202);
    expect(await readEvent(made.events?.[0]?.eventId)).toMatchObject({ state: "resolved" });
    const titles = app.pushed.slice(before).map(({ notification: { title } }) => title);
    expect(new Set(titles)).toEqual(new Set(["Resolved: Pool degraded"]));
  });

  it.each([
    ["without a note, and the event's text is its title", {}, "Resolved: Pool degraded"],
    ["with a note, which becomes the event's text", { note: "Disk replaced." }, "Disk replaced."],
  ])("closes an alert by its alias %s", async (_, body, said) => {
    await callOpsgenie("POST", "alerts", { message: "Pool degraded", alias: "pool" });
    app.advance(60_000);

    const closed = await callOpsgenie("POST", "alerts/pool/close?identifierType=alias", body);

    expect(await get(`/events/${closed.body.events?.[0]?.eventId}`)).toMatchObject({
      title: "Resolved: Pool degraded",
      body: said,
    });
  });

  it("uses the alias as the title if it closes an alert that does not exist", async () => {
    const closed = await callOpsgenie("POST", "alerts/never/close?identifierType=alias");

    expect(await get(`/events/${closed.body.events?.[0]?.eventId}`)).toMatchObject({ title: "Resolved: never" });
  });

  it.each(["GET", "POST", "PUT"] as const)("pings a heartbeat by its name with the method %s", async (method) => {
    const name = `Backup ${method}`;
    const root = `/v1/workspaces/${mine.workspaceId}/heartbeats`;
    const heartbeat = { name, everySeconds: 3600, graceSeconds: 60, priority: "HIGH" };
    const { body: made } = await app.ask<{ id: string }>(root, { method: "POST", as: alice, body: heartbeat });

    const answer = await callOpsgenie(method, `heartbeats/${encodeURIComponent(name.toLowerCase())}/ping`);

    expect(answer).toMatchObject({ status: 202, body: { result: "PONG - Heartbeat received" } });
    expect(await get(`/heartbeats/${made.id}`)).toMatchObject({ status: "up" });
  });

  it("is refused if it pings a heartbeat that does not exist", async () => {
    expect(await callOpsgenie("GET", "heartbeats/none/ping")).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
  });

  it.each([
    ["PUT", "message"],
    ["DELETE", "tags"],
    ["GET", "notes"],
  ] as const)("is refused for %s of an alert's %s, and the answer lists the accepted calls", async (method, what) => {
    const { status, body } = await callOpsgenie(method, `alerts/disk/${what}?identifierType=alias`);

    expect({ status, field: body.errors?.[0]?.field }).toEqual({ status: 422, field: "action" });
    expect(body.errors?.[0]?.message).toMatch(/^action must be create, close or delete/);
  });
});

describe("raw deliveries of SNS", () => {
  const postRaw = (body: string, headers: Record<string, string> = {}) =>
    app.ask<Taken>("/v1/events/from/cloudwatch", {
      method: "POST",
      apiKey: mine.key,
      body,
      headers: { "content-type": "text/plain; charset=UTF-8", ...headers },
    });

  it("become an event, even if they are not JSON", async () => {
    const { status, body } = await postRaw("AWS Budget Notification\nYour actual cost is above $100.");

    expect({ status, key: body.events?.[0]?.eventKey }).toEqual({ status: 201, key: "cloudwatch.info" });
    expect(await get(`/events/${body.events?.[0]?.eventId}`)).toMatchObject({
      title: "AWS Budget Notification",
      body: "AWS Budget Notification\nYour actual cost is above $100.",
    });
  });

  it("become only one event if SNS repeats a delivery, even if its JSON has an unknown form", async () => {
    const headers = { "x-amz-sns-rawdelivery": "true", "x-amz-sns-message-id": "m-77", "x-amz-sns-topic-arn": "arn:t" };
    const first = await postRaw('{"order": 4711}', headers);
    const again = await postRaw('{"order": 4711}', headers);

    expect([first.status, again.status]).toEqual([201, 200]);
    expect(await get(`/events/${first.body.events?.[0]?.eventId}`)).toMatchObject({
      data: { order: 4711, topic: "arn:t" },
    });
  });

  it("get a 503 while the first delivery may still be in progress, because SNS gives up after a 409", async () => {
    const headers = { "x-amz-sns-rawdelivery": "true", "x-amz-sns-message-id": "m-78" };
    const { client } = app.deps.table;
    const send = client.send.bind(client);
    let isDead = false;
    const dying = vi.spyOn(client, "send").mockImplementation((async (command: { input: object }) => {
      if (isDead) throw new Error("the invocation died");
      isDead = JSON.stringify(command.input).includes("#IDEM#");
      return send(command as never);
    }) as never);

    const first = await postRaw("Disk full", headers);
    dying.mockRestore();
    const again = await postRaw("Disk full", headers);

    expect([first.status, again.status, again.headers["Retry-After"]]).toEqual([500, 503, "1"]);
  });

  it("are recognised by their headers: malformed JSON without these headers is refused", async () => {
    expect(await postRaw('{"order": ')).toMatchObject({ status: 400, body: { code: "malformed_json" } });
  });
});

it.each([
  ["without a dedup key", {}],
  ["with an empty dedup key", { dedup_key: "" }],
])(
  "an alert of a PagerDuty client %s gets a dedup key in the answer, with which the client can end the alert",
  async (_, none) => {
    const payload = { summary: "Disk full", source: "db-1", severity: "critical" };
    const triggered = await app.ask<Taken & { dedup_key: string }>("/v1/events/from/pagerduty/v2/enqueue/", {
      method: "POST",
      body: { routing_key: mine.key, event_action: "trigger", payload, ...none },
    });
    const { dedup_key } = triggered.body;

    const again = await send("pagerduty", { event_action: "trigger", dedup_key, payload });
    const ended = await send("pagerduty", { event_action: "resolve", dedup_key });
    await app.work();

    expect([triggered.status, again.status, ended.status]).toEqual([202, 202, 202]);
    expect(again.body.events).toMatchObject([{ deduplicated: true }]);
    expect(dedup_key).not.toBe("");
    expect(await readEvent(triggered.body.events?.[0]?.eventId)).toMatchObject({ state: "resolved" });
  },
);
