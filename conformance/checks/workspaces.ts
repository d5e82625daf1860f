import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import {
  AuditPage,
  Device,
  Event,
  Group,
  GroupMember,
  Invitation,
  Joined,
  ListedMember,
  ListedWorkspace,
  Member,
  MemberDetail,
  OwnInvitation,
  SentInvitation,
  Shadow,
  ShadowComparison,
  Workspace,
} from "../shapes.ts";
import { anEvent, openNotifyingWorkspace, makeGroup, registerDevice, send, readSettled } from "../world.ts";

const HOUR_MS = 3_600_000;

export const workspaces = [
  ...createSection("Workspaces and members", {
    "who creates a workspace is its first member, by name and address": async ({ client, session }) => {
      const { token, userId, name, email } = session.outsider;
      const made = expectBody(
        await client("POST", "/v1/workspaces", { token, body: { name: "Mine" } }),
        201,
        Workspace,
      );
      const root = `/v1/workspaces/${made.id}`;
      assert.deepEqual(expectBody(await client("GET", root, { token }), 200, Workspace), made);
      const mine = expectBody(await client("GET", "/v1/workspaces", { token }), 200, v.array(ListedWorkspace));
      assert.ok(mine.some(({ id }) => id === made.id));
      const members = expectBody(await client("GET", `${root}/members`, { token }), 200, v.array(ListedMember));
      assert.deepEqual(
        members.map((member) => ({ userId: member.userId, name: member.name, email: member.email })),
        [{ userId, name, email }],
      );
    },
    "the audit trail has each change that took effect, with who made it, for owners": async ({ fresh, session }) => {
      const house = await fresh();
      const { userId, name, email, token } = session.outsider;
      await house.ask("POST", "/members", { userId, name, email, role: "manager" });
      const { id } = expectBody(await house.ask("POST", "/groups", { name: "Ops" }), 201, Group);
      expectStatus(await house.as({ token }, "PATCH", `/groups/${id}`, { name: "Operations" }), 200);
      expectStatus(await house.ask("PATCH", `/groups/${id}`, { name: "Operations" }), 200);
      expectProblem(await house.as({ token }, "GET", "/audit"), 403, "role_required");
      const first = expectBody(await house.ask("GET", `/audit?target=${id}&limit=1`), 200, AuditPage);
      const [changed] = first.items;
      assert.deepEqual(
        [changed?.actor?.id, changed?.action, changed?.target.name, changed?.before, changed?.after],
        [userId, "updated", "Operations", { name: "Ops" }, { name: "Operations" }],
      );
      assert.ok(first.nextCursor !== null);
      const next = `/audit?target=${id}&limit=1&cursor=${encodeURIComponent(first.nextCursor)}`;
      const second = expectBody(await house.ask("GET", next), 200, AuditPage);
      assert.deepEqual(
        second.items.map(({ actor, action }) => [actor?.id, action]),
        [[house.owner.userId, "created"]],
      );
      assert.equal(second.nextCursor, null);
      expectFaults(await house.ask("GET", "/audit?action=moved"), "action");
      expectFaults(await house.ask("GET", "/audit?target=thing"), "target");
    },
    "PATCH renames it, and changes nothing else": async ({ fresh }) => {
      const house = await fresh();
      const before = expectBody(await house.ask("GET", ""), 200, Workspace);
      assert.deepEqual(expectBody(await house.ask("PATCH", "", { name: "Renamed" }), 200, Workspace), {
        ...before,
        name: "Renamed",
        version: before.version + 1,
      });
      expectFaults(await house.ask("PATCH", "", { id: "ws_1", plan: 1 }), "id", "plan");
      expectFaults(await house.ask("PATCH", "", { name: "" }), "name");
    },
    "it shows its plan, and what is used of the month": async ({ fresh }) => {
      const house = await fresh();
      const before = expectBody(await house.ask("GET", ""), 200, Workspace);
      assert.equal(before.usage.limit, before.plan.monthlyEvents);
      await send(house);
      const after = expectBody(await house.ask("GET", ""), 200, Workspace);
      assert.equal(after.usage.used, before.usage.used + 1);
      // Clients may send back what they have read.
      expectStatus(await house.ask("PATCH", "", { ...before, name: "Renamed" }), 200);
    },
    "an owner who types its name deletes it: it is nobody's any more, and its keys are refused": async ({
      fresh,
      session,
      client,
    }) => {
      const house = await fresh();
      const { userId, name, email, token } = session.outsider;
      expectStatus(await house.ask("POST", "/members", { userId, name, email, role: "manager" }), 201);
      expectProblem(await house.as({ token }, "DELETE", "?name=conformance"), 403, "role_required");
      expectFaults(await house.ask("DELETE", ""), "name");
      expectFaults(await house.ask("DELETE", "?name=Conformance"), "name");
      await send(house);
      expectStatus(await house.ask("DELETE", "?name=conformance"), 204);
      expectProblem(await house.ask("GET", ""), 403, "not_a_member");
      expectProblem(await house.post(anEvent()), 401, "unauthenticated");
      const list = expectBody(await client("GET", "/v1/workspaces", { token }), 200, v.array(ListedWorkspace));
      assert.ok(!list.some(({ id }) => id === house.id));
    },
    "a shadow plans events and notifies nobody, until an owner ends it": async ({ fresh, unique }) => {
      const house = await openNotifyingWorkspace(fresh);
      for (const person of house.people) expectStatus(await registerDevice(house, person, unique("conformance-")), 201);
      const { receivedAt } = expectBody(await house.ask("GET", `/events/${await send(house)}`), 200, Event);
      expectFaults(await house.ask("PUT", "/shadow", { until: receivedAt }), "until");
      const until = new Date(Date.parse(receivedAt) + HOUR_MS).toISOString();
      expectBody(await house.ask("PUT", "/shadow", { until }), 200, Shadow);
      const eventId = await send(house, { title: "In the shadow" });
      const planned = await readSettled(house, eventId);
      assert.deepEqual(
        planned.map(({ status, sentAt }) => [status, sentAt]),
        house.people.map(() => ["SHADOW", null]),
      );
      const readComparison = async () => expectBody(await house.ask("GET", "/shadow"), 200, ShadowComparison);
      const during = await readComparison();
      assert.deepEqual([during.active, during.until, during.items.map(({ id }) => id)], [true, until, [eventId]]);
      const ids = during.items.flatMap(({ pages }) => pages.map(({ user }) => user.id));
      assert.deepEqual(ids.sort(), house.people.map(({ userId }) => userId).sort());
      expectStatus(await house.ask("DELETE", "/shadow"), 204);
      assert.equal((await readComparison()).active, false);
      const later = await readSettled(house, await send(house, { title: "After the shadow" }));
      assert.ok(later.length > 0 && later.every(({ status }) => status !== "SHADOW"));
    },
    "a workspace is listed to its members only": async ({ acme, globex, client }) => {
      const { token } = globex.owner;
      const list = expectBody(await client("GET", "/v1/workspaces", { token }), 200, v.array(ListedWorkspace));
      assert.ok(list.some(({ id }) => id === globex.id) && !list.some(({ id }) => id === acme.id));
    },
    "a member is added with userId, name and email, and can use the workspace at once, which says by whom": async ({
      fresh,
      session,
      client,
    }) => {
      const house = await fresh();
      const { userId, name, email, token } = session.outsider;
      expectStatus(await house.as({ token }, "GET", "/groups"), 403);
      const added = expectBody(await house.ask("POST", "/members", { userId, name, email }), 201, Member);
      assert.deepEqual([added.userId, added.name, added.email], [userId, name, email]);
      assert.equal(added.addedBy?.id, house.owner.userId);
      const listed = await client("GET", "/v1/workspaces", { token });
      const own = expectBody(listed, 200, v.array(ListedWorkspace)).find((one) => one.id === house.id);
      assert.deepEqual(own?.addedBy, added.addedBy);
      expectStatus(await house.as({ token }, "GET", "/groups"), 200);
      expectFaults(await house.ask("POST", "/members", {}), "userId", "name", "email");
      expectFaults(await house.ask("POST", "/members", { userId: "x", name, email: "x" }), "userId", "email");
    },
    "who is removed is out at once, and out of the groups": async ({ fresh, session }) => {
      const house = await fresh();
      const { userId, name, email, token } = session.outsider;
      await house.ask("POST", "/members", { userId, name, email });
      const groupId = await makeGroup(house, [session.outsider]);
      expectStatus(await house.as({ token }, "POST", "/devices", { token: `of-${house.id}`, platform: "web" }), 201);
      expectStatus(await house.ask("DELETE", `/members/${userId}`), 204);
      expectProblem(await house.as({ token }, "GET", "/groups"), 403, "not_a_member");
      const members = await house.ask("GET", `/groups/${groupId}/members`);
      assert.deepEqual(expectBody(members, 200, v.array(GroupMember)), []);
      expectProblem(await house.ask("DELETE", `/members/${userId}`), 404, "not_found");
      await house.ask("POST", "/members", { userId, name, email });
      assert.deepEqual(expectBody(await house.as({ token }, "GET", "/devices"), 200, v.array(Device)), []);
    },
    "somebody is invited by address, finds it after signing in, and joins with one press": async ({
      fresh,
      session,
      client,
    }) => {
      const house = await fresh();
      const { userId, email, token } = session.outsider;
      const groupId = await makeGroup(house, []);
      const body = { email: email.toUpperCase(), role: "responder", groupIds: [groupId] };
      const sent = expectBody(await house.ask("POST", "/invitations", body), 201, SentInvitation);
      expectStatus(await house.ask("POST", "/invitations", body), 200);
      const open = expectBody(await house.ask("GET", "/invitations"), 200, v.array(Invitation));
      assert.deepEqual(
        open.map(({ id }) => id),
        [sent.id],
      );
      const listOwnInvitations = async () =>
        expectBody(await client("GET", "/v1/invitations", { token }), 200, v.array(OwnInvitation)).filter(
          ({ workspace }) => workspace.id === house.id,
        );
      const acceptInvitation = (by: string, id = sent.id) =>
        client("POST", `/v1/invitations/${id}/accept`, { token: by, body: {} });
      assert.deepEqual(
        (await listOwnInvitations()).map(({ id, role, invitedBy }) => [id, role, invitedBy?.id]),
        [[sent.id, "responder", house.owner.userId]],
      );
      expectProblem(await acceptInvitation(house.owner.token), 404, "not_found");
      assert.deepEqual(expectBody(await acceptInvitation(token), 200, Joined), { workspaceId: house.id });
      const member = expectBody(await house.ask("GET", `/members/${userId}`), 200, MemberDetail);
      assert.deepEqual(
        [member.role, member.addedBy?.id, member.groups.map(({ id }) => id)],
        ["responder", house.owner.userId, [groupId]],
      );
      assert.deepEqual(await listOwnInvitations(), []);
      expectProblem(await house.ask("POST", "/invitations", { email }), 409, "already_member");
      expectProblem(await house.as({ token }, "GET", "/invitations"), 403, "role_required");
      const other = expectBody(
        await house.ask("POST", "/invitations", { email: "x@acme.example" }),
        201,
        SentInvitation,
      );
      expectStatus(await house.ask("DELETE", `/invitations/${other.id}`), 204);
      expectFaults(await house.ask("POST", "/invitations", { email: "x", role: "boss" }), "email", "role");
    },
    "a role decides what a member may do, from the next request on": async ({ fresh, session }) => {
      const house = await fresh();
      const { userId, name, email, token } = session.outsider;
      const readRole = async (id: string) =>
        expectBody(await house.ask("GET", "/members"), 200, v.array(ListedMember)).find((one) => one.userId === id)
          ?.role;
      assert.equal(await readRole(house.owner.userId), "owner");
      const added = expectBody(await house.ask("POST", "/members", { userId, name, email }), 201, Member);
      assert.equal(added.role, "manager");
      const changeRole = (role: string, id = userId) => house.ask("PATCH", `/members/${id}`, { role });
      const createGroup = () => house.as({ token }, "POST", "/groups", { name: "Theirs" });
      assert.equal(expectBody(await changeRole("viewer"), 200, Member).role, "viewer");
      const refused = v.looseObject({ code: v.literal("role_required"), required: v.literal("manager") });
      expectBody(await createGroup(), 403, refused);
      expectStatus(await house.as({ token }, "GET", "/routing-rules"), 200);
      expectStatus(await changeRole("manager"), 200);
      expectStatus(await createGroup(), 201);
      expectProblem(await changeRole("viewer", house.owner.userId), 409, "last_owner");
      expectFaults(await changeRole("admin"), "role");
      expectProblem(await changeRole("viewer", "usr_00000000000000000000000000000000"), 404, "not_found");
    },
    "members of any role acknowledge, and leave by themselves": async ({ fresh, session }) => {
      const house = await fresh();
      const { userId, name, email, token } = session.outsider;
      await house.ask("POST", "/members", { userId, name, email, role: "viewer" });
      const eventId = await send(house);
      expectStatus(await house.as({ token }, "POST", "/events/acknowledge", { eventIds: [eventId] }), 200);
      expectProblem(await house.as({ token }, "POST", `/events/${eventId}/resolve`, {}), 403, "role_required");
      expectProblem(await house.as({ token }, "DELETE", `/members/${house.owner.userId}`), 403, "role_required");
      expectStatus(await house.as({ token }, "DELETE", `/members/${userId}`), 204);
      expectProblem(await house.as({ token }, "GET", "/groups"), 403, "not_a_member");
    },
    "the last member cannot be removed": async ({ fresh }) => {
      const house = await fresh();
      const [, second] = house.people;
      expectStatus(await house.ask("DELETE", `/members/${second?.userId ?? ""}`), 204);
      expectProblem(await house.ask("DELETE", `/members/${house.owner.userId}`), 409, "last_member");
      expectStatus(await house.ask("GET", ""), 200);
    },
  }),
];
