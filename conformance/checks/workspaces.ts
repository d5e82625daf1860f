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
import { buildEvent, openNotifyingWorkspace, createGroup, registerDevice, sendEvent, waitForSent } from "../world.ts";

const HOUR_MS = 3_600_000;

export const workspaces = [
  ...createSection("Workspaces and members", {
    "makes the creator of a workspace its first member, with name and address": async ({ client, session }) => {
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
    "shows owners each change in the audit trail, with its author": async ({ fresh, session }) => {
      const workspace = await fresh();
      const { userId, name, email, token } = session.outsider;
      await workspace.ask("POST", "/members", { userId, name, email, role: "manager" });
      const { id } = await workspace.create("/groups", { name: "Ops" }, Group);
      expectStatus(await workspace.as({ token }, "PATCH", `/groups/${id}`, { name: "Operations" }), 200);
      expectStatus(await workspace.ask("PATCH", `/groups/${id}`, { name: "Operations" }), 200);
      expectProblem(await workspace.as({ token }, "GET", "/audit"), 403, "role_required");
      const first = await workspace.read(`/audit?target=${id}&limit=1`, AuditPage);
      const [changed] = first.items;
      assert.deepEqual(
        [changed?.actor?.id, changed?.action, changed?.target.name, changed?.before, changed?.after],
        [userId, "updated", "Operations", { name: "Ops" }, { name: "Operations" }],
      );
      assert.ok(first.nextCursor !== null);
      const next = `/audit?target=${id}&limit=1&cursor=${encodeURIComponent(first.nextCursor)}`;
      const second = await workspace.read(next, AuditPage);
      assert.deepEqual(
        second.items.map(({ actor, action }) => [actor?.id, action]),
        [[workspace.owner.userId, "created"]],
      );
      assert.equal(second.nextCursor, null);
      expectFaults(await workspace.ask("GET", "/audit?action=moved"), "action");
      expectFaults(await workspace.ask("GET", "/audit?target=thing"), "target");
    },
    "renames a workspace by PATCH, and changes nothing else": async ({ fresh }) => {
      const workspace = await fresh();
      const before = await workspace.read("", Workspace);
      assert.deepEqual(expectBody(await workspace.ask("PATCH", "", { name: "Renamed" }), 200, Workspace), {
        ...before,
        name: "Renamed",
        version: before.version + 1,
      });
      expectFaults(await workspace.ask("PATCH", "", { id: "ws_1", plan: 1 }), "id", "plan");
      expectFaults(await workspace.ask("PATCH", "", { name: "" }), "name");
    },
    "shows the workspace's plan and its usage this month": async ({ fresh }) => {
      const workspace = await fresh();
      const before = await workspace.read("", Workspace);
      assert.equal(before.usage.limit, before.plan.monthlyEvents);
      await sendEvent(workspace);
      const after = await workspace.read("", Workspace);
      assert.equal(after.usage.used, before.usage.used + 1);
      // A client may send all fields that it has read, not only the changed field.
      expectStatus(await workspace.ask("PATCH", "", { ...before, name: "Renamed" }), 200);
    },
    "deletes a workspace if an owner types its name, and then refuses its keys": async ({ fresh, session, client }) => {
      const workspace = await fresh();
      const { userId, name, email, token } = session.outsider;
      expectStatus(await workspace.ask("POST", "/members", { userId, name, email, role: "manager" }), 201);
      expectProblem(await workspace.as({ token }, "DELETE", "?name=conformance"), 403, "role_required");
      expectFaults(await workspace.ask("DELETE", ""), "name");
      expectFaults(await workspace.ask("DELETE", "?name=Conformance"), "name");
      await sendEvent(workspace);
      expectStatus(await workspace.ask("DELETE", "?name=conformance"), 204);
      expectProblem(await workspace.ask("GET", ""), 403, "not_a_member");
      expectProblem(await workspace.post(buildEvent()), 401, "unauthenticated");
      const list = expectBody(await client("GET", "/v1/workspaces", { token }), 200, v.array(ListedWorkspace));
      assert.ok(!list.some(({ id }) => id === workspace.id));
    },
    "plans events in shadow mode without notifying anyone, until an owner ends it": async ({ fresh, unique }) => {
      const workspace = await openNotifyingWorkspace(fresh);
      for (const person of workspace.people)
        expectStatus(await registerDevice(workspace, person, unique("conformance-")), 201);
      const { receivedAt } = await workspace.read(`/events/${await sendEvent(workspace)}`, Event);
      expectFaults(await workspace.ask("PUT", "/shadow", { until: receivedAt }), "until");
      const until = new Date(Date.parse(receivedAt) + HOUR_MS).toISOString();
      expectBody(await workspace.ask("PUT", "/shadow", { until }), 200, Shadow);
      const eventId = await sendEvent(workspace, { title: "In the shadow" });
      const planned = await waitForSent(workspace, eventId);
      assert.deepEqual(
        planned.map(({ status, sentAt }) => [status, sentAt]),
        workspace.people.map(() => ["SHADOW", null]),
      );
      const readComparison = async () => workspace.read("/shadow", ShadowComparison);
      const during = await readComparison();
      assert.deepEqual([during.active, during.until, during.items.map(({ id }) => id)], [true, until, [eventId]]);
      const ids = during.items.flatMap(({ pages }) => pages.map(({ user }) => user.id));
      assert.deepEqual(ids.sort(), workspace.people.map(({ userId }) => userId).sort());
      expectStatus(await workspace.ask("DELETE", "/shadow"), 204);
      assert.equal((await readComparison()).active, false);
      const later = await waitForSent(workspace, await sendEvent(workspace, { title: "After the shadow" }));
      assert.ok(later.length > 0 && later.every(({ status }) => status !== "SHADOW"));
    },
    "lists a workspace only for its members": async ({ acme, globex, client }) => {
      const { token } = globex.owner;
      const list = expectBody(await client("GET", "/v1/workspaces", { token }), 200, v.array(ListedWorkspace));
      assert.ok(list.some(({ id }) => id === globex.id) && !list.some(({ id }) => id === acme.id));
    },
    "adds a member, who can use the workspace at once, and shows who added them": async ({
      fresh,
      session,
      client,
    }) => {
      const workspace = await fresh();
      const { userId, name, email, token } = session.outsider;
      expectStatus(await workspace.as({ token }, "GET", "/groups"), 403);
      const added = await workspace.create("/members", { userId, name, email }, Member);
      assert.deepEqual([added.userId, added.name, added.email], [userId, name, email]);
      assert.equal(added.addedBy?.id, workspace.owner.userId);
      const listed = await client("GET", "/v1/workspaces", { token });
      const own = expectBody(listed, 200, v.array(ListedWorkspace)).find((one) => one.id === workspace.id);
      assert.deepEqual(own?.addedBy, added.addedBy);
      expectStatus(await workspace.as({ token }, "GET", "/groups"), 200);
      expectFaults(await workspace.ask("POST", "/members", {}), "userId", "name", "email");
      expectFaults(await workspace.ask("POST", "/members", { userId: "x", name, email: "x" }), "userId", "email");
    },
    "removes a member at once from the workspace and its groups": async ({ fresh, session }) => {
      const workspace = await fresh();
      const { userId, name, email, token } = session.outsider;
      await workspace.ask("POST", "/members", { userId, name, email });
      const groupId = await createGroup(workspace, [session.outsider]);
      expectStatus(
        await workspace.as({ token }, "POST", "/devices", { token: `of-${workspace.id}`, platform: "web" }),
        201,
      );
      expectStatus(await workspace.ask("DELETE", `/members/${userId}`), 204);
      expectProblem(await workspace.as({ token }, "GET", "/groups"), 403, "not_a_member");
      const members = await workspace.ask("GET", `/groups/${groupId}/members`);
      assert.deepEqual(expectBody(members, 200, v.array(GroupMember)), []);
      expectProblem(await workspace.ask("DELETE", `/members/${userId}`), 404, "not_found");
      await workspace.ask("POST", "/members", { userId, name, email });
      assert.deepEqual(expectBody(await workspace.as({ token }, "GET", "/devices"), 200, v.array(Device)), []);
    },
    "invites a person, who finds the invitation after signing in, and accepts it": async ({
      fresh,
      session,
      client,
    }) => {
      const workspace = await fresh();
      const { userId, email, token } = session.outsider;
      const groupId = await createGroup(workspace, []);
      const body = { email: email.toUpperCase(), role: "responder", groupIds: [groupId] };
      const sent = await workspace.create("/invitations", body, SentInvitation);
      expectStatus(await workspace.ask("POST", "/invitations", body), 200);
      const open = await workspace.read("/invitations", v.array(Invitation));
      assert.deepEqual(
        open.map(({ id }) => id),
        [sent.id],
      );
      const listOwnInvitations = async () =>
        expectBody(await client("GET", "/v1/invitations", { token }), 200, v.array(OwnInvitation)).filter(
          (invitation) => invitation.workspace.id === workspace.id,
        );
      const acceptInvitation = (token: string, invitationId = sent.id) =>
        client("POST", `/v1/invitations/${invitationId}/accept`, { token, body: {} });
      assert.deepEqual(
        (await listOwnInvitations()).map(({ id, role, invitedBy }) => [id, role, invitedBy?.id]),
        [[sent.id, "responder", workspace.owner.userId]],
      );
      expectProblem(await acceptInvitation(workspace.owner.token), 404, "not_found");
      assert.deepEqual(expectBody(await acceptInvitation(token), 200, Joined), { workspaceId: workspace.id });
      const member = await workspace.read(`/members/${userId}`, MemberDetail);
      assert.deepEqual(
        [member.role, member.addedBy?.id, member.groups.map(({ id }) => id)],
        ["responder", workspace.owner.userId, [groupId]],
      );
      assert.deepEqual(await listOwnInvitations(), []);
      expectProblem(await workspace.ask("POST", "/invitations", { email }), 409, "already_member");
      expectProblem(await workspace.as({ token }, "GET", "/invitations"), 403, "role_required");
      const other = await workspace.create("/invitations", { email: "x@acme.example" }, SentInvitation);
      expectStatus(await workspace.ask("DELETE", `/invitations/${other.id}`), 204);
      expectFaults(await workspace.ask("POST", "/invitations", { email: "x", role: "boss" }), "email", "role");
    },
    "applies a new role from the next request": async ({ fresh, session }) => {
      const workspace = await fresh();
      const { userId, name, email, token } = session.outsider;
      const readRole = async (id: string) =>
        (await workspace.read("/members", v.array(ListedMember))).find((one) => one.userId === id)?.role;
      assert.equal(await readRole(workspace.owner.userId), "owner");
      const added = await workspace.create("/members", { userId, name, email }, Member);
      assert.equal(added.role, "manager");
      const changeRole = (role: string, id = userId) => workspace.ask("PATCH", `/members/${id}`, { role });
      const postGroup = () => workspace.as({ token }, "POST", "/groups", { name: "Theirs" });
      assert.equal(expectBody(await changeRole("viewer"), 200, Member).role, "viewer");
      const refused = v.looseObject({ code: v.literal("role_required"), required: v.literal("manager") });
      expectBody(await postGroup(), 403, refused);
      expectStatus(await workspace.as({ token }, "GET", "/routing-rules"), 200);
      expectStatus(await changeRole("manager"), 200);
      expectStatus(await postGroup(), 201);
      expectProblem(await changeRole("viewer", workspace.owner.userId), 409, "last_owner");
      expectFaults(await changeRole("admin"), "role");
      expectProblem(await changeRole("viewer", "usr_00000000000000000000000000000000"), 404, "not_found");
    },
    "lets members of any role acknowledge, and leave the workspace": async ({ fresh, session }) => {
      const workspace = await fresh();
      const { userId, name, email, token } = session.outsider;
      await workspace.ask("POST", "/members", { userId, name, email, role: "viewer" });
      const eventId = await sendEvent(workspace);
      expectStatus(await workspace.as({ token }, "POST", "/events/acknowledge", { eventIds: [eventId] }), 200);
      expectProblem(await workspace.as({ token }, "POST", `/events/${eventId}/resolve`, {}), 403, "role_required");
      expectProblem(
        await workspace.as({ token }, "DELETE", `/members/${workspace.owner.userId}`),
        403,
        "role_required",
      );
      expectStatus(await workspace.as({ token }, "DELETE", `/members/${userId}`), 204);
      expectProblem(await workspace.as({ token }, "GET", "/groups"), 403, "not_a_member");
    },
    "refuses to remove the last member": async ({ fresh }) => {
      const workspace = await fresh();
      const [, second] = workspace.people;
      expectStatus(await workspace.ask("DELETE", `/members/${second?.userId ?? ""}`), 204);
      expectProblem(await workspace.ask("DELETE", `/members/${workspace.owner.userId}`), 409, "last_member");
      expectStatus(await workspace.ask("GET", ""), 200);
    },
  }),
];
