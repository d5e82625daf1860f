import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import type { Role } from "../../core/domain/people/role.ts";
import { memberSetKey } from "../../core/store/keys.ts";
import { limitWorkspaces } from "../../core/store/people/workspaces.ts";
import { updateItem } from "../../core/store/table.ts";
import * as v from "valibot";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob } from "../support/people.ts";

const { app } = await startFilled();
await limitWorkspaces(app.deps, alice, 100);

type Shown = { userId: string; role: Role };
type Problem = { code?: string; required?: Role; detail?: string };

/** Creates a workspace, of which Alice is the owner and Bob another member. */
const createWorkspace = async (role?: Role) => {
  const made = await app.ask<{ id: WorkspaceId }>("/v1/workspaces", {
    method: "POST",
    as: alice,
    body: { name: "Acme" },
  });
  const ws = made.body.id;
  const ask = <Body = Problem>(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    as: string,
    body?: object,
  ) => app.ask<Body>(`/v1/workspaces/${ws}${path}`, { method, as, ...(body === undefined ? {} : { body }) });
  await ask("POST", "/members", alice, { userId: bob, name: "Bob", email: "bob@acme.example", role });
  return {
    ws,
    ask,
    give: (userId: string, to: Role, as = alice) =>
      ask<Shown & Problem>("PATCH", `/members/${userId}`, as, { role: to }),
    roles: async () => {
      const { body } = await ask<Shown[]>("GET", "/members", alice);
      return Object.fromEntries(body.map(({ userId, role: its }) => [userId === alice ? "alice" : "bob", its]));
    },
  };
};

describe("the roles of members", () => {
  it("are owner for the creator of a workspace, and manager for members added without a role", async () => {
    const { roles, ws } = await createWorkspace();

    expect(await roles()).toEqual({ alice: "owner", bob: "manager" });
    const listWorkspaces = async (as: string) =>
      (await app.ask<{ id: string; role: Role }[]>("/v1/workspaces", { as })).body;
    expect((await listWorkspaces(alice)).find(({ id }) => id === ws)?.role).toBe("owner");
    expect((await listWorkspaces(bob)).find(({ id }) => id === ws)?.role).toBe("manager");
  });

  it("can be set, also when a member is added, and apply from the next request", async () => {
    const { ask, give, roles } = await createWorkspace("viewer");
    expect(await roles()).toEqual({ alice: "owner", bob: "viewer" });
    expect((await ask("POST", "/groups", bob, { name: "Ops" })).status).toBe(403);

    expect(await give(bob, "manager")).toMatchObject({
      status: 200,
      body: { userId: bob, name: "Bob", role: "manager" },
    });
    expect((await ask("POST", "/groups", bob, { name: "Ops" })).status).toBe(201);

    await give(bob, "owner");
    expect((await ask("PATCH", "", bob, { name: "Acme 2" })).status).toBe(200);

    await give(bob, "responder");
    expect(await ask("PATCH", "", bob, { name: "Acme 3" })).toMatchObject({
      status: 403,
      body: {
        code: "role_required",
        required: "manager",
        detail: "This requires the role manager; yours is responder. An owner of the workspace can change your role.",
      },
    });

    await give(bob, "manager");
    expect(await ask("PATCH", "", bob, { name: "Acme 3" })).toMatchObject({
      status: 403,
      body: {
        code: "role_required",
        required: "owner",
        detail:
          "Changing these settings requires the role owner; yours is manager. An owner of the workspace can change your role.",
      },
    });
    const floor = { ways: ["push"], withinMinutes: 5 };
    expect((await ask("PATCH", "", bob, { urgentFloor: floor, name: "Acme 3" })).status).toBe(403);
    expect(await ask("PATCH", "", bob, { urgentFloor: floor })).toMatchObject({
      status: 200,
      body: { urgentFloor: floor },
    });
  });

  it("are kept when a member is renamed, and changed if the request contains another role", async () => {
    const { ask, roles } = await createWorkspace("viewer");
    const person = { userId: bob, name: "Robert", email: "bob@acme.example" };

    expect(await ask("POST", "/members", alice, person)).toMatchObject({
      status: 200,
      body: { name: "Robert", role: "viewer" },
    });
    expect(await ask("POST", "/members", alice, { ...person, role: "responder" })).toMatchObject({
      status: 200,
      body: { role: "responder" },
    });
    expect(await roles()).toEqual({ alice: "owner", bob: "responder" });
  });

  it("cannot be set to an unknown role, for an unknown person, or together with another field", async () => {
    const { ask, give } = await createWorkspace();

    expect(await give(bob, "admin" as Role)).toMatchObject({
      status: 422,
      body: { errors: [{ field: "role", message: "role must be one of viewer, responder, manager, owner." }] },
    });
    expect((await ask("PATCH", `/members/${bob}`, alice, { role: "viewer", name: "x" })).status).toBe(422);
    expect((await give("usr_00000000000000000000000000000099", "viewer")).status).toBe(404);
  });
});

