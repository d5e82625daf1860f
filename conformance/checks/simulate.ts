import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection } from "../check.ts";
import { expectBody, expectFaults } from "../expect.ts";
import { Simulated, SimulatedHistory } from "../shapes.ts";
import { buildEvent, createGroup, createRule, registerDevice, sendEvent, waitForSent } from "../world.ts";

export const simulations = createSection("Simulate", {
  "simulates an event with drafts: who would be notified, when, and on which channel": async ({ fresh }) => {
    const workspace = await fresh();
    const [first, second] = workspace.people;
    assert.ok(first !== undefined && second !== undefined);
    await registerDevice(workspace, first, "simulated");
    const [one, other] = [await createGroup(workspace, [first]), await createGroup(workspace, [second])];
    const rule = await createRule(workspace, { eventKey: "disk.*", groupId: one });
    const { workspaceId, version, createdAt, updatedAt, warnings: _warnings, ...own } = rule;
    const answer = await workspace.ask("POST", "/simulate", {
      event: buildEvent({ event: "disk.full" }),
      at: "2030-01-01T12:00:00+01:00",
      rules: [
        { ...own, workspaceId, version, createdAt, updatedAt, requiresAck: true, escalationPolicyId: "pol_draft" },
        { eventKey: "order.*", targets: [{ type: "group", groupId: other }] },
      ],
      policies: [
        {
          id: "pol_draft",
          name: "Ladder",
          repeat: 1,
          steps: [{ delayMinutes: 5, targets: [{ type: "user", userId: second.userId }] }],
        },
      ],
    });
    const simulated = expectBody(answer, 200, Simulated);
    assert.deepEqual(
      [simulated.at, simulated.outcome, simulated.matchedRules, simulated.recipients],
      ["2030-01-01T11:00:00.000Z", "delivered", 1, 1],
    );
    assert.deepEqual(
      simulated.rules.map(({ id, draft, matches }) => [id, draft, matches]),
      [
        [rule.id, "replaced", true],
        [null, "added", false],
      ],
    );
    assert.deepEqual(
      simulated.escalations.map(({ ruleId, steps }) => [ruleId, steps.map(({ at }) => at)]),
      [[rule.id, ["2030-01-01T11:05:00.000Z", "2030-01-01T11:10:00.000Z"]]],
    );
    assert.deepEqual(
      simulated.people.map(({ userId, firstToldAt, reachable, devices }) => [
        userId,
        firstToldAt,
        reachable,
        devices.length,
      ]),
      [
        [first.userId, "2030-01-01T11:00:00.000Z", "unproven", 1],
        [second.userId, "2030-01-01T11:05:00.000Z", "no", 0],
      ],
    );
  },
  "shows what happened for a past event, and what a draft would have changed": async ({ fresh }) => {
    const workspace = await fresh();
    const groupId = await createGroup(workspace, workspace.people);
    const rule = await createRule(workspace, { eventKey: "disk.*", groupId });
    const eventId = await sendEvent(workspace, { event: "disk.full" });
    const notifications = await waitForSent(workspace, eventId);
    const { rules, recipients } = expectBody(await workspace.ask("POST", "/simulate", { eventId }), 200, Simulated);
    assert.deepEqual([rules[0]?.matches, recipients], [true, notifications.length]);
    const again = expectBody(
      await workspace.ask("POST", "/simulate", { event: buildEvent({ event: "disk.full" }) }),
      200,
      Simulated,
    );
    assert.deepEqual(
      [again.ringsKnown, again.rules[0]?.recipients.map(({ quiet }) => quiet)],
      [true, workspace.people.map(() => null)],
    );

    const draft = { name: rule.name, eventKey: "disk.*", targets: rule.targets, enabled: false };
    const past = await workspace.ask("POST", "/simulate/history", { days: 1, rules: [{ ...draft, id: rule.id }] });
    const history = expectBody(past, 200, SimulatedHistory);
    assert.deepEqual(
      [history.events, history.lessTold, history.notToldAnyMore, history.moreTold, history.next],
      [1, 1, 1, 0, null],
    );
    assert.deepEqual(history.rings, { before: workspace.people.length, after: 0 });
    assert.deepEqual(
      history.examples.map(({ event, less }) => [event.id, less.count]),
      [[eventId, workspace.people.length]],
    );
    assert.deepEqual(
      history.rules.map(({ id, matched, matchedBefore }) => [id, matched, matchedBefore]),
      [[rule.id, 0, 1]],
    );
    const added = { ...draft, enabled: true, eventKey: "*" };
    const more = await workspace.ask("POST", "/simulate/history", { rules: [added] });
    const beside = expectBody(more, 200, SimulatedHistory);
    // The existing rule already notifies everybody in the group.
    assert.deepEqual([beside.moreTold, beside.lessTold], [0, 0]);
    assert.deepEqual(
      beside.rules.map(({ draft: kind, examples }) => [kind, examples.map(({ told }) => told.count)]),
      [["added", [workspace.people.length]]],
    );
    assert.equal(beside.warnings.length, workspace.people.length);
  },
  "stores and sends nothing": async ({ fresh }) => {
    const workspace = await fresh();
    const groupId = await createGroup(workspace, workspace.people);
    const rules = [{ eventKey: "*", targets: [{ type: "group", groupId }] }];
    expectBody(await workspace.ask("POST", "/simulate", { event: buildEvent(), rules }), 200, Simulated);
    for (const path of ["/notifications", "/event-types", "/routing-rules"])
      assert.deepEqual(await workspace.read(path, v.array(v.unknown())), []);
  },
  "answers 422 to invalid values, and names the field": async ({ acme, globex }) => {
    const groupId = await createGroup(acme);
    const event = buildEvent();
    const rule = { eventKey: "*", targets: [{ type: "group", groupId }] };
    const simulate = (body: object) => acme.ask("POST", "/simulate", body);
    expectFaults(await simulate({}), "event");
    expectFaults(await simulate({ event, eventId: "evt_1" }), "eventId");
    expectFaults(await simulate({ eventId: await sendEvent(globex) }), "eventId");
    expectFaults(await simulate({ event, at: "tomorrow" }), "at");
    expectFaults(
      await simulate({ event, rules: [{ ...rule, eventKey: "a.b.c", colour: 1 }] }),
      "rules[0].eventKey",
      "rules[0].colour",
    );
    expectFaults(
      await simulate({ event, rules: [{ ...rule, escalationPolicyId: "pol_draft" }] }),
      "rules[0].escalationPolicyId",
    );
    const twice = { ...rule, id: "rule_1" };
    expectFaults(await simulate({ event, rules: [twice, twice] }), "rules[1]");
    const simulateHistory = (body: object) => acme.ask("POST", "/simulate/history", body);
    expectFaults(await simulateHistory({ rules: [] }), "rules");
    expectFaults(await simulateHistory({ rules: [rule], days: 91 }), "days");
    expectFaults(await simulateHistory({ rules: [rule], before: await sendEvent(globex) }), "before");
    await acme.ask("DELETE", `/groups/${groupId}`);
  },
});
