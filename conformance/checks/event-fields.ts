import assert from "node:assert/strict";
import { createSection } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Accepted, Event, NewApiKey } from "../shapes.ts";
import { anEvent, send, sendAndReadEvent, sendAcceptedEvent, type World } from "../world.ts";

const postEvent = ({ acme }: World, fields: object) => acme.post(anEvent(fields));
/** Expects that an event with these fields is refused. `faults`: the paths of the faulty fields; default: all fields. */
const expectRefusal = async (world: World, fields: object, ...faults: string[]) =>
  expectFaults(await postEvent(world, fields), ...(faults.length > 0 ? faults : Object.keys(fields)));

const nestObjects = (depth: number): object => (depth === 1 ? { leaf: "x" } : { inner: nestObjects(depth - 1) });

export const eventFields = [
  ...createSection("Events: the key", {
    "resource.action in lowercase letters, digits and underscores is taken": async (world) => {
      for (const event of ["a.b", "order_1.item_2_added", "0.0", "_._"]) await sendAcceptedEvent(world, { event });
    },
    "anything else is refused with 422": async (world) => {
      for (const event of [
        "",
        "order",
        "order.",
        ".created",
        "a.b.c",
        "Order.created",
        "order created.x",
        "ö.x",
        "*",
        "a.*",
      ])
        await expectRefusal(world, { event });
    },
    "the prefix service. is refused, in any disguise": async (world) => {
      for (const event of ["service.down", "Service.down", " service.down", "service.down "])
        await expectRefusal(world, { event });
    },
    "an event key that only begins like the reserved one is taken": async (world) => {
      await sendAcceptedEvent(world, { event: "services.down" });
    },
    "the same key may be sent with any of a workspace's API keys": async (world) => {
      const { acme, unique } = world;
      const event = `${unique("k")}.x`;
      const made = await acme.ask("POST", "/api-keys", { name: "second sender" });
      const { id, key } = expectBody(made, 201, NewApiKey);
      await send(acme, { event });
      expectStatus(await world.client("POST", "/v1/events", { apiKey: key, body: anEvent({ event }) }), 201);
      await acme.ask("DELETE", `/api-keys/${id}`);
    },
  }),
  ...createSection("Events: title and body", {
    "event, title and body are required, and every one that is missing is named": async (world) => {
      expectFaults(await world.acme.post({}), "event", "title", "body");
    },
    "title has at most 200 characters": async (world) => {
      await sendAcceptedEvent(world, { title: "x".repeat(200) });
      await expectRefusal(world, { title: "x".repeat(201) });
    },
    "characters are Unicode code points": async (world) => {
      await sendAcceptedEvent(world, { title: "🙂".repeat(200) });
      await expectRefusal(world, { title: "🙂".repeat(201) });
    },
    "body has at most 2000 characters": async (world) => {
      await sendAcceptedEvent(world, { body: "x".repeat(2000) });
      await expectRefusal(world, { body: "x".repeat(2001) });
    },
    "neither may be empty, another type or null": async (world) => {
      for (const value of ["", 5, null, {}, []])
        await expectRefusal(world, { title: value, body: value }, "title", "body");
    },
    "title and body are kept letter by letter: nothing is filled in": async (world) => {
      const title = "{{data.amount}} ${data.amount} %s 🙂";
      const event = await sendAndReadEvent(world, { title, body: title, data: { amount: 5 } });
      assert.equal(event.title, title);
      assert.equal(event.body, title);
    },
    "NUL and half surrogate pairs become U+FFFD, with a warning": async (world) => {
      const answer = await postEvent(world, { title: "a\u0000", body: "\ud800" });
      const { eventId, warnings = [] } = expectBody(answer, 201, Accepted);
      const event = await world.acme.read(`/events/${eventId}`, Event);
      assert.deepEqual([event.title, event.body], ["a\ufffd", "\ufffd"]);
      assert.deepEqual(
        warnings.map(({ field, code }) => `${field} ${code}`),
        ["title replaced", "body replaced"],
      );
    },
  }),
  ...createSection("Events: priority", {
    "LOW, NORMAL, HIGH and URGENT are taken and shown as they are": async (world) => {
      for (const priority of ["LOW", "NORMAL", "HIGH", "URGENT"])
        assert.equal((await sendAndReadEvent(world, { priority })).priority, priority);
    },
    "CRITICAL is an alias and shown as URGENT": async (world) => {
      assert.equal((await sendAndReadEvent(world, { priority: "CRITICAL" })).priority, "URGENT");
    },
    "NORMAL is the default": async (world) => {
      assert.equal((await sendAndReadEvent(world, {})).priority, "NORMAL");
    },
    "anything else is refused with 422": async (world) => {
      for (const priority of ["urgent", "", "HIGHEST", 1]) await expectRefusal(world, { priority });
    },
  }),
  ...createSection("Events: detail, url, dedupeKey, requiresAck", {
    "detail has at most 10,000 characters": async (world) => {
      assert.equal((await sendAndReadEvent(world, { detail: "x".repeat(10_000) })).detail?.length, 10_000);
      await expectRefusal(world, { detail: "x".repeat(10_001) });
    },
    "url has at most 2,048 characters; what is no http or https address is said to be no link": async (world) => {
      assert.equal((await sendAndReadEvent(world, { url: "https://a.example/b?c=d" })).url, "https://a.example/b?c=d");
      for (const url of ["javascript:alert(1)", "ftp://a.example", "nothing"]) {
        const { eventId, warnings = [] } = expectBody(await postEvent(world, { url }), 201, Accepted);
        assert.deepEqual(
          warnings.map(({ field, code }) => `${field} ${code}`),
          ["url no_link"],
        );
        assert.equal((await world.acme.read(`/events/${eventId}`, Event)).url, url);
      }
      for (const url of [`https://a.example/${"x".repeat(2048)}`, 5]) await expectRefusal(world, { url });
    },
    "an empty detail, url, dedupeKey or resolves is none, with a warning": async (world) => {
      const empty = { detail: "", url: "", dedupeKey: "", resolves: "" };
      const { eventId, warnings = [] } = expectBody(await postEvent(world, empty), 201, Accepted);
      const event = await world.acme.read(`/events/${eventId}`, Event);
      assert.deepEqual([event.detail, event.url, event.dedupeKey, event.resolves], [null, null, null, null]);
      assert.deepEqual(
        warnings.map(({ field, code }) => `${field} ${code}`),
        Object.keys(empty).map((field) => `${field} empty`),
      );
    },
    "link is taken for url, and url wins": async (world) => {
      assert.equal((await sendAndReadEvent(world, { link: "https://link.example" })).url, "https://link.example");
      const both = await sendAndReadEvent(world, { link: "https://link.example", url: "https://url.example" });
      assert.equal(both.url, "https://url.example");
      assert.equal(
        (await sendAndReadEvent(world, { link: "nothing", url: "https://url.example" })).url,
        "https://url.example",
      );
      await expectRefusal(world, { link: 5 });
    },
    "links are the url and what data.links names, each once, with its label": async (world) => {
      const url = "https://a.example/graph";
      const links = { Runbook: "https://a.example/runbook", Graph: url, Note: "no address" };
      assert.deepEqual((await sendAndReadEvent(world, { url, data: { links } })).links, [
        { label: "Graph", url },
        { label: "Runbook", url: "https://a.example/runbook" },
      ]);
      assert.deepEqual((await sendAndReadEvent(world, { url })).links, [{ label: null, url }]);
    },
    "dedupeKey has at most 512 characters": async (world) => {
      await sendAcceptedEvent(world, { dedupeKey: world.unique("k").padEnd(512, "x") });
      for (const dedupeKey of ["x".repeat(513), 5]) await expectRefusal(world, { dedupeKey });
    },
    "resolves has at most 512 characters, too, and is shown": async (world) => {
      const resolves = world.unique("k").padEnd(512, "x");
      assert.equal((await sendAndReadEvent(world, { resolves })).resolves, resolves);
      for (const wrong of ["x".repeat(513), 5]) await expectRefusal(world, { resolves: wrong });
    },
    "requiresAck is true or false": async (world) => {
      assert.equal((await sendAndReadEvent(world, { requiresAck: false })).requiresAck, false);
      for (const requiresAck of ["true", 1]) await expectRefusal(world, { requiresAck });
    },
    "null for a field that may be left out is no field": async (world) => {
      const nulls = { priority: null, detail: null, data: null, url: null, dedupeKey: null, requiresAck: null };
      const { eventId } = expectBody(await postEvent(world, nulls), 201, Accepted);
      const event = await world.acme.read(`/events/${eventId}`, Event);
      assert.deepEqual(
        [event.priority, event.detail, event.data, event.url, event.dedupeKey, event.requiresAck],
        ["NORMAL", null, null, null, null, null],
      );
    },
    "other fields are not kept, and the answer names them with the one that was meant": async (world) => {
      const fields = { dedupe_key: "k", requires_ack: true, colour: "red" };
      const { eventId, warnings = [] } = expectBody(await postEvent(world, fields), 201, Accepted);
      assert.deepEqual(
        warnings.map(({ field, code }) => [field, code]),
        Object.keys(fields).map((field) => [field, "unknown_field"]),
      );
      assert.ok(warnings[0]?.message.includes("dedupeKey") && warnings[1]?.message.includes("requiresAck"));
      const event = await world.acme.read(`/events/${eventId}`, Event);
      assert.ok(!JSON.stringify(event).includes("colour"));
      assert.equal((await sendAcceptedEvent(world, {})).warnings, undefined);
    },
  }),
  ...createSection("Events: data", {
    "strings, numbers, booleans and objects of them are kept as they were sent": async (world) => {
      const data = { text: "x", number: 1.5, negative: -3, yes: true, inner: { deep: { deeper: "y" } } };
      assert.deepEqual((await sendAndReadEvent(world, { data })).data, data);
    },
    "arrays, null and anything but an object are refused, each with its path": async (world) => {
      await expectRefusal(world, { data: [] });
      await expectRefusal(world, { data: "x" });
      await expectRefusal(
        world,
        { data: { list: [1], nothing: null, inner: { list: [] } } },
        "data.list",
        "data.nothing",
        "data.inner.list",
      );
    },
    "it has at most 32 KiB and 16 levels": async (world) => {
      await sendAcceptedEvent(world, { data: { text: "x".repeat(32_000) } });
      await expectRefusal(world, { data: { text: "x".repeat(33_000) } });
      await sendAcceptedEvent(world, { data: nestObjects(16) });
      expectProblem(await postEvent(world, { data: nestObjects(17) }), 422, "invalid_input");
    },
    "numbers that cannot be kept are refused": async (world) => {
      const { acme, client } = world;
      for (const number of ["1e400", "1e-131", "123456789012345678901234567890123456789"]) {
        const body = JSON.stringify(anEvent({ data: { n: 0 } })).replace('"n":0', `"n":${number}`);
        expectProblem(await client("POST", "/v1/events", { apiKey: acme.apiKey, body }), 422, "invalid_input");
      }
    },
    "__proto__ is refused as a key; constructor and toString are kept": async (world) => {
      const { acme, client } = world;
      const body = JSON.stringify(anEvent()).replace("{", '{"data":{"__proto__":{"a":1}},');
      expectProblem(await client("POST", "/v1/events", { apiKey: acme.apiKey, body }), 422, "invalid_input");
      const data = { constructor: "x", toString: "y" };
      assert.deepEqual((await sendAndReadEvent(world, { data })).data, data);
    },
  }),
];
