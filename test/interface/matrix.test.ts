import { describe, expect, it } from "vitest";
import { type Route, routes } from "../../interface/routes.ts";
import { listPathParameters } from "../../interface/contract.ts";
import { createBodies } from "../support/bodies.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob, fillWorkspace, globexOwner, outsider, type FilledWorkspace } from "../support/people.ts";
import { askRoute, listNamedRoutes } from "../support/routes.ts";

const { app, mine } = await startFilled();
const foreign = await fillWorkspace(app, globexOwner, outsider);

const listChildIds = ({ path }: Route) =>
  listPathParameters(path).filter((name) => name !== "workspaceId") as (keyof FilledWorkspace)[];

/** Calls a route, with `ids` in the path and `knownIds` in the body. */
const callRoute = (route: Route, as: string | Record<string, unknown>, ids: FilledWorkspace, knownIds = mine) =>
  askRoute<{ code?: string; errors?: { field: string; code: string }[] }>(
    app,
    route,
    { as },
    ids,
    createBodies(knownIds)[route.entry],
  );

const session = routes.filter(({ auth }) => auth === "session");
const ofWorkspace = session.filter((route) => listPathParameters(route.path).includes("workspaceId"));

/** Returns an id that has the right format and belongs to nothing. */
const toUnknownId = (id: string) => (id.includes("_") ? id.replace(/[0-9a-z]{6}$/, "zzzzzz") : "nothing.seen");

/** Reads all data, which a person from outside must not have changed. */
const readEverything = async (ids: FilledWorkspace, owner: string) => {
  const root = `/v1/workspaces/${ids.workspaceId}`;
  const lists = ["", "/members", "/api-keys", "/routing-rules", "/groups", `/groups/${ids.groupId}/members`, "/events"];
  const more = [
    "/notifications",
    "/devices",
    `/groups/${ids.groupId}/on-call`,
    "/escalation-policies",
    "/silences",
    "/heartbeats",
    "/sites",
  ];
  const answers = [];
  for (const list of [...lists, ...more]) answers.push((await app.ask(`${root}${list}`, { as: owner })).body);
  return answers;
};

describe("each endpoint for people:", () => {
  it.each(listNamedRoutes(session))("%s refuses an id token with 401", async (_, route) => {
    const answer = await callRoute(route, { token_use: "id", sub: alice.slice(4) }, mine);

    expect(answer).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  });

  it.each(listNamedRoutes(ofWorkspace))(
    "%s refuses with 403 a person who is not a member, as for an unknown workspace",
    async (_, route) => {
      const stranger = await callRoute(route, outsider, mine);
      const nowhere = await callRoute(route, outsider, { ...mine, workspaceId: "ws_0000000000000000" });
      const noId = await callRoute(route, outsider, { ...mine, workspaceId: "ws_1#KEYS" });

      expect(stranger).toMatchObject({ status: 403, body: { code: "not_a_member" } });
      expect(nowhere).toEqual(stranger);
      expect(noId).toEqual(stranger);
    },
  );

  it.each(listNamedRoutes(ofWorkspace).filter(([, route]) => listChildIds(route).length > 0))(
    "%s does not find an id of another workspace, nor an unknown one",
    async (_, route) => {
      const before = await readEverything(foreign, globexOwner);

      for (const child of listChildIds(route)) {
        if (child === "eventKey") continue;
        // The foreign user id is that of the outsider, who is a member of no other workspace.
        for (const id of [foreign[child], toUnknownId(mine[child])]) {
          const answer = await callRoute(route, alice, { ...mine, [child]: id });
          expect({ child, id, ...answer }).toMatchObject({ status: 404, body: { code: "not_found" } });
        }
      }

      expect(await readEverything(foreign, globexOwner)).toEqual(before);
    },
  );
});

describe("an id in the body of a request", () => {
  const entries = [
    ["routing-rules/create-routing-rule", ["targets[0].groupId", "escalationPolicyId"]],
    ["routing-rules/update-routing-rule", ["targets[0].groupId", "escalationPolicyId"]],
    ["routing-rules/test-routing-rules", ["rule.targets[0].groupId", "rule.escalationPolicyId"]],
    [
      "simulate/simulate-event",
      ["rules[0].targets[0].groupId", "rules[0].escalationPolicyId", "policies[0].steps[0].targets[0].userId"],
    ],
    ["groups/add-group-member", ["userId"]],
    ["on-call/put-on-call", ["layers[0].participants[0]"]],
    ["on-call/create-override", ["userId"]],
    ["escalation-policies/create-escalation-policy", ["steps[0].targets[0].groupId", "steps[0].targets[1].userId"]],
    ["escalation-policies/update-escalation-policy", ["steps[0].targets[0].userId"]],
  ] as const;

  it.each(entries)(
    "that belongs to another workspace is answered with 422 for %s, like an unknown id",
    async (entry, fields) => {
      const route = routes.find((one) => one.entry === entry)!;

      const answer = await callRoute(route, alice, mine, foreign);
      const other = await callRoute(route, alice, mine, {
        ...mine,
        groupId: toUnknownId(mine.groupId),
        userId: toUnknownId(mine.userId),
        policyId: toUnknownId(mine.policyId),
      });

      expect(answer.status).toBe(422);
      expect(answer.body.errors?.map(({ field, code }) => [field, code])).toEqual(
        fields.map((field) => [field, "unknown_reference"]),
      );
      expect(other).toEqual(answer);
    },
  );
});

