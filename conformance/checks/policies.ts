import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Policy, Rule } from "../shapes.ts";
import { createGroup, createRule } from "../world.ts";

export const policies = [
  ...createSection("Escalation policies", {
    "creates, reads, lists, changes and deletes a policy": async ({ acme }) => {
      const groupId = await createGroup(acme);
      const steps = [
        {
          delayMinutes: 5,
          targets: [
            { type: "group", groupId },
            { type: "user", userId: acme.owner.userId },
          ],
        },
      ];
      const made = await acme.create("/escalation-policies", { name: "P", repeat: 2, steps }, Policy);
      assert.deepEqual([made.name, made.repeat, made.steps.length, made.workspaceId], ["P", 2, 1, acme.id]);
      assert.deepEqual(await acme.read(`/escalation-policies/${made.id}`, Policy), made);
      const list = await acme.read("/escalation-policies", v.array(Policy));
      assert.ok(list.some(({ id }) => id === made.id));
      const changed = await acme.ask("PATCH", `/escalation-policies/${made.id}`, { repeat: 0 });
      assert.deepEqual([expectBody(changed, 200, Policy).repeat, expectBody(changed, 200, Policy).name], [0, "P"]);
      expectFaults(
        await acme.ask("PATCH", `/escalation-policies/${made.id}`, { id: "pol_1", colour: 1 }),
        "id",
        "colour",
      );
      expectStatus(await acme.ask("DELETE", `/escalation-policies/${made.id}`), 204);
      expectProblem(await acme.ask("GET", `/escalation-policies/${made.id}`), 404, "not_found");
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
    "accepts 0 to 5 for repeat, and 1 to 1440 for delayMinutes": async ({ acme }) => {
      const postPolicy = (fields: object) =>
        acme.ask("POST", "/escalation-policies", { name: "P", repeat: 0, steps: [], ...fields });
      for (const repeat of [-1, 6, 1.5, "1"]) expectFaults(await postPolicy({ repeat }), "repeat");
      for (const delayMinutes of [0, 1441, 0.5])
        expectFaults(await postPolicy({ steps: [{ delayMinutes, targets: [] }] }), "steps[0].delayMinutes");
    },
    "answers 422 to another workspace's groups and users in steps, and names the field": async ({ acme, globex }) => {
      const groupId = await createGroup(globex);
      const targets = [
        { type: "group", groupId },
        { type: "user", userId: globex.owner.userId },
      ];
      const body = { name: "P", repeat: 0, steps: [{ delayMinutes: 1, targets }] };
      expectFaults(
        await acme.ask("POST", "/escalation-policies", body),
        "steps[0].targets[0].groupId",
        "steps[0].targets[1].userId",
      );
      await globex.ask("DELETE", `/groups/${groupId}`);
    },
    "refuses to delete a policy that rules use, unless forced; the rules then have a warning": async ({ acme }) => {
      const groupId = await createGroup(acme);
      const made = await acme.ask("POST", "/escalation-policies", { name: "P", repeat: 0, steps: [] });
      const policy = expectBody(made, 201, Policy);
      const rule = await createRule(acme, { eventKey: "nothing.ever", groupId, escalationPolicyId: policy.id });
      assert.equal(rule.escalationPolicyId, policy.id);
      const refused = expectProblem(
        await acme.ask("DELETE", `/escalation-policies/${policy.id}`),
        409,
        "policy_in_use",
      );
      assert.deepEqual(refused["rules"], [{ id: rule.id, name: rule.name }]);
      expectFaults(await acme.ask("DELETE", `/escalation-policies/${policy.id}?force=yes`), "force");
      expectStatus(await acme.ask("DELETE", `/escalation-policies/${policy.id}?force=true`), 204);
      const listed = await acme.read("/routing-rules", v.array(Rule));
      const codes = listed.find(({ id }) => id === rule.id)?.warnings.map(({ code }) => code);
      assert.ok(codes?.includes("policy_deleted"), "the list says that the rule escalates no more");
      const patched = await acme.ask("PATCH", `/routing-rules/${rule.id}`, { name: "still here" });
      assert.ok(expectBody(patched, 200, Rule).warnings.some(({ code }) => code === "policy_deleted"));
      await acme.ask("DELETE", `/routing-rules/${rule.id}`);
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
  }),
];