describe("the last owner of a workspace", () => {
  const refused = { status: 409, body: { code: "last_owner" } };

  it("cannot be removed or demoted, either by others or by themselves", async () => {
    const { ask, give, roles } = await createWorkspace();
    const person = { userId: alice, name: "Alice", email: "alice@acme.example", role: "viewer" };

    expect(await give(alice, "manager")).toMatchObject(refused);
    expect(await ask("POST", "/members", alice, person)).toMatchObject(refused);
    expect(await ask("DELETE", `/members/${alice}`, alice)).toMatchObject(refused);
    expect(await roles()).toEqual({ alice: "owner", bob: "manager" });
  });

  it("remains if two owners demote each other at the same moment", async () => {
    const { give } = await createWorkspace("owner");

    const answers = await Promise.all([give(alice, "viewer", bob), give(bob, "viewer", alice)]);

    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  });

  it("remains if two owners demote and remove each other at the same moment", async () => {
    const { ask, give } = await createWorkspace("owner");

    const answers = await Promise.all([give(alice, "viewer", bob), ask("DELETE", `/members/${bob}`, alice)]);

    const [asAlice, asBob] = await Promise.all([alice, bob].map((as) => ask<Shown[]>("GET", "/members", as)));
    const [members] = [asAlice, asBob].flatMap((answer) => (answer?.status === 200 ? [answer.body] : []));
    expect(members?.filter(({ role }) => role === "owner")).toHaveLength(1);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  });
});

describe("a member with any role", () => {
  it("may leave the workspace; only an owner may remove other members", async () => {
    const { ask } = await createWorkspace("viewer");

    expect((await ask("DELETE", `/members/${alice}`, bob)).status).toBe(403);
    expect((await ask("DELETE", `/members/${bob}`, bob)).status).toBe(204);
    expect((await ask("GET", "/members", bob)).status).toBe(403);
  });
});

describe("the shifts that a responder may change", () => {
  const start = "2026-12-01T00:00:00Z";
  const end = "2026-12-02T00:00:00Z";

  it("are those that the responder takes over or created; a manager may change all shifts", async () => {
    const { ask, give } = await createWorkspace();
    const group = (await ask<{ id: string }>("POST", "/groups", alice, { name: "Ops" })).body.id;
    const at = `/groups/${group}/on-call`;
    await ask("POST", `/groups/${group}/members`, alice, { userId: bob });
    const createOverride = (userId: string, as: string) =>
      ask<{ id: string } & Problem>("POST", `${at}/overrides`, as, { userId, start, end });
    const made = await createOverride(alice, bob);
    await give(bob, "responder");

    expect(await createOverride(alice, bob)).toMatchObject({
      status: 403,
      body: {
        code: "role_required",
        required: "manager",
        detail: expect.stringMatching(/^Putting somebody else on call requires the role manager/),
      },
    });
    const taken = await createOverride(bob, bob);
    expect(taken.status).toBe(201);
    expect((await ask("DELETE", `${at}/overrides/${taken.body.id}`, bob)).status).toBe(204);
    expect((await ask("DELETE", `${at}/overrides/${made.body.id}`, bob)).status).toBe(204);

    const foreign = await createOverride(alice, alice);
    expect((await ask("DELETE", `${at}/overrides/${foreign.body.id}`, bob)).status).toBe(403);
    expect((await ask("DELETE", `${at}/overrides/${foreign.body.id}`, alice)).status).toBe(204);
    expect((await ask("DELETE", `${at}/overrides/${foreign.body.id}`, bob)).status).toBe(404);
  });
});

