import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Event, SavedSilence, Silence } from "../shapes.ts";
import { createGroup, createRule, sendEvent, waitForSent, type WorkspaceClient } from "../world.ts";

const HOUR = 3_600_000;
const toIsoInHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

const postSilence = (workspace: WorkspaceClient, fields: object) =>
  workspace.ask("POST", "/silences", { name: "conformance", eventKey: "nothing.ever", ...fields });

const createSilence = async (workspace: WorkspaceClient, fields: object): Promise<v.InferOutput<typeof SavedSilence>> =>
  expectBody(await postSilence(workspace, fields), 201, SavedSilence);

const weekly = { days: ["sat", "sun"], from: "22:00", to: "06:00", timeZone: "Europe/Berlin" };

export const silences = createSection("Silences", {
  "creates a silence: 201 with all fields and their defaults": async ({ acme }) => {
    const endsAt = toIsoInHours(1);
    const silence = await createSilence(acme, { endsAt });
    assert.equal(silence.workspaceId, acme.id);
    assert.deepEqual(silence.conditions, []);
    assert.equal(silence.conditionMatch, "all");
    assert.equal(silence.endsAt, endsAt);
    assert.equal(silence.weekly, null);
    assert.equal(silence.includeUrgent, false);
    assert.equal(silence.afterwards, "tell");
    assert.equal(silence.everything, false);
    assert.equal(silence.wouldHaveCovered.events, 0, "no event has this key");
    assert.equal(silence.active, true, "without startsAt it begins at once");
    assert.equal(silence.until, endsAt);
    await acme.ask("DELETE", `/silences/${silence.id}`);
  },
  "requires name and eventKey, and endsAt unless the silence is weekly": async ({ acme }) => {
    expectFaults(await acme.ask("POST", "/silences", {}), "name", "eventKey");
    expectFaults(await postSilence(acme, {}), "endsAt");
    const silence = await createSilence(acme, { weekly });
    assert.equal(silence.endsAt, null);
    assert.deepEqual(silence.weekly, weekly);
    await acme.ask("DELETE", `/silences/${silence.id}`);
  },
  "answers 422 to invalid values, and names the field": async ({ acme }) => {
    const endsAt = toIsoInHours(1);
    for (const [fields, field] of [
      [{ name: "" }, "name"],
      [{ eventKey: "book*" }, "eventKey"],
      [{ eventKey: "service.*" }, "eventKey"],
      [{ startsAt: "tomorrow" }, "startsAt"],
      [{ startsAt: toIsoInHours(2) }, "endsAt"],
      [{ endsAt: "2026-02-30T00:00:00Z" }, "endsAt"],
      [{ includeUrgent: "no" }, "includeUrgent"],
      [{ conditionMatch: "some" }, "conditionMatch"],
      [{ afterwards: "later" }, "afterwards"],
      [{ everything: true }, "everything"],
      [{ eventKey: "*" }, "everything"],
      [{ conditions: [{ field: "data.x", operator: "matches_regex", value: "(" }] }, "conditions[0].value"],
      [{ weekly: { ...weekly, days: [] } }, "weekly.days"],
      [{ weekly: { ...weekly, from: "25:00" } }, "weekly.from"],
      [{ weekly: { ...weekly, timeZone: "Mars/Phobos" } }, "weekly.timeZone"],
      [{ weekly: { ...weekly, every: 2 } }, "weekly.every"],
      [{ ends: endsAt }, "ends"],
    ] as const)
      expectFaults(await postSilence(acme, { endsAt, ...fields }), field);
  },
  "lists a silence, reads it by its id, changes and deletes it": async ({ acme }) => {
    const { id, ...before } = await createSilence(acme, { endsAt: toIsoInHours(1) });
    const listed = await acme.read("/silences", v.array(Silence));
    assert.ok(listed.some((silence) => silence.id === id));
    await acme.read(`/silences/${id}`, Silence);

    const patched = expectBody(await acme.ask("PATCH", `/silences/${id}`, { includeUrgent: true }), 200, SavedSilence);
    assert.equal(patched.includeUrgent, true);
    assert.equal(patched.endsAt, before.endsAt);
    assert.equal(patched.version, before.version + 1);
    const ended = expectBody(
      await acme.ask("PATCH", `/silences/${id}`, { startsAt: toIsoInHours(-3), endsAt: toIsoInHours(-1) }),
      200,
      SavedSilence,
    );
    assert.equal(ended.active, false);
    assert.equal(ended.until, null);

    expectStatus(await acme.ask("DELETE", `/silences/${id}`), 204);
    expectProblem(await acme.ask("DELETE", `/silences/${id}`), 404, "not_found");
    expectProblem(await acme.ask("GET", `/silences/${id}`), 404, "not_found");
    expectProblem(await acme.ask("PATCH", `/silences/${id}`, {}), 404, "not_found");
  },
  "requires confirmation of a silence that covers every event": async ({ fresh }) => {
    const workspace = await fresh();
    const fields = { eventKey: "*", endsAt: toIsoInHours(1) };
    expectFaults(await postSilence(workspace, fields), "everything");
    const { id, everything } = await createSilence(workspace, { ...fields, everything: true });
    assert.equal(everything, true);
    const narrower = await workspace.ask("PATCH", `/silences/${id}`, { eventKey: "nothing.ever" });
    assert.equal(expectBody(narrower, 200, SavedSilence).everything, false);
    expectFaults(await workspace.ask("PATCH", `/silences/${id}`, { eventKey: "*" }), "everything");
    const wide = { eventKey: "*", conditions: [], everything: true };
    assert.equal(expectBody(await workspace.ask("PATCH", `/silences/${id}`, wide), 200, SavedSilence).everything, true);

    const listSilenceIds = async (query: string) =>
      (await workspace.read(`/silences?active=${query}`, v.array(Silence))).map((one) => one.id);
    assert.deepEqual([await listSilenceIds("true"), await listSilenceIds("false")], [[id], []]);
    expectFaults(await workspace.ask("GET", "/silences?active=yes"), "active");
  },
  "refuses a PATCH with unknown fields, or whose result is inconsistent": async ({ acme }) => {
    const { id } = await createSilence(acme, { weekly });
    expectFaults(await acme.ask("PATCH", `/silences/${id}`, { id: "sil_1", workspaceId: "ws_1" }), "id", "workspaceId");
    expectFaults(await acme.ask("PATCH", `/silences/${id}`, { weekly: null }), "endsAt");
    const patch = { weekly: null, endsAt: toIsoInHours(1) };
    assert.equal(expectBody(await acme.ask("PATCH", `/silences/${id}`, patch), 200, SavedSilence).active, true);
    await acme.ask("DELETE", `/silences/${id}`);
  },
  "matches covered events without notifying anyone, and says so": async ({ fresh }) => {
    const workspace = await fresh();
    const groupId = await createGroup(workspace, workspace.people);
    const rule = await createRule(workspace, { eventKey: "*", groupId, requiresAck: true });
    const { id, name } = await createSilence(workspace, {
      eventKey: "conformance.*",
      conditions: [{ field: "data.stage", operator: "equals", value: "test" }],
      endsAt: toIsoInHours(1),
    });
    const covered = await sendEvent(workspace, { data: { stage: "test" } });
    assert.deepEqual(await waitForSent(workspace, covered), []);
    const event = await workspace.read(`/events/${covered}`, Event);
    assert.equal(event.outcome, "silenced");
    assert.equal(event.state, "none", "nobody is asked for an acknowledgement while the silence lasts");
    assert.deepEqual(event.silence, { id, name, recipients: 2 });
    assert.deepEqual(
      event.matchedRules.map((matched) => matched.id),
      [rule.id],
    );
    const why = await workspace.ask("GET", `/events/${covered}/explain?userId=${workspace.owner.userId}`);
    assert.match(expectBody(why, 200, v.looseObject({ summary: v.string() })).summary, new RegExp(name));

    assert.equal((await waitForSent(workspace, await sendEvent(workspace, { data: { stage: "live" } }))).length, 2);
    assert.equal(
      (await waitForSent(workspace, await sendEvent(workspace, { data: { stage: "test" }, priority: "CRITICAL" })))
        .length,
      2,
    );
    await workspace.ask("PATCH", `/silences/${id}`, { includeUrgent: true });
    assert.deepEqual(
      await waitForSent(workspace, await sendEvent(workspace, { data: { stage: "test" }, priority: "URGENT" })),
      [],
    );
    await workspace.ask("DELETE", `/silences/${id}`);
    assert.equal((await waitForSent(workspace, await sendEvent(workspace, { data: { stage: "test" } }))).length, 2);
  },
});