/** Returns the answer to an invalid API key. `hint`: what is wrong with the key's format. */
const createRefusal = (hint = "") => {
  const says = `A valid API key is required in the header X-Api-Key.${hint === "" ? "" : ` ${hint}`}`;
  return { ...refusedWith, body: { ...refusedWith.body, detail: says, message: says } };
};
const refusedWith = {
  status: 401,
  headers: { "Content-Type": "application/problem+json", "WWW-Authenticate": "ApiKey" },
  body: {
    type: "urn:event-alerting:problem:unauthenticated",
    title: "Not authenticated",
    status: 401,
    code: "unauthenticated",
    requestId: "req-1",
  },
};

describe("the public endpoints with an API key", () => {
  const key = () => mine.key;
  const createEvent = () => createBodies(mine)["events/post-event"]!;
  const mistyped = "The key is cut off or mistyped: its checksum is wrong. Copy the key again.";
  const attempts: [string, string, () => { headers?: Record<string, string>; query?: Record<string, string> }][] = [
    ["no key", "The header is missing.", () => ({})],
    ["an empty key", "The key is empty. Is its variable set?", () => ({ headers: { "x-api-key": "" } })],
    ["a key with another last letter", mistyped, () => ({ headers: { "x-api-key": `${key().slice(0, -1)}!` } })],
    [
      "a key with two letters swapped",
      mistyped,
      () => ({ headers: { "x-api-key": key().replace(/(.)(.)(.{9})$/, "$2$1$3") } }),
    ],
    ["two keys", "The header has more than one key.", () => ({ headers: { "x-api-key": `${key()},${key()}` } })],
    [
      "the key in the query",
      "A key in the URL is not accepted, because URLs are logged.",
      () => ({ query: { "x-api-key": key(), apiKey: key() } }),
    ],
    [
      "the key as a bearer token",
      "The header authorization is not read.",
      () => ({ headers: { authorization: `Bearer ${key()}` } }),
    ],
  ];

  it.each(attempts)("answer 401 for %s, with the message: %s", async (_, hint, attempt) => {
    for (const [method, path] of [
      ["POST", "/v1/events"],
      ["GET", "/v1/events/ping"],
    ] as const) {
      const answer = await app.ask(path, {
        method,
        ...attempt(),
        ...(method === "POST" ? { body: createEvent() } : {}),
      });
      expect(answer).toEqual(createRefusal(hint));
    }
  });

  it("refuse a session token with 401", async () => {
    expect(await app.ask("/v1/events", { method: "POST", as: alice, body: createEvent() })).toEqual(
      createRefusal("The header is missing."),
    );
    expect(await app.ask("/v1/events/ping", { as: alice })).toEqual(createRefusal("The header is missing."));
  });

  it("refuse a key from the first request after its deletion", async () => {
    const root = `/v1/workspaces/${mine.workspaceId}/api-keys`;
    const made = (await app.ask<{ id: string; key: string }>(root, { method: "POST", as: alice, body: { name: "x" } }))
      .body;
    expect((await app.ask("/v1/events/ping", { apiKey: made.key })).status).toBe(200);
    expect((await app.ask("/v1/events", { method: "POST", apiKey: made.key, body: createEvent() })).status).toBe(201);

    expect((await app.ask(`${root}/${made.id}`, { method: "DELETE", as: alice })).status).toBe(204);

    expect(await app.ask("/v1/events", { method: "POST", apiKey: made.key, body: createEvent() })).toEqual(
      createRefusal(),
    );
    expect(await app.ask("/v1/events/ping", { apiKey: made.key })).toEqual(createRefusal());
    expect((await app.ask(`${root}/${made.id}`, { method: "DELETE", as: alice })).status).toBe(404);
  });

  it("name the workspace of the key in the answer", async () => {
    expect((await app.ask("/v1/events/ping", { apiKey: mine.key })).body).toEqual({
      ok: true,
      workspaceId: mine.workspaceId,
      workspaceName: "Acme",
    });
  });
});

describe("the members of a workspace", () => {
  it("always include at least one person, and are not shown to a former member", async () => {
    const own = (await app.ask<{ id: string }>("/v1/workspaces", { method: "POST", as: bob, body: { name: "Solo" } }))
      .body;
    const members = `/v1/workspaces/${own.id}/members`;

    expect(await app.ask(`${members}/${bob}`, { method: "DELETE", as: bob })).toMatchObject({
      status: 409,
      body: { code: "last_member" },
    });
    const person = { userId: alice, name: "Alice", email: "alice@acme.example", role: "owner" };
    expect((await app.ask(members, { method: "POST", as: bob, body: person })).status).toBe(201);
    const answers = await Promise.all([
      app.ask(`${members}/${bob}`, { method: "DELETE", as: alice }),
      app.ask(`${members}/${alice}`, { method: "DELETE", as: bob }),
    ]);

    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).not.toEqual([204, 204]);
    const left = await Promise.all([alice, bob].map((as) => app.ask(members, { as })));
    expect(left.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 403]);
    const lists = await Promise.all([alice, bob].map((as) => app.ask<{ id: string }[]>("/v1/workspaces", { as })));
    expect(lists.filter(({ body }) => body.some(({ id }) => id === own.id))).toHaveLength(1);
  });
});
