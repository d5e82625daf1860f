import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { ApiKey, EventPage, NewApiKey } from "../shapes.ts";
import { anEvent, makeGroup, send, type World } from "../world.ts";

const lists = ["", "/members", "/api-keys", "/routing-rules", "/groups", "/events", "/notifications", "/devices"];
const more = ["/escalation-policies", "/silences", "/event-types", "/sites"];

const corruptSignature = (token: string): string => `${token.slice(0, -4)}${token.endsWith("AAAA") ? "BBBB" : "AAAA"}`;
/** Returns an unsigned token (`alg: none`) with the same claims. */
const removeSignature = (token: string): string => {
  const head = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
  return `${head}.${token.split(".")[1] ?? ""}.`;
};

/** Requests every list of Acme with the token, and expects the status. */
const expectStatusOfLists = async (world: World, token: string | undefined, status: number): Promise<void> => {
  for (const path of [...lists, ...more])
    expectStatus(await world.client("GET", `/v1/workspaces/${world.acme.id}${path}`, { token }), status);
};

export const access = [
  ...createSection("Authentication: API keys", {
    "no key, an empty one, a mistyped one and two of them are 401": async ({ acme, client }) => {
      const key = acme.apiKey;
      const swapped = key.replace(/(.)(.)(.{12})$/, "$2$1$3");
      for (const apiKey of [
        undefined,
        "",
        "x",
        `${key}x`,
        key.slice(1),
        swapped === key ? `${key}y` : swapped,
        `${key},${key}`,
      ]) {
        expectProblem(await client("POST", "/v1/events", { apiKey, body: anEvent() }), 401, "unauthenticated");
        expectProblem(await client("GET", "/v1/events/ping", { apiKey }), 401, "unauthenticated");
      }
    },
    "a key of an unknown workspace is 401": async ({ acme, client }) => {
      const [, workspace = ""] = acme.apiKey.split("_");
      const apiKey = acme.apiKey.replace(workspace, "0".repeat(workspace.length));
      expectProblem(await client("GET", "/v1/events/ping", { apiKey }), 401, "unauthenticated");
    },
    "a key in the query or as a bearer token is 401": async ({ acme, client }) => {
      const query = `?apiKey=${acme.apiKey}&x-api-key=${acme.apiKey}`;
      expectStatus(await client("GET", `/v1/events/ping${query}`), 401);
      expectStatus(await client("GET", "/v1/events/ping", { token: acme.apiKey }), 401);
    },
    "a session token opens no public endpoint": async ({ acme, client }) => {
      const { token } = acme.owner;
      expectStatus(await client("POST", "/v1/events", { token, body: anEvent() }), 401);
      expectStatus(await client("GET", "/v1/events/ping", { token }), 401);
      expectStatus(await client("GET", "/v1/events/ping", { apiKey: token }), 401);
    },
    "the header's name is taken in any case": async ({ acme, client }) => {
      expectStatus(await client("GET", "/v1/events/ping", { headers: { "X-API-KEY": acme.apiKey } }), 200);
    },
    "an event goes to the workspace of its key, and to no other": async ({ acme, globex, unique }) => {
      const title = unique("only here ");
      await send(acme, { title });
      const listEventTitles = async (workspace: typeof acme) =>
        (await workspace.read("/events?limit=100", EventPage)).items.map((item) => item.title);
      assert.ok((await listEventTitles(acme)).includes(title));
      assert.ok(!(await listEventTitles(globex)).includes(title));
    },
    "who sends nonsense with a bad key is told of the key only": async ({ client }) => {
      expectProblem(await client("POST", "/v1/events", { apiKey: "x", body: {} }), 401, "unauthenticated");
    },
  }),
  ...createSection("Authentication: sessions", {
    "no token is 401, on every endpoint of a workspace": async (world) => {
      await expectStatusOfLists(world, undefined, 401);
    },
    "a token with a broken signature is 401": async (world) => {
      await expectStatusOfLists(world, corruptSignature(world.acme.owner.token), 401);
    },
    "a token without a signature is 401": async ({ acme, client }) => {
      expectStatus(await client("GET", "/v1/workspaces", { token: removeSignature(acme.owner.token) }), 401);
    },
    "something that is no token is 401": async ({ client }) => {
      for (const token of ["x", "a.b.c", "null"]) expectStatus(await client("GET", "/v1/workspaces", { token }), 401);
    },
    "an API key opens no endpoint of a workspace": async (world) => {
      const { acme, client } = world;
      expectStatus(await client("GET", `/v1/workspaces/${acme.id}/events`, { apiKey: acme.apiKey }), 401);
      await expectStatusOfLists(world, acme.apiKey, 401);
    },
    "who is no member gets 403, on every endpoint of a workspace": async (world) => {
      const { acme, client, session } = world;
      for (const path of [...lists, ...more])
        expectProblem(
          await client("GET", `/v1/workspaces/${acme.id}${path}`, { token: session.outsider.token }),
          403,
          "not_a_member",
        );
    },
    "a member of another workspace is no member here": async ({ acme, globex }) => {
      const answer = await acme.as(globex.owner, "POST", "/groups", { name: "intruder" });
      expectProblem(answer, 403, "not_a_member");
      expectProblem(await acme.as(globex.owner, "GET", "/groups"), 403, "not_a_member");
    },
    "a workspace that does not exist is answered the same": async ({ client, session }) => {
      const { token } = session.outsider;
      const real = await client("GET", `/v1/workspaces/${session.workspaces[0]?.id ?? ""}`, { token });
      const other = await client("GET", "/v1/workspaces/ws_0000000000000000", { token });
      const shape = v.looseObject({ detail: v.string() });
      assert.deepEqual(expectBody(other, 403, shape).detail, expectBody(real, 403, shape).detail);
    },
    "who may not is told that before what is wrong with the body": async ({ acme, session, client }) => {
      const path = `/v1/workspaces/${acme.id}/groups`;
      expectStatus(await client("POST", path, { token: session.outsider.token, body: "{" }), 403);
    },
  }),
  ...createSection("API keys", {
    "creating one answers 201 with id, name, key and createdAt; the key works at once": async ({ acme, client }) => {
      const made = await acme.create("/api-keys", { name: "New" }, NewApiKey);
      assert.equal(made.name, "New");
      expectStatus(await client("GET", "/v1/events/ping", { apiKey: made.key }), 200);
      expectStatus(await client("POST", "/v1/events", { apiKey: made.key, body: anEvent() }), 201);
      await acme.ask("DELETE", `/api-keys/${made.id}`);
    },
    "the list shows names and dates, and never a key": async ({ acme }) => {
      const made = await acme.create("/api-keys", { name: "Listed" }, NewApiKey);
      const { key: secret, ...shown } = made;
      const answer = await acme.ask("GET", "/api-keys");
      const keys = expectBody(answer, 200, v.array(ApiKey));
      assert.deepEqual(
        keys.find(({ id }) => id === made.id),
        { ...shown, lastUsedAt: null },
      );
      assert.ok(!JSON.stringify(answer.body).includes(secret));
      const one = await acme.read(`/api-keys/${made.id}`, ApiKey);
      assert.equal(one.name, "Listed");
      await acme.ask("DELETE", `/api-keys/${made.id}`);
    },
    "deleting one answers 204, and the very next request with it 401": async ({ acme, client }) => {
      const made = await acme.create("/api-keys", { name: "Gone" }, NewApiKey);
      const postEvent = () => client("POST", "/v1/events", { apiKey: made.key, body: anEvent() });
      expectStatus(await postEvent(), 201);
      const deleted = expectStatus(await acme.ask("DELETE", `/api-keys/${made.id}`), 204);
      assert.equal(deleted.body, undefined);
      expectProblem(await postEvent(), 401, "unauthenticated");
      expectStatus(await client("GET", "/v1/events/ping", { apiKey: made.key }), 401);
      expectProblem(await acme.ask("DELETE", `/api-keys/${made.id}`), 404, "not_found");
    },
    "the other keys of the workspace go on": async ({ acme, client }) => {
      const made = await acme.create("/api-keys", { name: "Gone" }, NewApiKey);
      await acme.ask("DELETE", `/api-keys/${made.id}`);
      expectStatus(await client("GET", "/v1/events/ping", { apiKey: acme.apiKey }), 200);
    },
    "one with event keys sends those and no others": async ({ acme, client }) => {
      const input = { name: "Orders", eventKeys: ["order.*"] };
      const made = await acme.create("/api-keys", input, NewApiKey);
      const postEvent = (event: string) => client("POST", "/v1/events", { apiKey: made.key, body: anEvent({ event }) });
      expectStatus(await postEvent("order.failed"), 201);
      expectProblem(await postEvent("disk.full"), 403, "key_scope");
      await acme.ask("DELETE", `/api-keys/${made.id}`);
    },
    "a name is required, of 1 to 100 characters": async ({ acme }) => {
      for (const body of [{}, { name: "" }, { name: "x".repeat(101) }, { name: 5 }])
        expectFaults(await acme.ask("POST", "/api-keys", body), "name");
    },
    "a key of another workspace is not found": async ({ acme, globex, client }) => {
      const foreign = await globex.create("/api-keys", { name: "Foreign" }, NewApiKey);
      expectProblem(await acme.ask("DELETE", `/api-keys/${foreign.id}`), 404, "not_found");
      expectStatus(await client("GET", "/v1/events/ping", { apiKey: foreign.key }), 200);
      await globex.ask("DELETE", `/api-keys/${foreign.id}`);
    },
  }),
  ...createSection("Errors", {
    "an error is a problem document with code, message and requestId": async ({ acme }) => {
      const problem = expectProblem(await acme.ask("GET", "/groups/grp_0000000000000000/members"), 404, "not_found");
      assert.ok(problem.requestId.length > 0);
    },
    "a 422 lists every fault with its field": async ({ acme }) => {
      const body = { name: "", eventKey: "service.x", targets: [], requiresAck: "yes", priorityOverride: "LOUD" };
      expectFaults(await acme.ask("POST", "/routing-rules", body), ...Object.keys(body));
    },
    "internal endpoints refuse bodies as the public one does: 400, 413, 415": async ({ acme, client }) => {
      const postGroup = (body: string, contentType = "application/json") =>
        client("POST", `/v1/workspaces/${acme.id}/groups`, {
          token: acme.owner.token,
          headers: { "content-type": contentType },
          body,
        });
      expectProblem(await postGroup("{"), 400, "malformed_json");
      expectProblem(await postGroup("[]"), 400, "malformed_json");
      expectProblem(await postGroup('{"name":"x"}', "text/plain"), 415, "unsupported_media_type");
      expectProblem(await postGroup(`{"name":"x"}${" ".repeat(262_144)}`), 413, "body_too_large");
    },
    "a query parameter that does not exist is 422": async ({ acme }) => {
      for (const [path, name] of [
        ["/events?status=open", "status"],
        ["/events?limt=5", "limt"],
        ["/notifications?page=2", "page"],
        ["/groups?name=x", "name"],
        ["/routing-rules?enabled=true", "enabled"],
      ] as const)
        expectFaults(await acme.ask("GET", path), name);
    },
    "what is no id is 404 on every path": async (world) => {
      const groupId = await makeGroup(world.acme);
      for (const id of ["nothing", "a%23b", "..%2F..", "%00", "x".repeat(3000), "grp_%2e"]) {
        for (const path of [
          `/groups/${id}/members`,
          `/events/${id}`,
          `/escalation-policies/${id}`,
          `/groups/${id}/on-call`,
        ])
          expectProblem(await world.acme.ask("GET", path), 404, "not_found");
        expectProblem(await world.acme.ask("DELETE", `/groups/${groupId}/members/${id}`), 404, "not_found");
        expectProblem(await world.acme.ask("PATCH", `/routing-rules/${id}`, { enabled: true }), 404, "not_found");
      }
      await world.acme.ask("DELETE", `/groups/${groupId}`);
    },
  }),
  ...createSection("Versioning", {
    "every path begins with /v1; others are not found": async ({ acme, client }) => {
      for (const path of ["/events", "/v2/events", "/v1/event", "/v1"])
        expectStatus(await client("POST", path, { apiKey: acme.apiKey, body: anEvent() }), 404);
    },
    "an unknown path is told what was probably meant": async ({ client, acme }) => {
      for (const [method, path, meant] of [
        ["POST", "/events", "/v1/events"],
        ["POST", "//v1/events", "/v1/events"],
        ["POST", "/v1//events", "/v1/events"],
        ["POST", "/v1/events//", "/v1/events"],
        ["GET", "//v1/events/ping", "/v1/events/ping"],
        ["POST", "/v1/event", "/v1/events"],
        ["GET", "/v1/events/pnig", "/v1/events/ping"],
        ["GET", `/v1/workspaces/${acme.id}/group`, "/v1/workspaces/:workspaceId/groups"],
      ] as const) {
        const { detail } = expectProblem(await client(method, path, {}), 404, "unknown_path");
        assert.ok(detail.includes(meant), `${method} ${path}: ${detail}`);
      }
    },
    "after a path that programs post to, a slash at the end is the same path": async ({ acme, client }) => {
      const { apiKey } = acme;
      expectStatus(await client("POST", "/v1/events/", { apiKey, body: anEvent() }), 201);
      const alert = { message: "Disk full", alias: "disk-1" };
      expectStatus(await client("POST", "/v1/events/from/opsgenie/", { apiKey, body: alert }), 202);
      expectStatus(await client("POST", "/v1/events/from/opsgenie/v2/alerts/", { apiKey, body: alert }), 202);
      const close = "/v1/events/from/opsgenie/v2/alerts/disk-1/close/?identifierType=alias";
      expectStatus(await client("POST", close, { apiKey, body: {} }), 202);
      expectProblem(await client("POST", "/v1/events/", {}), 401, "unauthenticated");
    },
    "HEAD is GET without a body": async ({ acme, client }) => {
      const { token } = acme.owner;
      const answers = [
        await client("HEAD", "/v1/events/ping", { apiKey: acme.apiKey }),
        await client("HEAD", `/v1/workspaces/${acme.id}/groups`, { token }),
      ];
      for (const answer of answers) {
        expectStatus(answer, 200);
        assert.equal(answer.body, undefined);
      }
      expectStatus(await client("HEAD", `/v1/workspaces/${acme.id}/groups`, {}), 401);
    },
    "a method that a path does not have is 405, with those that it has": async ({ client, acme }) => {
      const answer = await client("PUT", `/v1/workspaces/${acme.id}/groups`, { token: acme.owner.token, body: {} });
      expectProblem(answer, 405, "method_not_allowed");
      assert.deepEqual(answer.headers.get("allow")?.split(", ").sort(), ["GET", "POST"]);
      const get = await client("GET", "/v1/events", { apiKey: acme.apiKey });
      assert.ok(expectProblem(get, 405, "method_not_allowed").detail.includes("POST"));
    },
  }),
];
