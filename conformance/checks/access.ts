import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { ApiKey, EventPage, NewApiKey } from "../shapes.ts";
import { buildEvent, createGroup, sendEvent, type World } from "../world.ts";

const lists = ["", "/members", "/api-keys", "/routing-rules", "/groups", "/events", "/notifications", "/devices"];
const more = ["/escalation-policies", "/silences", "/event-types", "/sites"];

const corruptSignature = (token: string): string => `${token.slice(0, -4)}${token.endsWith("AAAA") ? "BBBB" : "AAAA"}`;
/** Returns an unsigned token (`alg: none`) with the claims of `token`. */
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
    "answers 401 to a request with no key, an empty key, a mistyped key or two keys": async ({ acme, client }) => {
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
        expectProblem(await client("POST", "/v1/events", { apiKey, body: buildEvent() }), 401, "unauthenticated");
        expectProblem(await client("GET", "/v1/events/ping", { apiKey }), 401, "unauthenticated");
      }
    },
    "answers 401 to a key of an unknown workspace": async ({ acme, client }) => {
      const [, workspace = ""] = acme.apiKey.split("_");
      const apiKey = acme.apiKey.replace(workspace, "0".repeat(workspace.length));
      expectProblem(await client("GET", "/v1/events/ping", { apiKey }), 401, "unauthenticated");
    },
    "answers 401 if the key is in the query or is sent as a bearer token": async ({ acme, client }) => {
      const query = `?apiKey=${acme.apiKey}&x-api-key=${acme.apiKey}`;
      expectStatus(await client("GET", `/v1/events/ping${query}`), 401);
      expectStatus(await client("GET", "/v1/events/ping", { token: acme.apiKey }), 401);
    },
    "refuses session tokens on public endpoints": async ({ acme, client }) => {
      const { token } = acme.owner;
      expectStatus(await client("POST", "/v1/events", { token, body: buildEvent() }), 401);
      expectStatus(await client("GET", "/v1/events/ping", { token }), 401);
      expectStatus(await client("GET", "/v1/events/ping", { apiKey: token }), 401);
    },
    "accepts the header's name in upper or lower case": async ({ acme, client }) => {
      expectStatus(await client("GET", "/v1/events/ping", { headers: { "X-API-KEY": acme.apiKey } }), 200);
    },
    "stores an event only in the workspace of its key": async ({ acme, globex, unique }) => {
      const title = unique("only here ");
      await sendEvent(acme, { title });
      const listEventTitles = async (workspace: typeof acme) =>
        (await workspace.read("/events?limit=100", EventPage)).items.map((item) => item.title);
      assert.ok((await listEventTitles(acme)).includes(title));
      assert.ok(!(await listEventTitles(globex)).includes(title));
    },
    "reports only the invalid key if the body is invalid, too": async ({ client }) => {
      expectProblem(await client("POST", "/v1/events", { apiKey: "x", body: {} }), 401, "unauthenticated");
    },
  }),
  ...createSection("Authentication: sessions", {
    "answers 401 without a token on every endpoint of a workspace": async (world) => {
      await expectStatusOfLists(world, undefined, 401);
    },
    "answers 401 to a token with an invalid signature": async (world) => {
      await expectStatusOfLists(world, corruptSignature(world.acme.owner.token), 401);
    },
    "answers 401 to a token without a signature": async ({ acme, client }) => {
      expectStatus(await client("GET", "/v1/workspaces", { token: removeSignature(acme.owner.token) }), 401);
    },
    "answers 401 to text that is not a token": async ({ client }) => {
      for (const token of ["x", "a.b.c", "null"]) expectStatus(await client("GET", "/v1/workspaces", { token }), 401);
    },
    "refuses API keys on the endpoints of a workspace": async (world) => {
      const { acme, client } = world;
      expectStatus(await client("GET", `/v1/workspaces/${acme.id}/events`, { apiKey: acme.apiKey }), 401);
      await expectStatusOfLists(world, acme.apiKey, 401);
    },
    "answers 403 to people who are not members, on every endpoint of a workspace": async (world) => {
      const { acme, client, session } = world;
      for (const path of [...lists, ...more])
        expectProblem(
          await client("GET", `/v1/workspaces/${acme.id}${path}`, { token: session.outsider.token }),
          403,
          "not_a_member",
        );
    },
    "answers 403 to members of another workspace": async ({ acme, globex }) => {
      const answer = await acme.as(globex.owner, "POST", "/groups", { name: "intruder" });
      expectProblem(answer, 403, "not_a_member");
      expectProblem(await acme.as(globex.owner, "GET", "/groups"), 403, "not_a_member");
    },
    "answers the same for a workspace that does not exist": async ({ client, session }) => {
      const { token } = session.outsider;
      const real = await client("GET", `/v1/workspaces/${session.workspaces[0]?.id ?? ""}`, { token });
      const other = await client("GET", "/v1/workspaces/ws_0000000000000000", { token });
      const shape = v.looseObject({ detail: v.string() });
      assert.deepEqual(expectBody(other, 403, shape).detail, expectBody(real, 403, shape).detail);
    },
    "checks the permission before the body": async ({ acme, session, client }) => {
      const path = `/v1/workspaces/${acme.id}/groups`;
      expectStatus(await client("POST", path, { token: session.outsider.token, body: "{" }), 403);
    },
  }),
  ...createSection("API keys", {
    "creates a key: 201 with id, name, key and createdAt; the key works at once": async ({ acme, client }) => {
      const made = await acme.create("/api-keys", { name: "New" }, NewApiKey);
      assert.equal(made.name, "New");
      expectStatus(await client("GET", "/v1/events/ping", { apiKey: made.key }), 200);
      expectStatus(await client("POST", "/v1/events", { apiKey: made.key, body: buildEvent() }), 201);
      await acme.ask("DELETE", `/api-keys/${made.id}`);
    },
    "lists names and dates of the keys, and never the keys themselves": async ({ acme }) => {
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
    "deletes a key: 204, and the next request with it gets 401": async ({ acme, client }) => {
      const made = await acme.create("/api-keys", { name: "Gone" }, NewApiKey);
      const postEvent = () => client("POST", "/v1/events", { apiKey: made.key, body: buildEvent() });
      expectStatus(await postEvent(), 201);
      const deleted = expectStatus(await acme.ask("DELETE", `/api-keys/${made.id}`), 204);
      assert.equal(deleted.body, undefined);
      expectProblem(await postEvent(), 401, "unauthenticated");
      expectStatus(await client("GET", "/v1/events/ping", { apiKey: made.key }), 401);
      expectProblem(await acme.ask("DELETE", `/api-keys/${made.id}`), 404, "not_found");
    },
    "leaves the workspace's other keys valid after a key is deleted": async ({ acme, client }) => {
      const made = await acme.create("/api-keys", { name: "Gone" }, NewApiKey);
      await acme.ask("DELETE", `/api-keys/${made.id}`);
      expectStatus(await client("GET", "/v1/events/ping", { apiKey: acme.apiKey }), 200);
    },
    "refuses events whose event key is not among those of the API key": async ({ acme, client }) => {
      const input = { name: "Orders", eventKeys: ["order.*"] };
      const made = await acme.create("/api-keys", input, NewApiKey);
      const postEvent = (event: string) =>
        client("POST", "/v1/events", { apiKey: made.key, body: buildEvent({ event }) });
      expectStatus(await postEvent("order.failed"), 201);
      expectProblem(await postEvent("disk.full"), 403, "key_scope");
      await acme.ask("DELETE", `/api-keys/${made.id}`);
    },
    "requires a name of 1 to 100 characters": async ({ acme }) => {
      for (const body of [{}, { name: "" }, { name: "x".repeat(101) }, { name: 5 }])
        expectFaults(await acme.ask("POST", "/api-keys", body), "name");
    },
    "answers 404 to a deletion of another workspace's key": async ({ acme, globex, client }) => {
      const foreign = await globex.create("/api-keys", { name: "Foreign" }, NewApiKey);
      expectProblem(await acme.ask("DELETE", `/api-keys/${foreign.id}`), 404, "not_found");
      expectStatus(await client("GET", "/v1/events/ping", { apiKey: foreign.key }), 200);
      await globex.ask("DELETE", `/api-keys/${foreign.id}`);
    },
  }),
  ...createSection("Errors", {
    "answers an error with a problem document: code, message and requestId": async ({ acme }) => {
      const problem = expectProblem(await acme.ask("GET", "/groups/grp_0000000000000000/members"), 404, "not_found");
      assert.ok(problem.requestId.length > 0);
    },
    "lists every fault with its field in an answer 422": async ({ acme }) => {
      const body = { name: "", eventKey: "service.x", targets: [], requiresAck: "yes", priorityOverride: "LOUD" };
      expectFaults(await acme.ask("POST", "/routing-rules", body), ...Object.keys(body));
    },
    "checks bodies alike on internal and public endpoints: 400, 413 and 415": async ({ acme, client }) => {
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
    "answers 422 to an unknown query parameter": async ({ acme }) => {
      for (const [path, name] of [
        ["/events?status=open", "status"],
        ["/events?limt=5", "limt"],
        ["/notifications?page=2", "page"],
        ["/groups?name=x", "name"],
        ["/routing-rules?enabled=true", "enabled"],
      ] as const)
        expectFaults(await acme.ask("GET", path), name);
    },
    "answers 404 to an invalid id on every path": async (world) => {
      const groupId = await createGroup(world.acme);
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
    "begins every path with /v1, and answers 404 to others": async ({ acme, client }) => {
      for (const path of ["/events", "/v2/events", "/v1/event", "/v1"])
        expectStatus(await client("POST", path, { apiKey: acme.apiKey, body: buildEvent() }), 404);
    },
    "suggests the path that was probably meant for an unknown path": async ({ client, acme }) => {
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
    "ignores a slash at the end of the paths that programs post to": async ({ acme, client }) => {
      const { apiKey } = acme;
      expectStatus(await client("POST", "/v1/events/", { apiKey, body: buildEvent() }), 201);
      const alert = { message: "Disk full", alias: "disk-1" };
      expectStatus(await client("POST", "/v1/events/from/opsgenie/", { apiKey, body: alert }), 202);
      expectStatus(await client("POST", "/v1/events/from/opsgenie/v2/alerts/", { apiKey, body: alert }), 202);
      const close = "/v1/events/from/opsgenie/v2/alerts/disk-1/close/?identifierType=alias";
      expectStatus(await client("POST", close, { apiKey, body: {} }), 202);
      expectProblem(await client("POST", "/v1/events/", {}), 401, "unauthenticated");
    },
    "answers HEAD like GET, without a body": async ({ acme, client }) => {
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
    "answers 405 to an unsupported method, with the supported methods": async ({ client, acme }) => {
      const answer = await client("PUT", `/v1/workspaces/${acme.id}/groups`, { token: acme.owner.token, body: {} });
      expectProblem(answer, 405, "method_not_allowed");
      assert.deepEqual(answer.headers.get("allow")?.split(", ").sort(), ["GET", "POST"]);
      const get = await client("GET", "/v1/events", { apiKey: acme.apiKey });
      assert.ok(expectProblem(get, 405, "method_not_allowed").detail.includes("POST"));
    },
  }),
];
