import * as v from "valibot";
import { beforeEach, describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { bindAuthor } from "../../core/deps.ts";
import { acceptInvitation } from "../../core/flow/admin/invite.ts";
import { INVITATION_DAYS } from "../../core/domain/people/invitation.ts";
import { DAY_MS } from "../../core/domain/basics/units.ts";
import { updateItem } from "../../core/store/table.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob, globexOwner, outsider } from "../support/people.ts";
import { withHook, callWith, createInterruption } from "../world/interruption.ts";

const { app, mine, ask, get } = await startFilled();

type Invitation = {
  id: string;
  email: string;
  role: string;
  groupIds: string[];
  createdAt: string;
  expiresAt: string;
  mailed?: boolean;
};
type Own = { id: string; workspace: { id: string; name: string }; role: string; invitedBy: { name: string } };

const harry = "usr_4a770000000000000000000000000007";
const newcomer = "usr_0e3c0e00000000000000000000000009";
const address = "New.Comer@acme.example";

/** Lets the user pool's stand-in return the profile for the person's token. */
const signIn = (userId: string, profile: { name?: string; email?: string }) => {
  app.profiles.set(`token-of-${userId}`, profile);
  const headers = { authorization: `Bearer token-of-${userId}` };
  return {
    list: async () => (await app.ask<Own[]>("/v1/invitations", { as: userId, headers })).body,
    accept: (id: string) =>
      app.ask<{ workspaceId?: WorkspaceId; code?: string }>(`/v1/invitations/${id}/accept`, {
        method: "POST",
        as: userId,
        headers,
      }),
  };
};
const invite = (body: object, as = alice) =>
  ask<Invitation & { code?: string; userId?: string; errors?: { field: string }[] }>("POST", "/invitations", body, as);
const listInvitations = () => get<Invitation[]>("/invitations");

beforeEach(async () => {
  for (const { id } of await listInvitations()) await ask("DELETE", `/invitations/${id}`);
  await ask("DELETE", `/members/${newcomer}`);
});

describe("an invitation to a workspace", () => {
  it("is offered to a person with the invited address in any spelling, and one request makes that person a member", async () => {
    const { body: sent } = await invite({ email: address, role: "responder", groupIds: [mine.groupId] });
    const person = signIn(newcomer, { name: "Nina", email: "new.comer@ACME.example" });

    expect(await person.list()).toMatchObject([
      {
        id: sent.id,
        workspace: { id: mine.workspaceId, name: "Acme" },
        role: "responder",
        invitedBy: { name: "Owner" },
      },
    ]);
    expect(await person.accept(sent.id)).toMatchObject({ status: 200, body: { workspaceId: mine.workspaceId } });

    expect(await get(`/members/${newcomer}`)).toMatchObject({
      name: "Nina",
      role: "responder",
      addedBy: { id: alice },
      groups: [{ id: mine.groupId, name: "Ops" }],
    });
    expect(await person.list()).toEqual([]);
    expect(await listInvitations()).toEqual([]);
  });

  it("makes a person a member even if a group of the invitation has been deleted", async () => {
    const { body: night } = await ask<{ id: string }>("POST", "/groups", { name: "Night" });
    const { body: sent } = await invite({ email: address, groupIds: [night.id, mine.groupId] });
    expect((await ask("DELETE", `/groups/${night.id}`)).status).toBe(204);

    expect((await signIn(newcomer, { email: address }).accept(sent.id)).status).toBe(200);

    expect(await get(`/members/${newcomer}`)).toMatchObject({ groups: [{ id: mine.groupId }] });
    expect((await app.stand.listItems()).filter(({ groupId }) => groupId === night.id)).toEqual([]);
  });

  it("cannot be found by another person, nor by the invited person after it was withdrawn", async () => {
    const { body: sent } = await invite({ email: address });
    const other = signIn(outsider, { name: "Eve", email: "eve@acme.example" });
    const unverified = signIn(globexOwner, { name: "Mallory" });

    for (const person of [other, unverified]) {
      expect(await person.list()).toEqual([]);
      expect(await person.accept(sent.id)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    expect((await ask("DELETE", `/invitations/${sent.id}`)).status).toBe(204);
    const person = signIn(newcomer, { email: address });
    expect(await person.list()).toEqual([]);
    expect((await person.accept(sent.id)).status).toBe(404);
  });

  it("exists once per address; a new invitation replaces it, with its own role, groups and full duration", async () => {
    const first = await invite({ email: address, role: "viewer" });
    app.advance(DAY_MS);

    const second = await invite({ email: address.toLowerCase(), role: "manager", groupIds: [mine.groupId] });

    expect([first.status, second.status]).toEqual([201, 200]);
    const { id, createdAt } = first.body;
    expect(second.body).toMatchObject({ id, createdAt, role: "manager", groupIds: [mine.groupId] });
    expect(Date.parse(second.body.expiresAt) - Date.parse(first.body.expiresAt)).toBe(DAY_MS);
    expect(await listInvitations()).toHaveLength(1);
  });

  it("expires before the table deletes it, and can then be sent again", async () => {
    const { body: sent } = await invite({ email: address });
    const person = signIn(newcomer, { email: address });
    app.advance(INVITATION_DAYS * DAY_MS - 1);
    expect(await person.list()).toHaveLength(1);

    app.advance(1);

    expect(await person.list()).toEqual([]);
    expect((await person.accept(sent.id)).status).toBe(404);
    expect(await listInvitations()).toEqual([]);
    expect((await invite({ email: address })).status).toBe(201);
    expect(await person.list()).toHaveLength(1);
  });

  it("makes a person an owner even if the first attempt to accept it dies half-way", async () => {
    const { body: sent } = await invite({ email: address, role: "owner" });
    const { beforeCall, arm } = createInterruption(callWith(":max"));
    arm();
    const table = withHook(app.stand.table, beforeCall);
    const deps = bindAuthor({ ...app.deps, table }, { userId: newcomer, via: "api", requestId: "req_1" });
    await expect(acceptInvitation(deps, sent.id, { userId: newcomer, email: address })).rejects.toThrow("died");

    expect((await signIn(newcomer, { email: address }).accept(sent.id)).status).toBe(200);

    expect(await get(`/members/${newcomer}`)).toMatchObject({ role: "owner" });
  });

  it("does not lower the role of a member who accepts it", async () => {
    const { body: sent } = await invite({ email: "bob.other@acme.example", role: "viewer", groupIds: [mine.groupId] });

    const person = signIn(bob, { name: "Bob", email: "bob.other@acme.example" });
    expect((await person.accept(sent.id)).status).toBe(200);

    expect(await get(`/members/${bob}`)).toMatchObject({ role: "manager", email: "bob@acme.example" });
  });

  it("is refused for a member's address in any spelling, an unknown group, and an invalid address", async () => {
    expect(await invite({ email: "BOB@acme.example" })).toMatchObject({
      status: 409,
      body: { code: "already_member", userId: bob },
    });
    const { body: sent } = await invite({ email: address });
    await signIn(newcomer, { name: "Newcomer", email: address }).accept(sent.id);
    expect(await invite({ email: address.toLowerCase() })).toMatchObject({ status: 409, body: { userId: newcomer } });
    await ask("DELETE", `/members/${newcomer}`);
    expect(await invite({ email: address, groupIds: ["grp_0000000000000000", "grp_0000000000000001"] })).toMatchObject({
      status: 422,
      body: { errors: [{ field: "groupIds[0]" }, { field: "groupIds[1]" }] },
    });
    expect(await invite({ email: "nobody", role: "boss", more: 1 })).toMatchObject({ status: 422 });
  });

  it("notifies the invited person by email, three times a day at most", async () => {
    app.advance(DAY_MS);
    app.pushed.length = 0;
    const mailed = [];
    for (let time = 0; time < 4; time += 1) mailed.push((await invite({ email: address })).body.mailed);

    expect(mailed).toEqual([true, true, true, false]);
    expect(app.pushed).toHaveLength(3);
    expect(app.pushed[0]).toMatchObject({ email: address, notification: { title: "You are invited to a workspace" } });
    app.advance(DAY_MS);
    expect((await invite({ email: address })).body.mailed).toBe(true);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["is no longer an owner", () => ask("PATCH", `/members/${harry}`, { role: "viewer" })],
    ["is removed", () => ask("DELETE", `/members/${harry}`)],
  ])("ends when its sender %s, and the audit trail says so", async (_, end) => {
    await ask("POST", "/members", { userId: harry, name: "Harry", email: "harry@acme.example", role: "owner" });
    const { body: sent } = await invite({ email: address, role: "owner" }, harry);
    const person = signIn(newcomer, { email: address });
    expect(await person.list()).toHaveLength(1);

    await end();

    expect(await person.list()).toEqual([]);
    expect(await person.accept(sent.id)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await ask("GET", `/members/${newcomer}`)).status).toBe(404);
    expect(await listInvitations()).toEqual([]);
    expect(await get(`/audit?target=${sent.id}`)).toMatchObject({
      items: [{ action: "deleted", actor: { id: alice } }, { action: "created" }],
    });
    await ask("PATCH", `/members/${harry}`, { role: "owner" });
    expect((await person.accept(sent.id)).status).toBe(404);
  });

  it("to become an owner cannot be accepted while the invitation's author is not an owner", async () => {
    await ask("PATCH", `/members/${bob}`, { role: "manager" });
    const { body: sent } = await invite({ email: address, role: "owner" });
    const key = { pk: `WS#${mine.workspaceId}#INVITATIONS`, sk: sent.id };
    await updateItem(app.deps, key, v.object({}), { update: "SET createdBy = :by", values: { ":by": bob } });
    const person = signIn(newcomer, { email: address });

    expect(await person.list()).toEqual([]);
    expect((await person.accept(sent.id)).status).toBe(404);

    await updateItem(app.deps, key, v.object({}), { update: "SET createdBy = :by", values: { ":by": null } });
    expect(await person.list()).toMatchObject([{ id: sent.id, invitedBy: null }]);
    expect((await person.accept(sent.id)).status).toBe(200);
  });

  it("is answered with 404 once its workspace is deleted, and nothing is written", async () => {
    const { body: made } = await app.ask<{ id: string }>("/v1/workspaces", {
      method: "POST",
      as: alice,
      body: { name: "Gone" },
    });
    const there = `/v1/workspaces/${made.id}`;
    const body = { email: address };
    const { body: sent } = await app.ask<Invitation>(`${there}/invitations`, { method: "POST", as: alice, body });
    const person = signIn(newcomer, { email: address });
    expect((await app.ask(`${there}?name=Gone`, { method: "DELETE", as: alice })).status).toBe(204);
    const before = await app.stand.listItems();

    expect(await person.accept(sent.id)).toMatchObject({ status: 404, body: { code: "not_found" } });

    expect(await app.stand.listItems()).toEqual(before);
  });

  it("is in the audit trail without the email address", async () => {
    const { body: sent } = await invite({ email: address, role: "viewer" });
    await signIn(newcomer, { name: "Nina", email: address }).accept(sent.id);

    const { items } = await get<{ items: object[] }>("/audit?limit=4");

    expect(items).toMatchObject([
      { actor: { id: newcomer }, action: "deleted", target: { kind: "invitation", id: sent.id } },
      { actor: { id: newcomer }, action: "created", target: { kind: "member", id: newcomer } },
      {
        actor: { id: alice },
        action: "created",
        target: { kind: "invitation" },
        after: { role: "viewer", groupIds: [] },
      },
      {},
    ]);
    expect(JSON.stringify(items).toLowerCase()).not.toContain(address.toLowerCase());
  });
});

describe("the details of a member", () => {
  it("list the items that the member has created, and the items that refer to the member", async () => {
    const key = await ask<{ id: string }>("POST", "/api-keys", { name: "Shop of Bob" }, bob);
    const beat = await ask<{ id: string }>("POST", "/heartbeats", { name: "Job of Bob", everySeconds: 60 }, bob);
    const hook = await ask<{ id: string }>("POST", "/webhooks", { name: "B", url: "https://hooks.example.com/b" }, bob);
    await ask("POST", `/groups/${mine.groupId}/on-call/calendar`, {}, bob);
    const policy = await ask<{ id: string }>("POST", "/escalation-policies", {
      name: "To Bob",
      steps: [{ delayMinutes: 5, targets: [{ type: "user", userId: bob }] }],
    });
    await ask("POST", "/devices", { email: "bob@home.example" }, bob);

    expect(await get(`/members/${bob}`)).toMatchObject({
      userId: bob,
      made: {
        keys: [{ id: key.body.id, name: "Shop of Bob", lastUsedAt: null }],
        heartbeats: [{ id: beat.body.id, name: "Job of Bob" }],
        webhooks: [{ id: hook.body.id, name: "B" }],
        feeds: [{ id: mine.groupId, name: "Ops" }],
        invitations: 0,
      },
      contacts: { push: 0, email: 1, sms: 0 },
      groups: [{ id: mine.groupId }],
      schedules: [{ id: mine.groupId, name: "Ops" }],
      policies: [{ id: policy.body.id, name: "To Bob" }],
    });
    const { body: other } = await ask<{ id: string }>("POST", "/groups", { name: "Other" });
    await ask("POST", `/groups/${other.id}/on-call/calendar`, {}, alice);
    await ask("POST", "/invitations", { email: "dan@home.example", role: "viewer", groupIds: [] }, alice);
    const { made } = await get<{ made: { keys: object[]; feeds: object[]; invitations: number } }>(`/members/${alice}`);
    expect(made.keys).toHaveLength(1);
    expect(made.feeds).toEqual([{ id: other.id, name: "Other" }]);
    expect(made.invitations).toBeGreaterThan(0);
    expect(await get(`/members/${bob}`)).toMatchObject({ made: { feeds: [{ id: mine.groupId }], invitations: 0 } });
    expect((await ask("GET", "/members/usr_00000000000000000000000000000000")).status).toBe(404);
  });
});
