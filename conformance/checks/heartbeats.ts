import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Heartbeat, HeartbeatCall, HeartbeatWithUrl, WrittenHeartbeat } from "../shapes.ts";
import { createGroup, createRule, type WorkspaceClient, type World } from "../world.ts";

const postHeartbeat = (workspace: WorkspaceClient, fields: object = {}) =>
  workspace.ask("POST", "/heartbeats", { name: "conformance", everySeconds: 3600, ...fields });

const createHeartbeat = async (
  workspace: WorkspaceClient,
  fields: object = {},
): Promise<v.InferOutput<typeof HeartbeatWithUrl>> =>
  expectBody(await postHeartbeat(workspace, fields), 201, HeartbeatWithUrl);

/** Calls the URL of a heartbeat without credentials. */
const callHeartbeat = ({ client }: World, url: string, method = "GET") => client(method, new URL(url).pathname, {});

export const heartbeats = createSection("Heartbeats", {
  "creates a heartbeat: 201 with all fields, their defaults and the URL to call": async ({ acme }) => {
    const heartbeat = await createHeartbeat(acme);
    assert.deepEqual(
      [heartbeat.workspaceId, heartbeat.everySeconds, heartbeat.graceSeconds, heartbeat.priority, heartbeat.paused],
      [acme.id, 3600, 60, "HIGH", false],
    );
    assert.deepEqual([heartbeat.status, heartbeat.lastCallAt, heartbeat.missedSince], ["new", null, null]);
    assert.equal(Date.parse(heartbeat.missedAfter ?? "") - Date.parse(heartbeat.createdAt), 3_660_000);
    await acme.ask("DELETE", `/heartbeats/${heartbeat.id}`);
  },
  "answers 422 to invalid values, and names the field": async ({ acme }) => {
    expectFaults(await acme.ask("POST", "/heartbeats", {}), "name", "everySeconds");
    for (const [fields, field] of [
      [{ name: "" }, "name"],
      [{ everySeconds: 0 }, "everySeconds"],
      [{ everySeconds: 9 }, "everySeconds"],
      [{ everySeconds: 60.5 }, "everySeconds"],
      [{ everySeconds: "60" }, "everySeconds"],
      [{ everySeconds: 366 * 86_400 + 1 }, "everySeconds"],
      [{ graceSeconds: -1 }, "graceSeconds"],
      [{ priority: "high" }, "priority"],
      [{ paused: "no" }, "paused"],
      [{ every: 60 }, "every"],
    ] as const)
      expectFaults(await postHeartbeat(acme, fields), field);
    const { id } = await createHeartbeat(acme);
    expectFaults(await acme.ask("PATCH", `/heartbeats/${id}`, { id: "hb_1" }), "id");
    expectFaults(await acme.ask("PATCH", `/heartbeats/${id}`, { newUrl: false }), "newUrl");
    await acme.ask("DELETE", `/heartbeats/${id}`);
  },
  "stores the priority CRITICAL as URGENT": async ({ acme }) => {
    const { id, priority } = await createHeartbeat(acme, { priority: "CRITICAL" });
    assert.equal(priority, "URGENT");
    await acme.ask("DELETE", `/heartbeats/${id}`);
  },
  "accepts a call by GET or POST without a key or a session": async (world) => {
    const { id, url } = await createHeartbeat(world.acme);
    for (const method of ["GET", "POST"]) {
      const answer = expectBody(await callHeartbeat(world, url, method), 200, HeartbeatCall);
      assert.equal(answer.name, "conformance");
      const now = await world.acme.read(`/heartbeats/${id}`, Heartbeat);
      assert.equal(now.status, "up");
      assert.equal(now.missedAfter, answer.nextBefore);
      assert.ok(now.lastCallAt !== null);
    }
    await world.acme.ask("DELETE", `/heartbeats/${id}`);
  },
  "lists and reads a heartbeat without its URL; changes, pauses and resumes it": async ({ acme }) => {
    const { id } = await createHeartbeat(acme);
    const listed = await acme.read("/heartbeats", v.array(Heartbeat));
    assert.ok(listed.some((heartbeat) => heartbeat.id === id));

    const changed = expectBody(
      await acme.ask("PATCH", `/heartbeats/${id}`, { name: "renamed", graceSeconds: 0, paused: true }),
      200,
      WrittenHeartbeat,
    );
    assert.deepEqual(
      [changed.name, changed.graceSeconds, changed.everySeconds, changed.status, changed.missedAfter],
      ["renamed", 0, 3600, "paused", null],
    );
    const resumed = expectBody(await acme.ask("PATCH", `/heartbeats/${id}`, { paused: false }), 200, WrittenHeartbeat);
    assert.equal(resumed.status, "new");
    assert.ok(resumed.missedAfter !== null);
    await acme.ask("DELETE", `/heartbeats/${id}`);
  },
  "warns at POST and PATCH if no enabled rule matches a missed call": async ({ fresh }) => {
    const workspace = await fresh();
    const { id, warnings } = await createHeartbeat(workspace);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ["no_rule"],
    );
    await createRule(workspace, { eventKey: "heartbeat.*", groupId: await createGroup(workspace) });
    const changed = expectBody(
      await workspace.ask("PATCH", `/heartbeats/${id}`, { name: "other" }),
      200,
      WrittenHeartbeat,
    );
    assert.deepEqual(changed.warnings, []);
  },
  "replaces the old URL by a new one": async (world) => {
    const { id, url } = await createHeartbeat(world.acme);
    const renewed = expectBody(
      await world.acme.ask("PATCH", `/heartbeats/${id}`, { newUrl: true }),
      200,
      HeartbeatWithUrl,
    );
    expectProblem(await callHeartbeat(world, url), 404, "not_found");
    expectStatus(await callHeartbeat(world, renewed.url), 200);
    await world.acme.ask("DELETE", `/heartbeats/${id}`);
  },
  "answers 404 to a deleted heartbeat and to an invalid URL": async (world) => {
    const { id, url } = await createHeartbeat(world.acme);
    expectStatus(await world.acme.ask("DELETE", `/heartbeats/${id}`), 204);
    expectProblem(await world.acme.ask("GET", `/heartbeats/${id}`), 404, "not_found");
    expectProblem(await world.acme.ask("DELETE", `/heartbeats/${id}`), 404, "not_found");
    expectProblem(await callHeartbeat(world, url), 404, "not_found");
    expectProblem(await world.client("POST", "/v1/heartbeats/nothing", {}), 404, "not_found");
  },
});
