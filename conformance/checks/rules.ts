import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection } from "../check.ts";
import { retryUntilSuccess, expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Event, EventType, Probe, Rule, SentProbe } from "../shapes.ts";
import { createGroup, postRule, sendEvent, withGroup } from "../world.ts";

export const rules = [
  ...createSection("Probes", {
    "sends a probe that notifies nobody, and lists it with its steps": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const rule = expectBody(await postRule(acme, groupId, { eventKey: "probe.checked" }), 201, Rule);
        const path = `/routing-rules/${rule.id}/probe`;
        const { eventId } = expectBody(await acme.ask("POST", path), 201, SentProbe);
        expectProblem(await acme.ask("POST", path), 429, "rate_limited");
        const links = await retryUntilSuccess(async () => {
          const probes = await acme.read("/probes", v.array(Probe));
          const probe = probes.find(({ id }) => id === rule.id);
          assert.equal(probe?.eventId, eventId);
          assert.ok(probe.links?.matched.at);
          return probe.links;
        });
        for (const { at, fault } of [links.accepted, links.matched, links.recipient])
          assert.deepEqual([at !== null, fault], [true, null]);
        // A device can only confirm what a push service has accepted.
        assert.ok(links.sent.at !== null || links.confirmed.at === null);
        const event = await acme.read(`/events/${eventId}`, Event);
        assert.deepEqual([event.title, event._count.notifications], ["Probe: Probe", 0]);
        await acme.ask("DELETE", `/routing-rules/${rule.id}`);
      }),
  }),
  ...createSection("Routing rules: create", {
    "creates a rule: 201 with all fields and their defaults": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const rule = expectBody(await postRule(acme, groupId, {}), 201, Rule);
        assert.equal(rule.workspaceId, acme.id);
        assert.equal(rule.requiresAck, false);
        assert.equal(rule.onCallOnly, false);
        assert.equal(rule.priorityOverride, null);
        assert.equal(rule.escalationPolicyId, null);
        assert.equal(rule.enabled, true);
        assert.deepEqual(rule.conditions, []);
        assert.equal(rule.conditionMatch, "all");
        assert.deepEqual(rule.targets, [{ type: "group", groupId }]);
        await acme.ask("DELETE", `/routing-rules/${rule.id}`);
      }),
    "requires name, eventKey and targets": async ({ acme }) => {
      expectFaults(await acme.ask("POST", "/routing-rules", {}), "name", "eventKey", "targets");
    },
    "accepts only *, resource.* and an exact key as patterns": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        for (const eventKey of ["*", "booking.*", "booking.created"]) {
          const { id } = expectBody(await postRule(acme, groupId, { eventKey, enabled: true }), 201, Rule);
          await acme.ask("DELETE", `/routing-rules/${id}`);
        }
        for (const eventKey of ["", "booking", "*.created", "book*", "a.b.*", "Booking.*", "**", ".*"])
          expectFaults(await postRule(acme, groupId, { eventKey }), "eventKey");
      }),
    "refuses the reserved prefix service. in patterns, too": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        for (const eventKey of ["service.*", "service.down"])
          expectFaults(await postRule(acme, groupId, { eventKey }), "eventKey");
      }),
    "accepts 1 to 10 groups as targets": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const createTargets = (count: number) => Array.from({ length: count }, () => ({ type: "group", groupId }));
        const { id } = expectBody(await postRule(acme, groupId, { targets: createTargets(10) }), 201, Rule);
        await acme.ask("DELETE", `/routing-rules/${id}`);
        expectFaults(await postRule(acme, groupId, { targets: createTargets(11) }), "targets");
        expectFaults(await postRule(acme, groupId, { targets: [] }), "targets");
      }),
    "requires type and groupId in each target": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        expectFaults(await postRule(acme, groupId, { targets: [{ type: "user", groupId }] }), "targets[0].type");
        expectFaults(await postRule(acme, groupId, { targets: [{ type: "group" }] }), "targets[0].groupId");
      }),
    "answers 422 to another workspace's group or policy, like an unknown one": async ({ acme, globex }) => {
      const foreign = await createGroup(globex);
      expectFaults(await postRule(acme, foreign, {}), "targets[0].groupId");
      expectFaults(await postRule(acme, "grp_0000000000000000", {}), "targets[0].groupId");
      await withGroup(acme, async (groupId) => {
        expectFaults(
          await postRule(acme, groupId, { escalationPolicyId: "pol_0000000000000000" }),
          "escalationPolicyId",
        );
      });
      await globex.ask("DELETE", `/groups/${foreign}`);
    },
    "answers 422 to an unknown field, and suggests the field that was probably meant": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        for (const [typed, meant] of [
          ["condition", "conditions"],
          ["contitions", "conditions"],
          ["onCallonly", "onCallOnly"],
        ] as const) {
          const answer = await postRule(acme, groupId, { [typed]: [] });
          expectFaults(answer, typed);
          const { errors = [] } = expectProblem(answer, 422, "invalid_input");
          assert.ok(errors[0]?.message.includes(meant), errors[0]?.message);
        }
      }),
    "creates a disabled rule": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const rule = expectBody(await postRule(acme, groupId, { enabled: false }), 201, Rule);
        assert.equal(rule.enabled, false);
        await acme.ask("DELETE", `/routing-rules/${rule.id}`);
        expectFaults(await postRule(acme, groupId, { enabled: "no" }), "enabled");
      }),
    "accepts five priorities or null for priorityOverride, and shows them as written": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        for (const priorityOverride of ["LOW", "NORMAL", "HIGH", "URGENT", "CRITICAL", null]) {
          const rule = expectBody(await postRule(acme, groupId, { priorityOverride }), 201, Rule);
          assert.equal(rule.priorityOverride, priorityOverride);
          await acme.ask("DELETE", `/routing-rules/${rule.id}`);
        }
        expectFaults(await postRule(acme, groupId, { priorityOverride: "urgent" }), "priorityOverride");
      }),
    "accepts names of 1 to 100 characters": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        for (const name of ["", "x".repeat(101), null]) expectFaults(await postRule(acme, groupId, { name }), "name");
      }),
    "accepts a rule that probably never matches, with a warning": async ({ fresh }) => {
      const workspace = await fresh();
      const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
      const listRuleWarnings = async (fields: object) =>
        expectBody(await postRule(workspace, groupId, fields), 201, Rule).warnings.flatMap(({ code, field }) =>
          field === undefined ? [] : [[code, field]],
        );
      const slashes = { field: "title", operator: "matches_regex", value: "/disk/" };
      assert.deepEqual(await listRuleWarnings({ conditions: [slashes] }), [
        ["pattern_in_slashes", "conditions[0].value"],
      ]);
      const [one, other] = ["a", "b"].map((value) => ({ field: "title", operator: "equals", value }));
      assert.deepEqual(await listRuleWarnings({ conditions: [one, other] }), [["contradiction", "conditions"]]);
      await sendEvent(workspace, { event: "order.failed", data: { amount: 5 } });
      await retryUntilSuccess(async () => {
        const types = await workspace.read("/event-types", v.array(EventType));
        assert.equal(types.length, 1);
      });
      assert.deepEqual(await listRuleWarnings({ eventKey: "order.faild" }), [["event_key_never_seen", "eventKey"]]);
      const amuont = { field: "data.amuont", operator: "is_not_empty" };
      assert.deepEqual(await listRuleWarnings({ eventKey: "order.*", conditions: [amuont] }), [
        ["field_never_seen", "conditions[0].field"],
      ]);
    },
    "accepts a rule that reaches nobody, with a warning": async ({ acme }) => {
      const empty = await createGroup(acme);
      const rule = expectBody(await postRule(acme, empty, {}), 201, Rule);
      assert.deepEqual(
        rule.warnings.flatMap(({ code, id }) => (id === undefined ? [] : [[code, id]])),
        [["group_empty", empty]],
      );
      await acme.ask("DELETE", `/routing-rules/${rule.id}`);
      await acme.ask("DELETE", `/groups/${empty}`);
    },
  }),
  ...createSection("Routing rules: list, change, delete", {
    "lists rules with all fields": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const made = expectBody(await postRule(acme, groupId, {}), 201, Rule);
        const list = await acme.read("/routing-rules", v.array(Rule));
        const listed = list.find(({ id }) => id === made.id);
        assert.deepEqual({ ...listed, warnings: [] }, { ...made, warnings: [] });
        await acme.ask("DELETE", `/routing-rules/${made.id}`);
      }),
    "accepts the answer of GET as the body of PATCH": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const made = expectBody(await postRule(acme, groupId, {}), 201, Rule);
        const read = await acme.read(`/routing-rules/${made.id}`, Rule);
        const back = await acme.ask("PATCH", `/routing-rules/${made.id}`, { ...read, name: "Changed" });
        const changed = expectBody(back, 200, Rule);
        assert.deepEqual(changed, { ...read, name: "Changed", version: 2, updatedAt: changed.updatedAt });
        expectProblem(await acme.ask("GET", "/routing-rules/rule_0000000000000000"), 404, "not_found");
        await acme.ask("DELETE", `/groups/${groupId}`);
        expectStatus(await acme.ask("PATCH", `/routing-rules/${made.id}`, changed), 200);
        await acme.ask("DELETE", `/routing-rules/${made.id}`);
      }),
    "changes only the given fields by PATCH, and answers all fields": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const made = expectBody(await postRule(acme, groupId, { requiresAck: true }), 201, Rule);
        const answer = await acme.ask("PATCH", `/routing-rules/${made.id}`, {
          name: "Renamed",
          priorityOverride: "LOW",
        });
        const changed = expectBody(answer, 200, Rule);
        assert.deepEqual(
          { ...changed, version: made.version, updatedAt: made.updatedAt },
          { ...made, name: "Renamed", priorityOverride: "LOW" },
        );
        const back = await acme.ask("PATCH", `/routing-rules/${made.id}`, { priorityOverride: null });
        assert.equal(expectBody(back, 200, Rule).priorityOverride, null);
        await acme.ask("DELETE", `/routing-rules/${made.id}`);
      }),
    "disables and enables a rule": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const { id } = expectBody(await postRule(acme, groupId, {}), 201, Rule);
        for (const enabled of [false, true]) {
          const answer = await acme.ask("PATCH", `/routing-rules/${id}`, { enabled });
          assert.equal(expectBody(answer, 200, Rule).enabled, enabled);
        }
        await acme.ask("DELETE", `/routing-rules/${id}`);
      }),
    "refuses unknown and read-only fields of a PATCH, and names all of them": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const { id } = expectBody(await postRule(acme, groupId, {}), 201, Rule);
        const body = { id: "rule_1", workspaceId: "ws_1", createdAt: "now", version: 7, colour: "red" };
        expectFaults(await acme.ask("PATCH", `/routing-rules/${id}`, body), ...Object.keys(body));
        await acme.ask("DELETE", `/routing-rules/${id}`);
      }),
    "checks the values of a PATCH like those of a new rule": ({ acme, globex }) =>
      withGroup(acme, async (groupId) => {
        const foreign = await createGroup(globex);
        const { id } = expectBody(await postRule(acme, groupId, {}), 201, Rule);
        const patchRule = (body: object) => acme.ask("PATCH", `/routing-rules/${id}`, body);
        expectFaults(await patchRule({ eventKey: "service.*" }), "eventKey");
        expectFaults(await patchRule({ enabled: "yes" }), "enabled");
        expectFaults(await patchRule({ targets: [{ type: "group", groupId: foreign }] }), "targets[0].groupId");
        await acme.ask("DELETE", `/routing-rules/${id}`);
        await globex.ask("DELETE", `/groups/${foreign}`);
      }),
    "deletes a rule: 204; then it is not found": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const { id } = expectBody(await postRule(acme, groupId, {}), 201, Rule);
        expectStatus(await acme.ask("DELETE", `/routing-rules/${id}`), 204);
        expectProblem(await acme.ask("DELETE", `/routing-rules/${id}`), 404, "not_found");
        expectProblem(await acme.ask("PATCH", `/routing-rules/${id}`, { enabled: true }), 404, "not_found");
      }),
    "answers 404 to another workspace's rule": async ({ acme, globex }) => {
      await withGroup(globex, async (groupId) => {
        const { id } = expectBody(await postRule(globex, groupId, {}), 201, Rule);
        expectProblem(await acme.ask("PATCH", `/routing-rules/${id}`, { enabled: false }), 404, "not_found");
        expectProblem(await acme.ask("DELETE", `/routing-rules/${id}`), 404, "not_found");
        const list = await globex.read("/routing-rules", v.array(Rule));
        assert.equal(list.find((rule) => rule.id === id)?.enabled, true);
        await globex.ask("DELETE", `/routing-rules/${id}`);
      });
    },
  }),
];
