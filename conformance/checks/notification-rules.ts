import assert from "node:assert/strict";
import { createSection } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { NotificationRules, Simulated } from "../shapes.ts";
import { openNotifyingWorkspace } from "../world.ts";

const path = "/notification-rules";
const MINUTE = 60_000;

export const notificationRules = createSection("Your notification rules", {
  "answers version 0 without rules: every device at once": async ({ fresh }) => {
    const workspace = await fresh();
    const rules = await workspace.read(path, NotificationRules);
    assert.equal(rules.version, 0);
    assert.deepEqual(rules.rungs, { LOW: [], NORMAL: [], HIGH: [], URGENT: [] });
    assert.equal(rules.quietHours, null);
    assert.ok(rules.ways.includes("push"));
  },
  "stores the steps, simulates their times exactly, and shows them in the notification": async ({ fresh }) => {
    const workspace = await openNotifyingWorkspace(fresh);
    const steps = [
      { afterMinutes: 0, ways: ["push"] },
      { afterMinutes: 5, ways: ["push"] },
    ];
    const saved = expectBody(await workspace.ask("PUT", path, { rungs: { HIGH: steps } }), 200, NotificationRules);
    assert.deepEqual(saved.rungs.HIGH, steps);
    const event = { event: "order.failed", title: "t", body: "b", priority: "HIGH", requiresAck: true };
    const simulated = expectBody(await workspace.ask("POST", "/simulate", { event }), 200, Simulated);
    const mine = simulated.rules
      .flatMap(({ recipients }) => recipients)
      .find(({ userId }) => userId === workspace.owner.userId);
    const at = Date.parse(simulated.at);
    assert.deepEqual(mine?.rings, [
      { at: new Date(at).toISOString(), ways: ["push"] },
      { at: new Date(at + 5 * MINUTE).toISOString(), ways: ["push"] },
    ]);
  },
  "answers 422 to unordered steps, unknown channels and open hours, with the field": async ({ fresh }) => {
    const workspace = await fresh();
    const twice = { afterMinutes: 5, ways: ["push"] };
    expectFaults(await workspace.ask("PUT", path, { rungs: { HIGH: [twice, twice] } }), "rungs.HIGH[1].afterMinutes");
    expectFaults(
      await workspace.ask("PUT", path, { rungs: { LOW: [{ afterMinutes: 0, ways: ["fax"] }] } }),
      "rungs.LOW[0].ways[0]",
    );
    const always = {
      days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
      from: "08:00",
      to: "08:00",
      timeZone: "UTC",
      holdBelow: "HIGH",
    };
    expectFaults(await workspace.ask("PUT", path, { quietHours: always }), "quietHours.to");
  },
  "lets only managers change another person's rules, and refuses concurrent changes": async ({ fresh }) => {
    const workspace = await fresh();
    const [owner, other] = workspace.people;
    if (owner === undefined || other === undefined) return;
    const read = await workspace.read(`${path}?userId=${other.userId}`, NotificationRules);
    assert.equal(read.userId, other.userId);
    expectProblem(await workspace.ask("GET", `${path}?userId=usr_${"0".repeat(32)}`), 404, "not_found");
    await workspace.ask("PATCH", `/members/${other.userId}`, { role: "responder" });
    expectProblem(await workspace.as(other, "GET", `${path}?userId=${owner.userId}`), 403, "role_required");
    expectStatus(await workspace.as(other, "PUT", path, { rungs: {} }), 200);
  },
});
