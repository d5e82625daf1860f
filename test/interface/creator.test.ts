import { limitWorkspaces } from "../../core/store/people/workspaces.ts";
import { expect, it } from "vitest";
import { Refusal } from "../../core/domain/basics/refusal.ts";
import type { Profile } from "../../core/identity/profile.ts";
import * as workspaces from "../../functions/workspaces.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice } from "../support/people.ts";
import { call } from "../world/http.ts";

/* The name and address of a workspace's creator come from the user pool, whatever the token says. */

const { app } = await startFilled();
const plan = { monthlyEvents: 10, eventsPerMinute: 10, burst: 10, retentionDays: 400 };
const createWorkspace = (readProfile: (token: string) => Promise<Profile>) =>
  call<{ id: string; code?: string }>(workspaces.writes({ ...app.deps, plan, readProfile }), {
    routeKey: "POST /v1/workspaces",
    // A user name in Cognito's format, and claims that a forged token might have.
    as: {
      token_use: "access",
      sub: alice.slice(4),
      username: alice.slice(4),
      name: "Mallory",
      email: "m@evil.example",
    },
    headers: { authorization: "Bearer the.own.token" },
    body: { name: "Acme" },
  });
const readCreator = async (profile: Profile) => {
  const { body } = await createWorkspace(async (token) => (token === "the.own.token" ? profile : {}));
  const members = await app.ask<{ name: string; email: string }[]>(`/v1/workspaces/${body.id}/members`, { as: alice });
  return members.body.map(({ name, email }) => ({ name, email }));
};

it.each([
  [
    "the name and the address in the user pool",
    { name: "Alice", email: "alice@acme.example" },
    { name: "Alice", email: "alice@acme.example" },
  ],
  [
    "the address as the name if the user pool has no name",
    { email: "alice@acme.example" },
    { name: "alice@acme.example", email: "alice@acme.example" },
  ],
  ["the user id as the name if the user pool has neither a name nor an address", {}, { name: alice, email: "" }],
])("a person who creates a workspace becomes its member with %s", async (_, profile, creator) => {
  expect(await readCreator(profile)).toEqual([creator]);
});

it("no workspace is created if the user pool refuses the token, or cannot be reached", async () => {
  const countWorkspaces = async () => (await app.ask<unknown[]>("/v1/workspaces", { as: alice })).body.length;
  const before = await countWorkspaces();

  const refused = await createWorkspace(() =>
    Promise.reject(new Refusal("unauthenticated", "no", { challenge: "Bearer" })),
  );
  const late = await createWorkspace(() => Promise.reject(new Refusal("busy", "no", { retryAfterSeconds: 1 })));

  expect([refused.status, late.status, late.headers["Retry-After"]]).toEqual([401, 503, "1"]);
  expect(await countWorkspaces()).toBe(before);
});

it("a person can create ten workspaces, or more if an operator allows it, and also be a member of other workspaces", async () => {
  const carol = "usr_cccccccccccccccccccccccccccccccc";
  const createAsCaller = async () => {
    const headers = { authorization: "Bearer the.own.token" };
    const asked = { method: "POST", as: carol, headers, body: { name: "One more" } } as const;
    return app.ask<{ code: string; detail: string }>("/v1/workspaces", asked);
  };

  const statuses = await Promise.all(Array.from({ length: 14 }, async () => (await createAsCaller()).status));

  expect(statuses.toSorted((one, other) => one - other)).toEqual([
    ...Array.from({ length: 10 }, () => 201),
    403,
    403,
    403,
    403,
  ]);
  expect((await createAsCaller()).body).toMatchObject({
    code: "workspace_limit",
    detail: expect.stringContaining("10") as string,
  });
  await limitWorkspaces(app.deps, carol, 11);
  expect([(await createAsCaller()).status, (await createAsCaller()).status]).toEqual([201, 403]);
});

it("the API shows who added the caller to a workspace, and who added each member", async () => {
  app.profiles.set("the.own.token", { name: "Alice", email: "alice@acme.example" });
  const headers = { authorization: "Bearer the.own.token" };
  const { body: made } = await app.ask<{ id: string }>("/v1/workspaces", {
    method: "POST",
    as: alice,
    headers,
    body: { name: "Ours" },
  });
  const dan = { userId: "usr_dddddddddddddddddddddddddddddddd", name: "Dan", email: "dan@acme.example" };
  const added = await app.ask(`/v1/workspaces/${made.id}/members`, { method: "POST", as: alice, body: dan });
  const by = { id: alice, name: "Alice" };

  expect(added.body).toMatchObject({ addedBy: by });
  const { body: mine } = await app.ask("/v1/workspaces", { as: dan.userId });
  expect(mine).toMatchObject([{ id: made.id, addedBy: by }]);
  const { body: members } = await app.ask(`/v1/workspaces/${made.id}/members`, { as: alice });
  expect(members).toMatchObject([
    { userId: alice, addedBy: null },
    { userId: dan.userId, addedBy: by },
  ]);
});
