import assert from "node:assert/strict";
import { createSection } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Accepted, Event, NewApiKey } from "../shapes.ts";
import { buildEvent, sendEvent, sendAndReadEvent, sendAsAcme, type World } from "../world.ts";

const postEvent = ({ acme }: World, fields: object) => acme.post(buildEvent(fields));
/** Expects that an event with given fields is refused. `faults`: the paths of the faulty fields; default: all fields. */
const expectRefusal = async (world: World, fields: object, ...faults: string[]) =>
  expectFaults(await postEvent(world, fields), ...(faults.length > 0 ? faults : Object.keys(fields)));

const nestObjects = (depth: number): object => (depth === 1 ? { leaf: "x" } : { inner: nestObjects(depth - 1) });

export const eventFields = [
  ...createSection("Events: the key", {
    "accepts resource.action in lowercase letters, digits and underscores": async (world) => {
      for (const event of ["a.b", "order_1.item_2_added", "0.0", "_._"]) await sendAsAcme(world, { event });
    },
    "answers 422 to any other value": async (world) => {
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
    "refuses the prefix service., also with spaces or in upper case": async (world) => {
      for (const event of ["service.down", "Service.down", " service.down", "service.down "])
        await expectRefusal(world, { event });
    },
    "accepts an event key that only begins like the reserved prefix": async (world) => {
      await sendAsAcme(world, { event: "services.down" });
    },
    "accepts the same event key with any of the workspace's API keys": async (world) => {
      const { acme, unique } = world;
      const event = `${unique("k")}.x`;
      const made = await acme.ask("POST", "/api-keys", { name: "second sender" });
      const { id, key } = expectBody(made, 201, NewApiKey);
      await sendEvent(acme, { event });
      expectStatus(await world.client("POST", "/v1/events", { apiKey: key, body: buildEvent({ event }) }), 201);
      await acme.ask("DELETE", `/api-keys/${id}`);
    },
  }),
  ...createSection("Events: title and body", {
    "requires event, title and body, and names each missing field": async (world) => {
      expectFaults(await world.acme.post({}), "event", "title", "body");
    },
    "accepts titles of at most 200 characters": async (world) => {
      await sendAsAcme(world, { title: "x".repeat(200) });
      await expectRefusal(world, { title: "x".repeat(201) });
    },
    "counts characters as Unicode code points": async (world) => {
      await sendAsAcme(world, { title: "🙂".repeat(200) });
      await expectRefusal(world, { title: "🙂".repeat(201) });
    },
    "accepts bodies of at most 2000 characters": async (world) => {
      await sendAsAcme(world, { body: "x".repeat(2000) });
      await expectRefusal(world, { body: "x".repeat(2001) });
    },
    "refuses an empty or null title or body, or one of another type": async (world) => {
      for (const value of ["", 5, null, {}, []])
        await expectRefusal(world, { title: value, body: value }, "title", "body");
    },
    "stores title and body unchanged, without replacing placeholders": async (world) => {
      const title = "{{data.amount}} ${data.amount} %s 🙂";
      const event = await sendAndReadEvent(world, { title, body: title, data: { amount: 5 } });
      assert.equal(event.title, title);
      assert.equal(event.body, title);
    },
    "replaces NUL and unpaired surrogates by U+FFFD, with a warning": async (world) => {
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
    "accepts LOW, NORMAL, HIGH and URGENT, and shows them unchanged": async (world) => {
      for (const priority of ["LOW", "NORMAL", "HIGH", "URGENT"])
        assert.equal((await sendAndReadEvent(world, { priority })).priority, priority);
    },
    "accepts CRITICAL as an alias, and shows it as URGENT": async (world) => {
      assert.equal((await sendAndReadEvent(world, { priority: "CRITICAL" })).priority, "URGENT");
    },
    "uses NORMAL by default": async (world) => {
      assert.equal((await sendAndReadEvent(world, {})).priority, "NORMAL");
    },
    "answers 422 to any other value": async (world) => {
      for (const priority of ["urgent", "", "HIGHEST", 1]) await expectRefusal(world, { priority });
    },
  }),
  ...createSection("Events: detail, url, dedupeKey, requiresAck", {
    "accepts a detail of at most 10,000 characters": async (world) => {
      assert.equal((await sendAndReadEvent(world, { detail: "x".repeat(10_000) })).detail?.length, 10_000);
      await expectRefusal(world, { detail: "x".repeat(10_001) });
    },
    "accepts a url of at most 2,048 characters, and warns if it is not an http or https URL": async (world) => {
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
    "ignores an empty detail, url, dedupeKey or resolves, with a warning": async (world) => {
      const empty = { detail: "", url: "", dedupeKey: "", resolves: "" };
      const { eventId, warnings = [] } = expectBody(await postEvent(world, empty), 201, Accepted);
      const event = await world.acme.read(`/events/${eventId}`, Event);
      assert.deepEqual([event.detail, event.url, event.dedupeKey, event.resolves], [null, null, null, null]);
      assert.deepEqual(
        warnings.map(({ field, code }) => `${field} ${code}`),
        Object.keys(empty).map((field) => `${field} empty`),
      );
    },
    "accepts link as an alias of url, and prefers url": async (world) => {
      assert.equal((await sendAndReadEvent(world, { link: "https://link.example" })).url, "https://link.example");
      const both = await sendAndReadEvent(world, { link: "https://link.example", url: "https://url.example" });
      assert.equal(both.url, "https://url.example");
      assert.equal(
        (await sendAndReadEvent(world, { link: "nothing", url: "https://url.example" })).url,
        "https://url.example",
      );
      await expectRefusal(world, { link: 5 });
    },
    "lists the url and the links in data.links, each once, with its label": async (world) => {
      const url = "https://a.example/graph";
      const links = { Runbook: "https://a.example/runbook", Graph: url, Note: "no address" };
      assert.deepEqual((await sendAndReadEvent(world, { url, data: { links } })).links, [
        { label: "Graph", url },
        { label: "Runbook", url: "https://a.example/runbook" },
      ]);
      assert.deepEqual((await sendAndReadEvent(world, { url })).links, [{ label: null, url }]);
    },
    "accepts a dedupeKey of at most 512 characters": async (world) => {
      await sendAsAcme(world, { dedupeKey: world.unique("k").padEnd(512, "x") });
      for (const dedupeKey of ["x".repeat(513), 5]) await expectRefusal(world, { dedupeKey });
    },
    "accepts resolves of at most 512 characters, and shows it": async (world) => {
      const resolves = world.unique("k").padEnd(512, "x");
      assert.equal((await sendAndReadEvent(world, { resolves })).resolves, resolves);
      for (const wrong of ["x".repeat(513), 5]) await expectRefusal(world, { resolves: wrong });
    },
    "accepts true or false for requiresAck": async (world) => {
      assert.equal((await sendAndReadEvent(world, { requiresAck: false })).requiresAck, false);
      for (const requiresAck of ["true", 1]) await expectRefusal(world, { requiresAck });
    },
    "ignores optional fields that are null": async (world) => {
      const nulls = { priority: null, detail: null, data: null, url: null, dedupeKey: null, requiresAck: null };
      const { eventId } = expectBody(await postEvent(world, nulls), 201, Accepted);
      const event = await world.acme.read(`/events/${eventId}`, Event);
      assert.deepEqual(
        [event.priority, event.detail, event.data, event.url, event.dedupeKey, event.requiresAck],
        ["NORMAL", null, null, null, null, null],
      );
    },
    "ignores unknown fields, and suggests the field that was probably meant": async (world) => {
      const fields = { dedupe_key: "k", requires_ack: true, colour: "red" };
      const { eventId, warnings = [] } = expectBody(await postEvent(world, fields), 201, Accepted);
      assert.deepEqual(
        warnings.map(({ field, code }) => [field, code]),
        Object.keys(fields).map((field) => [field, "unknown_field"]),
      );
      assert.ok(warnings[0]?.message.includes("dedupeKey") && warnings[1]?.message.includes("requiresAck"));
      const event = await world.acme.read(`/events/${eventId}`, Event);
      assert.ok(!JSON.stringify(event).includes("colour"));
      assert.equal((await sendAsAcme(world, {})).warnings, undefined);
    },
  }),
  ...createSection("Events: data", {
    "stores strings, numbers, booleans and objects of them unchanged": async (world) => {
      const data = { text: "x", number: 1.5, negative: -3, yes: true, inner: { deep: { deeper: "y" } } };
      assert.deepEqual((await sendAndReadEvent(world, { data })).data, data);
    },
    "refuses arrays, null and data that is not an object, and names each path": async (world) => {
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
    "accepts data of at most 32 KiB and 16 levels": async (world) => {
      await sendAsAcme(world, { data: { text: "x".repeat(32_000) } });
      await expectRefusal(world, { data: { text: "x".repeat(33_000) } });
      await sendAsAcme(world, { data: nestObjects(16) });
      expectProblem(await postEvent(world, { data: nestObjects(17) }), 422, "invalid_input");
    },
    "refuses numbers that cannot be stored exactly": async (world) => {
      const { acme, client } = world;
      for (const number of ["1e400", "1e-131", "123456789012345678901234567890123456789"]) {
        const body = JSON.stringify(buildEvent({ data: { n: 0 } })).replace('"n":0', `"n":${number}`);
        expectProblem(await client("POST", "/v1/events", { apiKey: acme.apiKey, body }), 422, "invalid_input");
      }
    },
    "refuses the name __proto__, and stores the names constructor and toString": async (world) => {
      const { acme, client } = world;
      const body = JSON.stringify(buildEvent()).replace("{", '{"data":{"__proto__":{"a":1}},');
      expectProblem(await client("POST", "/v1/events", { apiKey: acme.apiKey, body }), 422, "invalid_input");
      const data = { constructor: "x", toString: "y" };
      assert.deepEqual((await sendAndReadEvent(world, { data })).data, data);
    },
  }),
];
