import assert from "node:assert/strict";
import { createSection } from "../check.ts";
import type { Answer } from "../client.ts";
import { retryUntilSuccess, expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Accepted, Deduplicated, Event, EventPage, EventsTaken, Ping } from "../shapes.ts";
import { buildEvent, createGroup, createRule, sendEvent, waitForSent, sendAndReadEvent, sendAsAcme } from "../world.ts";

export const events = [
  ...createSection("POST /v1/events", {
    "answers 201 with both documented shapes, with the counts 0": async (world) => {
      const answer = await sendAsAcme(world, { event: "a.b", title: "T" });
      assert.equal(answer.id, answer.eventId);
      assert.equal(answer.eventType, "a.b");
      assert.equal(answer.eventKey, "a.b");
      assert.equal(answer.title, "T");
    },
    "stores the event before it answers": async (world) => {
      const event = await sendAndReadEvent(world, { title: "At once" });
      assert.equal(event.title, "At once");
      assert.equal(event.workspaceId, world.acme.id);
    },
    "answers 400 to malformed JSON, an empty body and a body that is not an object": async ({ acme }) => {
      for (const body of ["{", "", "null", "[]", "5", '"x"'])
        expectProblem(await acme.post(body), 400, "malformed_json");
    },
    "requires a JSON Content-Type, in any case and with any parameters": async ({ acme }) => {
      const postWithContentType = (type: string) => acme.post(buildEvent(), { "content-type": type });
      for (const type of ["Application/JSON", "application/json; charset=utf-8"])
        expectStatus(await postWithContentType(type), 201);
      for (const type of ["text/plain", "application/xml"])
        expectProblem(await postWithContentType(type), 415, "unsupported_media_type");
    },
    "accepts a CloudEvent, and recognises a repeat by its source and id": async (world) => {
      const headers = { "content-type": "application/cloudevents+json; charset=utf-8" };
      const id = world.unique("cloud");
      const sent = { specversion: "1.0", id, source: "https://shop.example/orders", type: "order.failed" };
      const postCloudEvent = (body: object) => world.acme.post(body, headers);
      const body = { ...sent, subject: "Order 4711", data: { message: "Declined twice.", order: { id: 4711 } } };
      const { eventId } = expectBody(await postCloudEvent(body), 201, Accepted);
      const event = await world.acme.read(`/events/${eventId}`, Event);
      assert.deepEqual([event.eventKey, event.title, event.body], ["order.failed", "Order 4711", "Declined twice."]);
      assert.deepEqual(event.data, body.data);
      assert.equal(expectBody(await postCloudEvent(sent), 200, Deduplicated).eventId, eventId);
      expectFaults(await postCloudEvent({ ...sent, specversion: "0.3", id: "", type: "ö" }), "specversion", "id");
      expectFaults(await postCloudEvent({ ...sent, type: "ö" }), "type");
    },
    "accepts a CloudEvent in binary mode, with its attributes in headers": async (world) => {
      const id = world.unique("binary");
      const headers = { "ce-specversion": "1.0", "ce-id": id, "ce-source": "/shop", "ce-type": "order.failed" };
      const postBinaryCloudEvent = (body: string | object, moreHeaders: object) =>
        world.acme.post(body, { ...headers, ...moreHeaders });
      const { eventId } = expectBody(
        await postBinaryCloudEvent({ message: "Declined twice." }, { "ce-subject": "Caf%C3%A9" }),
        201,
        Accepted,
      );
      const event = await world.acme.read(`/events/${eventId}`, Event);
      assert.deepEqual([event.eventKey, event.title, event.body], ["order.failed", "Café", "Declined twice."]);
      assert.equal(
        expectBody(await postBinaryCloudEvent("again", { "content-type": "text/plain" }), 200, Deduplicated).eventId,
        eventId,
      );
    },
    "accepts a batch of CloudEvents completely or not at all": async (world) => {
      const headers = { "content-type": "application/cloudevents-batch+json" };
      const one = { specversion: "1.0", id: world.unique("batch"), source: "/shop", type: "order.failed" };
      const two = { ...one, type: "order.lost", source: "/shop/2" };
      expectFaults(await world.acme.post([one, { ...two, type: 5 }], headers), "[1].type");
      const made = expectBody(await world.acme.post([one, two], headers), 201, EventsTaken);
      assert.deepEqual(
        made.events.map(({ eventKey, deduplicated }) => [eventKey, deduplicated]),
        [
          ["order.failed", false],
          ["order.lost", false],
        ],
      );
      const again = expectBody(await world.acme.post([two], headers), 200, EventsTaken);
      assert.deepEqual([again.events[0]?.eventId, again.events[0]?.deduplicated], [made.events[1]?.eventId, true]);
      expectBody(await world.acme.post([], headers), 200, EventsTaken);
    },
    "names the place of the first fault in malformed JSON": async ({ acme }) => {
      const trailing = expectProblem(await acme.post('{\n  "event": "a.b",\n}'), 400, "malformed_json");
      assert.match(trailing.detail, /line 3, column 1\b/);
      assert.match(expectProblem(await acme.post("{'event': 1}"), 400, "malformed_json").detail, /line 1, column 2\b/);
    },
    "answers 400 to bytes that are not UTF-8": async ({ acme }) => {
      const text = JSON.stringify(buildEvent({ title: "Straße" }));
      expectStatus(await acme.post(Buffer.from(text)), 201);
      expectProblem(await acme.post(Buffer.from(text, "latin1")), 400, "malformed_json");
    },
    "accepts every field at its limit, even if its JSON is escaped": async (world) => {
      const { acme } = world;
      for (const char of ["ж", "\u0001", "🙂"]) {
        const event = buildEvent({
          title: char.repeat(200),
          body: char.repeat(2_000),
          detail: char.repeat(10_000),
          dedupeKey: world.unique(char.repeat(400)),
        });
        const body = JSON.stringify(event).replace(
          /[\u0080-\uffff]/g,
          (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
        const { eventId } = expectBody(await acme.post(body), 201, Accepted);
        const kept = await acme.read(`/events/${eventId}`, Event);
        assert.equal(kept.detail, char.repeat(10_000));
      }
    },
    "answers 413 to a body of more than 256 KiB": async ({ acme }) => {
      const body = JSON.stringify(buildEvent()).padEnd(256 * 1024 + 1, " ");
      expectProblem(await acme.post(body), 413, "body_too_large");
      expectStatus(await acme.post(body.slice(0, -1)), 201);
    },
    "gives the rate limit in headers": async ({ acme }) => {
      const { headers } = await acme.post(buildEvent());
      assert.ok(headers.get("ratelimit") !== null && headers.get("ratelimit-policy") !== null);
    },
    "refuses a method override": async ({ acme }) => {
      expectStatus(await acme.post(buildEvent(), { "x-http-method-override": "DELETE" }), 201);
    },
    "neither stores nor counts a refused event": async (world) => {
      const workspace = await world.fresh();
      await workspace.post({ event: "a.b" });
      expectStatus(await workspace.post(buildEvent()), 201);
      assert.equal((await workspace.read("/events", EventPage)).total, 1);
    },
  }),
  ...createSection("Deduplication", {
    "answers a second event with the dedupeKey 200 with the first event's id, and creates none": async (world) => {
      const dedupeKey = world.unique("d");
      const first = await sendAsAcme(world, { dedupeKey });
      const again = expectBody(await world.acme.post(buildEvent({ dedupeKey, title: "Other" })), 200, Deduplicated);
      assert.equal(again.eventId, first.eventId);
      assert.equal((await sendAndReadEvent(world, {})).title, "Conformance");
    },
    "creates one event from 50 simultaneous requests; the other 49 answers have its id": async (world) => {
      const workspace = await world.fresh();
      const dedupeKey = world.unique("d");
      const answers = await Promise.all(Array.from({ length: 50 }, () => workspace.post(buildEvent({ dedupeKey }))));
      const created = answers.filter(({ status }) => status === 201);
      assert.equal(created.length, 1, `statuses ${answers.map(({ status }) => status).join()}`);
      const [first] = created;
      if (first === undefined) return;
      const { eventId } = expectBody(first, 201, Accepted);
      for (const answer of answers.filter((one) => one !== first))
        assert.equal(expectBody(answer, 200, Deduplicated).eventId, eventId);
      assert.equal((await workspace.read("/events", EventPage)).total, 1);
    },
    "keeps the dedupeKeys of workspaces apart": async (world) => {
      const dedupeKey = world.unique("d");
      await sendAsAcme(world, { dedupeKey });
      expectBody(await world.globex.post(buildEvent({ dedupeKey })), 201, Accepted);
    },
    "creates an event for each other dedupeKey and for each request without one": async (world) => {
      const one = await sendAsAcme(world, { dedupeKey: world.unique("d") });
      const other = await sendAsAcme(world, { dedupeKey: world.unique("d") });
      assert.notEqual(one.eventId, other.eventId);
      assert.notEqual((await sendAsAcme(world, {})).eventId, (await sendAsAcme(world, {})).eventId);
    },
  }),
  ...createSection("Idempotency-Key", {
    "gives a repeated request the first answer, and creates one event": async (world) => {
      const { acme, unique } = world;
      const headers = { "idempotency-key": unique("i") };
      const postEvent = () => acme.post(buildEvent(), headers);
      const first = expectBody(await postEvent(), 201, Accepted);
      const again = await postEvent();
      assert.deepEqual(expectBody(again, 201, Accepted), first);
      assert.equal(again.headers.get("idempotency-replayed"), "true");
      assert.equal((await acme.post(buildEvent())).headers.get("idempotency-replayed"), null);
    },
    "answers 422 to the same key with another body": async ({ acme, unique }) => {
      const headers = { "idempotency-key": unique("i") };
      const postEventWithTitle = (title: string) => acme.post(buildEvent({ title }), headers);
      expectStatus(await postEventWithTitle("one"), 201);
      expectProblem(await postEventWithTitle("two"), 422, "idempotency_key_reused");
    },
    "creates one event from simultaneous repeats; those that come before the first answer get 409": async (world) => {
      const workspace = await world.fresh();
      const headers = { "idempotency-key": world.unique("i") };
      const postEvent = () => workspace.post(buildEvent(), headers);
      const answers = await Promise.all(Array.from({ length: 10 }, postEvent));
      for (const answer of answers) {
        if (answer.status === 409) expectProblem(answer, 409, "request_in_progress");
        else expectStatus(answer, 201);
      }
      assert.equal((await workspace.read("/events", EventPage)).total, 1);
    },
    "accepts keys of at most 255 characters": async ({ acme, unique }) => {
      const postWithKey = (key: string) => acme.post(buildEvent(), { "idempotency-key": key });
      expectStatus(await postWithKey(unique("i").padEnd(255, "x")), 201);
      expectFaults(await postWithKey("x".repeat(256)), "Idempotency-Key");
    },
  }),
  ...createSection("Quota and rate limit", {
    "answers 429 above the rate limit, with Retry-After and the rate headers, and stores nothing": async (world) => {
      const workspace = await world.fresh();
      const answers = await Promise.all(Array.from({ length: 140 }, () => workspace.post(buildEvent())));
      const limited = answers.filter(({ status }) => status === 429);
      assert.ok(limited.length > 0, "140 events at once met no limit");
      for (const answer of limited) {
        expectProblem(answer, 429, "rate_limited");
        assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
        assert.ok(answer.headers.get("ratelimit") !== null && answer.headers.get("ratelimit-policy") !== null);
      }
      const stored = answers.filter(({ status }) => status === 201).length;
      assert.equal(stored + limited.length, answers.length);
      assert.equal((await workspace.read("/events?limit=1", EventPage)).total, stored);
    },
    "answers 403 above the monthly quota, with limit, used and resetAt, and accepts exactly the remaining events":
      async ({ tiny, client }) => {
        const [member] = tiny.members;
        const countEvents = async () => {
          const answer = await client("GET", `/v1/workspaces/${tiny.id}/events?limit=100`, { token: member?.token });
          const { items } = expectBody(answer, 200, EventPage);
          return items.filter(({ eventKey }) => !eventKey.startsWith("service.")).length;
        };
        const before = await countEvents();
        const postEvent = () => client("POST", "/v1/events", { apiKey: tiny.apiKey, body: buildEvent() });
        const answers: Answer[] = [];
        await retryUntilSuccess(async () => {
          answers.push(...(await Promise.all(Array.from({ length: 5 }, postEvent))));
          assert.ok(
            answers.some(({ status }) => status === 403),
            "the quota was never met",
          );
        });
        for (const answer of answers.filter(({ status }) => status === 403)) {
          const problem = expectProblem(answer, 403, "quota_exceeded");
          assert.equal(problem["limit"], tiny.plan.monthlyEvents);
          assert.equal(problem["used"], tiny.plan.monthlyEvents);
          assert.match(String(problem["resetAt"]), /^\d{4}-\d{2}-01T00:00:00\.000Z$/);
          assert.ok(problem.message.length > 0);
        }
        assert.equal(await countEvents(), before + answers.filter(({ status }) => status === 201).length);
        assert.equal(await countEvents(), tiny.plan.monthlyEvents);
      },
    "answers a duplicate 200 even if the quota is used up, and does not count it": async (world) => {
      const workspace = await world.fresh();
      const dedupeKey = world.unique("d");
      await sendEvent(workspace, { dedupeKey });
      for (let index = 0; index < 3; index += 1) expectStatus(await workspace.post(buildEvent({ dedupeKey })), 200);
    },
  }),
  ...createSection("GET /v1/events/ping", {
    "names the workspace of the key": async ({ acme, client, session }) => {
      const answer = await client("GET", "/v1/events/ping", { apiKey: acme.apiKey });
      const ping = expectBody(answer, 200, Ping);
      assert.equal(ping.workspaceId, acme.id);
      assert.equal(ping.workspaceName, session.workspaces.find(({ id }) => id === acme.id)?.name);
    },
  }),
  ...createSection("GET events", {
    "answers total, page, limit and items, newest first; by default page 1 with 50 items": async (world) => {
      const workspace = await world.fresh();
      const ids = [];
      for (let index = 0; index < 3; index += 1) ids.push(await sendEvent(workspace));
      const page = await workspace.read("/events", EventPage);
      assert.deepEqual([page.total, page.page, page.limit], [3, 1, 50]);
      assert.deepEqual(
        page.items.map(({ id }) => id),
        ids.toReversed(),
      );
    },
    "lists each event on one page, and total is their number": async (world) => {
      const workspace = await world.fresh();
      await Promise.all(Array.from({ length: 11 }, () => sendEvent(workspace)));
      const seen = new Set<string>();
      for (const page of [1, 2, 3, 4]) {
        const { total, items } = await workspace.read(`/events?page=${page}&limit=3`, EventPage);
        assert.equal(total, 11);
        assert.equal(items.length, page === 4 ? 2 : 3);
        for (const { id } of items) seen.add(id);
      }
      assert.equal(seen.size, 11);
    },
    "answers an empty page after the last one": async ({ acme }) => {
      for (const page of ["1000000", "1e6"])
        assert.deepEqual((await acme.read(`/events?page=${page}`, EventPage)).items, []);
    },
    "lowers a limit above 100 to 100, and answers the limit used": async ({ acme }) => {
      assert.equal((await acme.read("/events?limit=1000", EventPage)).limit, 100);
    },
    "answers 422 if page or limit is below 1 or not an integer": async ({ acme }) => {
      for (const value of ["0", "-1", "1.5", "x", ""]) {
        expectFaults(await acme.ask("GET", `/events?page=${value}`), "page");
        expectFaults(await acme.ask("GET", `/events?limit=${value}`), "limit");
      }
      expectFaults(await acme.ask("GET", "/events?page=0&limit=0"), "page", "limit");
    },
    "counts the created notifications in _count.notifications": async (world) => {
      const workspace = await world.fresh();
      const groupId = await createGroup(workspace, workspace.people);
      await createRule(workspace, { eventKey: "*", groupId });
      const eventId = await sendEvent(workspace);
      await waitForSent(workspace, eventId);
      const { items } = await workspace.read("/events", EventPage);
      assert.equal(items[0]?._count.notifications, 2);
    },
  }),
  ...createSection("GET event", {
    "shows the payload, and the notifications with their status": async (world) => {
      const workspace = await world.fresh();
      const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
      const rule = await createRule(workspace, { eventKey: "*", groupId });
      const sent = { title: "T", body: "B", detail: "D", data: { a: 1 }, url: "https://a.example", priority: "HIGH" };
      const eventId = await sendEvent(workspace, sent);
      const event = await retryUntilSuccess(async () => {
        const found = await workspace.read(`/events/${eventId}`, Event);
        assert.equal(found.notifications.length, 1);
        return found;
      });
      for (const [field, value] of Object.entries(sent))
        assert.deepEqual(Object.entries(event).find(([name]) => name === field)?.[1], value);
      assert.deepEqual(
        event.matchedRules.map(({ id }) => id),
        [rule.id],
      );
      assert.equal(event.notifications[0]?.event.id, eventId);
      expectStatus(await workspace.ask("GET", `/events/${eventId}/notifications`), 200);
    },
    "answers 404 to an unknown event, another workspace's event and an invalid id": async ({ acme, globex }) => {
      const foreign = await sendEvent(globex);
      for (const id of [foreign, "evt_00000000000000000000", "nothing", "a%23b", "..%2Fx", "x".repeat(3000)])
        expectProblem(await acme.ask("GET", `/events/${id}`), 404, "not_found");
    },
  }),
];
