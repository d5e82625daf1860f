import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Group, GroupMember, GroupMemberWithName, Policy, Rule } from "../shapes.ts";
import { createGroup, createRule, sendEvent, waitForSent } from "../world.ts";

export const groups = [
  ...createSection("Groups", {
    "creates a group: 201 with id, name, workspaceId and createdAt": async ({ acme }) => {
      const group = await acme.create("/groups", { name: "Ops" }, Group);
      assert.deepEqual([group.name, group.workspaceId], ["Ops", acme.id]);
      const list = await acme.read("/groups", v.array(Group));
      assert.deepEqual(
        list.find(({ id }) => id === group.id),
        group,
      );
      await acme.ask("DELETE", `/groups/${group.id}`);
    },
    "reads a group by its id, and renames it by PATCH": async ({ acme, globex }) => {
      const groupId = await createGroup(acme);
      const group = await acme.read(`/groups/${groupId}`, Group);
      const renamed = expectBody(await acme.ask("PATCH", `/groups/${groupId}`, { name: "Renamed" }), 200, Group);
      assert.deepEqual(renamed, { ...group, name: "Renamed" });
      expectFaults(await acme.ask("PATCH", `/groups/${groupId}`, { nmae: "x" }), "nmae");
      expectFaults(await acme.ask("PATCH", `/groups/${groupId}`, { name: "" }), "name");
      expectProblem(await globex.ask("GET", `/groups/${groupId}`), 404, "not_found");
      expectProblem(await globex.ask("PATCH", `/groups/${groupId}`, { name: "x" }), 404, "not_found");
      await acme.ask("DELETE", `/groups/${groupId}`);
      expectProblem(await acme.ask("GET", `/groups/${groupId}`), 404, "not_found");
      expectProblem(await acme.ask("PATCH", `/groups/${groupId}`, { name: "x" }), 404, "not_found");
    },
    "requires a name of 1 to 100 characters": async ({ acme }) => {
      for (const body of [{}, { name: "" }, { name: "x".repeat(101) }, { name: null }])
        expectFaults(await acme.ask("POST", "/groups", body), "name");
    },
    "adds a member: 201; adding the same member again: 200": async ({ acme }) => {
      const groupId = await createGroup(acme);
      const { userId } = acme.owner;
      const addMember = () => acme.ask("POST", `/groups/${groupId}/members`, { userId });
      const first = expectBody(await addMember(), 201, GroupMember);
      assert.deepEqual([first.groupId, first.userId], [groupId, userId]);
      assert.deepEqual(expectBody(await addMember(), 200, GroupMember), first);
      const list = await acme.read(`/groups/${groupId}/members`, v.array(GroupMemberWithName));
      const { name, email } = acme.owner;
      assert.deepEqual(list, [{ ...first, name, email }]);
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
    "answers 404 to an unknown group, and 422 to a person outside the workspace": async ({ acme, globex, session }) => {
      const { userId } = acme.owner;
      expectProblem(await acme.ask("POST", "/groups/grp_0000000000000000/members", { userId }), 404, "not_found");
      const groupId = await createGroup(acme);
      for (const stranger of [session.outsider.userId, globex.owner.userId, "usr_0000", "nobody"])
        expectFaults(await acme.ask("POST", `/groups/${groupId}/members`, { userId: stranger }), "userId");
      expectFaults(await acme.ask("POST", `/groups/${groupId}/members`, {}), "userId");
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
    "removes a member: 204; removing the same member again: 404": async ({ acme }) => {
      const groupId = await createGroup(acme, [acme.owner]);
      const removeOwner = () => acme.ask("DELETE", `/groups/${groupId}/members/${acme.owner.userId}`);
      expectStatus(await removeOwner(), 204);
      expectProblem(await removeOwner(), 404, "not_found");
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
    "warns in a header if the last member is removed": async ({ acme }) => {
      const groupId = await createGroup(acme, acme.people.slice(0, 2));
      const removePerson = (index: number) =>
        acme.ask("DELETE", `/groups/${groupId}/members/${acme.people[index]?.userId ?? ""}`);
      assert.equal(expectStatus(await removePerson(0), 204).headers.get("x-warning"), null);
      assert.equal(expectStatus(await removePerson(1), 204).headers.get("x-warning"), `group_empty; groups=${groupId}`);
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
    "deletes a group: 204; deleting it again: 404": async ({ acme }) => {
      const groupId = await createGroup(acme, [acme.owner]);
      expectStatus(await acme.ask("DELETE", `/groups/${groupId}`), 204);
      expectProblem(await acme.ask("DELETE", `/groups/${groupId}`), 404, "not_found");
      expectProblem(await acme.ask("GET", `/groups/${groupId}/members`), 404, "not_found");
    },
    "refuses to delete a group that a policy uses, unless forced; policy and rule then have a warning": async ({
      acme,
    }) => {
      const [groupId, other] = [await createGroup(acme), await createGroup(acme)];
      const steps = [{ delayMinutes: 5, targets: [{ type: "group", groupId }] }];
      const policy = await acme.create("/escalation-policies", { name: "P", steps }, Policy);
      const rule = await createRule(acme, { eventKey: "nothing.ever", groupId: other, escalationPolicyId: policy.id });
      const refused = expectProblem(await acme.ask("DELETE", `/groups/${groupId}`), 409, "used_by_policies");
      assert.deepEqual(refused["policies"], [{ id: policy.id, name: "P" }]);
      assert.deepEqual(refused["rules"], [{ id: rule.id, name: rule.name }]);
      expectFaults(await acme.ask("DELETE", `/groups/${groupId}?force=yes`), "force");
      expectStatus(await acme.ask("DELETE", `/groups/${groupId}?force=true`), 204);
      const read = await acme.read(`/escalation-policies/${policy.id}`, Policy);
      assert.ok(read.warnings.some(({ code, id }) => code === "group_deleted" && id === groupId));
      const using = await acme.read(`/routing-rules/${rule.id}`, Rule);
      assert.ok(using.warnings.some(({ code, id }) => code === "policy_step_gone" && id === policy.id));
      await acme.ask("DELETE", `/routing-rules/${rule.id}`);
      await acme.ask("DELETE", `/escalation-policies/${policy.id}`);
      await acme.ask("DELETE", `/groups/${other}`);
    },
    "answers 404 to another workspace's group": async ({ acme, globex }) => {
      const groupId = await createGroup(globex, [globex.owner]);
      const { userId } = acme.owner;
      expectProblem(await acme.ask("GET", `/groups/${groupId}/members`), 404, "not_found");
      expectProblem(await acme.ask("POST", `/groups/${groupId}/members`, { userId }), 404, "not_found");
      expectProblem(await acme.ask("DELETE", `/groups/${groupId}/members/${globex.owner.userId}`), 404, "not_found");
      expectProblem(await acme.ask("DELETE", `/groups/${groupId}`), 404, "not_found");
      const list = await globex.ask("GET", `/groups/${groupId}/members`);
      assert.equal(expectBody(list, 200, v.array(GroupMemberWithName)).length, 1);
      await globex.ask("DELETE", `/groups/${groupId}`);
    },
    "no longer notifies people who were removed from the group": async ({ fresh }) => {
      const workspace = await fresh();
      const groupId = await createGroup(workspace, workspace.people);
      await createRule(workspace, { eventKey: "*", groupId });
      await workspace.ask("DELETE", `/groups/${groupId}/members/${workspace.owner.userId}`);
      const notified = await waitForSent(workspace, await sendEvent(workspace));
      assert.deepEqual(
        notified.map(({ user }) => user.id),
        [workspace.people[1]?.userId],
      );
    },
  }),
];