describe("a workspace that was created before roles existed", () => {
  const createOldWorkspace = async () => {
    const made = await createWorkspace();
    await updateItem(app.deps, memberSetKey(made.ws), v.unknown(), {
      update: "REMOVE #owners",
      names: { "#owners": "owners" },
    });
    return made;
  };

  it("lets every member do everything, including new members, until a role is set", async () => {
    const { ask, roles } = await createOldWorkspace();

    expect(await roles()).toEqual({ alice: "owner", bob: "owner" });
    expect((await ask("PATCH", "", bob, { name: "Renamed" })).status).toBe(200);
  });

  it("keeps all other members owners when the first role is set", async () => {
    const { give, roles } = await createOldWorkspace();

    await give(alice, "manager", bob);

    expect(await roles()).toEqual({ alice: "manager", bob: "owner" });
    expect(await give(bob, "viewer", bob)).toMatchObject({ status: 409, body: { code: "last_owner" } });
  });

  it("does not change when a role is set for an unknown person", async () => {
    const { give, roles } = await createOldWorkspace();

    expect((await give("usr_00000000000000000000000000000099", "viewer", bob)).status).toBe(404);
    expect(await roles()).toEqual({ alice: "owner", bob: "owner" });
  });
});

describe("the API keys of a person who leaves", () => {
  const createWithKeys = async () => {
    const made = await createWorkspace();
    const createKey = (as: string) =>
      made.ask<{ id: string; key: string }>("POST", "/api-keys", as, { name: `of ${as.slice(4, 7)}` });
    const [his, hers] = [(await createKey(bob)).body, (await createKey(alice)).body];
    const readPingStatus = async (apiKey: { key: string }) =>
      (await app.ask("/v1/events/ping", { apiKey: apiKey.key })).status;
    return { ...made, his, hers, createKey, ping: readPingStatus };
  };

  it("stay valid, and are listed to the person who removes the member", async () => {
    const { ask, his, ping } = await createWithKeys();

    expect(await ask("DELETE", `/members/${bob}`, alice)).toMatchObject({
      status: 204,
      headers: { "X-Warning": `keys_left; keys=${his.id}` },
    });
    expect(await ping(his)).toBe(200);
  });

  it("are deleted with the member on request, while the keys of other people stay", async () => {
    const { ask, his, hers, ping } = await createWithKeys();

    const { status, headers } = await ask("DELETE", `/members/${bob}?revoke=keys`, alice);

    expect([status, headers["X-Warning"]]).toEqual([204, undefined]);
    expect([await ping(his), await ping(hers)]).toEqual([401, 200]);
  });

  it("can be deleted alone, with a warning about calendar feeds of the person's groups, or with these feeds", async () => {
    const { ask, his, createKey, ping } = await createWithKeys();
    const second = (await createKey(bob)).body;
    const feeds: string[] = [];
    for (const name of ["Ops", "Net"]) {
      const { body: group } = await ask<{ id: string }>("POST", "/groups", alice, { name });
      const { body: feed } = await ask<{ url: string }>("POST", `/groups/${group.id}/on-call/calendar`, bob);
      feeds.push(new URL(feed.url).pathname);
    }
    const listStatuses = () => Promise.all(feeds.map(async (path) => (await app.ask(path)).status));

    const { headers } = await ask("DELETE", `/members/${bob}?revoke=keys`, alice);
    expect(headers["X-Warning"]).toMatch(/^feeds_left; groups=grp_\w+\W+grp_\w+$/);
    expect([await ping(his), await ping(second), ...(await listStatuses())]).toEqual([401, 401, 200, 200]);
    await ask("DELETE", `/members/${bob}?revoke=keys,feeds`, alice);
    expect(await listStatuses()).toEqual([404, 404]);
  });

  it("are deleted when the removal is repeated, if the first attempt stopped after removing the member", async () => {
    const { ask, his, ping } = await createWithKeys();
    await ask("DELETE", `/members/${bob}`, alice);

    expect((await ask("DELETE", `/members/${bob}?revoke=keys`, alice)).status).toBe(404);
    expect(await ping(his)).toBe(401);
  });

  it("stay valid if the member cannot be removed, or if the caller may not delete keys", async () => {
    const { ask, give, his, hers, ping } = await createWithKeys();
    await give(bob, "responder");

    expect((await ask("DELETE", `/members/${alice}?revoke=keys`, alice)).status).toBe(409);
    expect(await ask("DELETE", `/members/${bob}?revoke=keys`, bob)).toMatchObject({
      status: 403,
      body: { code: "role_required", required: "manager" },
    });
    expect((await ask("DELETE", `/members/${bob}?revoke=all`, alice)).status).toBe(422);
    expect([await ping(his), await ping(hers)]).toEqual([200, 200]);
    expect((await ask("GET", "/members", bob)).status).toBe(200);
  });
});
