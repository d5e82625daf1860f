import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { createSection, skipCheck } from "../check.ts";
import { expectBody, expectFaults, expectStatus } from "../expect.ts";
import { Accepted, DryRun, Event, NewApiKey, Rule } from "../shapes.ts";
import { buildEvent, createGroup, createRule, registerDevice, sendEvent, waitForSent, withGroup } from "../world.ts";

export const matching = [
  ...createSection("Dry run", {
    "shows for saved rules and a draft whether they match, why, and whom they would notify": ({ acme, unique }) =>
      withGroup(acme, async (groupId) => {
        const event = `${unique("k")}.x`;
        const saved = await createRule(acme, { eventKey: event, groupId });
        const answer = await acme.ask("POST", "/routing-rules/test", {
          event: buildEvent({ event, data: { n: 5 } }),
          rule: {
            eventKey: "*",
            targets: [{ type: "group", groupId }],
            conditions: [{ field: "data.n", operator: "greater_than", value: 10 }],
          },
        });
        const { rules: tried, matchedRules } = expectBody(answer, 200, DryRun);
        const found = tried.find(({ id }) => id === saved.id);
        assert.equal(found?.matches, true);
        assert.deepEqual(
          found?.recipients.map(({ userId }) => userId),
          [acme.owner.userId],
        );
        const draft = tried.find(({ id }) => id === null);
        assert.equal(draft?.matches, false);
        assert.deepEqual(draft?.recipients, []);
        assert.deepEqual(draft?.conditions, [
          { field: "data.n", operator: "greater_than", expected: 10, actual: 5, verdict: false },
        ]);
        assert.ok(matchedRules >= 1);
        await acme.ask("DELETE", `/routing-rules/${saved.id}`);
      }),
    "gives the same warnings as sending the event": async ({ acme }) => {
      const event = buildEvent({ dedupe_key: "k", requires_ack: true });
      const sent = expectBody(await acme.post(event), 201, Accepted).warnings ?? [];
      const tried = expectBody(await acme.ask("POST", "/routing-rules/test", { event }), 200, DryRun).warnings;
      assert.deepEqual(
        sent.map(({ field }) => field),
        ["dedupe_key", "requires_ack"],
      );
      for (const warning of sent) assert.ok(tried.some((one) => isDeepStrictEqual(one, warning)));
    },
    "stores and sends nothing": async (world) => {
      const workspace = await world.fresh();
      const groupId = await createGroup(workspace, workspace.people);
      await createRule(workspace, { eventKey: "*", groupId });
      expectStatus(await workspace.ask("POST", "/routing-rules/test", { event: buildEvent() }), 200);
      assert.deepEqual(await workspace.read("/notifications", v.array(v.unknown())), []);
      assert.deepEqual(await workspace.read("/event-types", v.array(v.unknown())), []);
    },
    "checks the event like a sent event": async ({ acme }) => {
      const answer = await acme.ask("POST", "/routing-rules/test", {
        event: { event: "service.x", title: "", body: "b" },
      });
      expectFaults(answer, "event.event", "event.title");
    },
  }),
  ...createSection("Matching", {
    "matches an exact key, a prefix and *, but neither other keys nor a disabled rule": async (world) => {
      const workspace = await world.fresh();
      const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
      const matching = [];
      for (const eventKey of ["order.failed", "order.*", "*"])
        matching.push(await createRule(workspace, { eventKey, groupId }));
      for (const eventKey of ["order.paid", "orders.*"]) await createRule(workspace, { eventKey, groupId });
      const disabled = await createRule(workspace, { eventKey: "*", groupId });
      await workspace.ask("PATCH", `/routing-rules/${disabled.id}`, { enabled: false });
      const notified = await waitForSent(workspace, await sendEvent(workspace, { event: "order.failed" }));
      assert.deepEqual(notified.map(({ rule }) => rule.id).sort(), matching.map(({ id }) => id).sort());
    },
    "applies conditions to sent events as in a dry run": async (world) => {
      const workspace = await world.fresh();
      const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
      const conditions = [{ field: "data.amount", operator: "greater_than", value: 100 }];
      await createRule(workspace, { eventKey: "*", groupId, conditions });
      assert.equal((await waitForSent(workspace, await sendEvent(workspace, { data: { amount: 101 } }))).length, 1);
      assert.equal((await waitForSent(workspace, await sendEvent(workspace, { data: { amount: 100 } }))).length, 0);
    },
    "applies a change of a rule to the next event": async (world) => {
      const workspace = await world.fresh();
      const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
      const { id } = await createRule(workspace, { eventKey: "a.b", groupId });
      assert.equal((await waitForSent(workspace, await sendEvent(workspace, { event: "a.b" }))).length, 1);
      await workspace.ask("PATCH", `/routing-rules/${id}`, { eventKey: "c.d" });
      assert.equal((await waitForSent(workspace, await sendEvent(workspace, { event: "a.b" }))).length, 0);
      const [told] = await waitForSent(workspace, await sendEvent(workspace, { event: "c.d" }));
      assert.equal(told?.rule.version, 2);
      await workspace.ask("DELETE", `/routing-rules/${id}`);
      assert.equal((await waitForSent(workspace, await sendEvent(workspace, { event: "c.d" }))).length, 0);
    },
    "applies the rule's priorityOverride and requiresAck, but prefers the event's requiresAck": async (world) => {
      const workspace = await world.fresh();
      const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
      await createRule(workspace, { eventKey: "*", groupId, priorityOverride: "CRITICAL", requiresAck: true });
      const [plain] = await waitForSent(workspace, await sendEvent(workspace, { priority: "LOW" }));
      assert.deepEqual([plain?.priority, plain?.requiresAck], ["URGENT", true]);
      const [own] = await waitForSent(workspace, await sendEvent(workspace, { requiresAck: false }));
      assert.equal(own?.requiresAck, false);
    },
    "keeps the rules of a deleted group, which notify nobody until they get another group": async (world) => {
      const workspace = await world.fresh();
      const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
      const { id } = await createRule(workspace, { eventKey: "*", groupId });
      expectStatus(await workspace.ask("DELETE", `/groups/${groupId}`), 204);
      assert.equal((await waitForSent(workspace, await sendEvent(workspace))).length, 0);
      const rest = await workspace.read("/routing-rules", v.array(Rule));
      assert.deepEqual(
        rest.map((rule) => rule.id),
        [id],
      );
      const other = await createGroup(workspace, workspace.people.slice(0, 1));
      const moved = await workspace.ask("PATCH", `/routing-rules/${id}`, {
        targets: [{ type: "group", groupId: other }],
      });
      expectStatus(moved, 200);
      assert.equal((await waitForSent(workspace, await sendEvent(workspace))).length, 1);
    },
    "applies a fallback rule only to events that no other rule matches": async (world) => {
      const workspace = await world.fresh();
      const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
      const fallback = await createRule(workspace, { eventKey: "*", groupId, fallback: true });
      const other = await createRule(workspace, { eventKey: "a.b", groupId });
      const sendAndListRuleIds = async (event: string) =>
        (await waitForSent(workspace, await sendEvent(workspace, { event }))).map(({ rule }) => rule.id);
      assert.deepEqual(await sendAndListRuleIds("a.b"), [other.id]);
      assert.deepEqual(await sendAndListRuleIds("c.d"), [fallback.id]);
      await workspace.ask("PATCH", `/routing-rules/${other.id}`, { enabled: false });
      assert.deepEqual(await sendAndListRuleIds("a.b"), [fallback.id]);
    },
    "applies only the first matching rule of a chain": async (world) => {
      const workspace = await world.fresh();
      const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
      const later = await createRule(workspace, { eventKey: "*", groupId, chain: "desk", position: 20 });
      const first = await createRule(workspace, { eventKey: "a.b", groupId, chain: "desk", position: 10 });
      const sendAndListRuleIds = async (event: string) =>
        (await waitForSent(workspace, await sendEvent(workspace, { event }))).map(({ rule }) => rule.id);
      assert.deepEqual(await sendAndListRuleIds("a.b"), [first.id]);
      assert.deepEqual(await sendAndListRuleIds("c.d"), [later.id]);
      expectStatus(await workspace.ask("PATCH", `/routing-rules/${first.id}`, { position: 30 }), 200);
      assert.deepEqual(await sendAndListRuleIds("a.b"), [later.id]);
      expectStatus(await workspace.ask("PATCH", `/routing-rules/${first.id}`, { chain: null }), 422);
    },
    "matches a rule only during its active hours, by the local time of its time zone": async (world) => {
      const workspace = await world.fresh();
      const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
      const hours = [{ days: ["mon"], from: "09:00", to: "17:00" }];
      await createRule(workspace, { eventKey: "*", groupId, activeHours: hours, timeZone: "Europe/Berlin" });
      const countMatchingRulesAt = async (time: string) => {
        const answer = await workspace.ask("POST", "/simulate", { event: buildEvent(), at: time });
        return expectBody(answer, 200, v.looseObject({ matchedRules: v.number() })).matchedRules;
      };
      assert.equal(await countMatchingRulesAt("2026-01-05T07:59:59Z"), 0);
      assert.equal(await countMatchingRulesAt("2026-01-05T08:00:00Z"), 1);
      assert.equal(await countMatchingRulesAt("2026-07-06T07:00:00Z"), 1);
      assert.equal(await countMatchingRulesAt("2026-07-06T15:00:00Z"), 0);
      const zoneless = await workspace.ask("POST", "/routing-rules", {
        name: "zoneless",
        eventKey: "*",
        targets: [{ type: "group", groupId }],
        activeHours: hours,
      });
      expectFaults(zoneless, "timeZone");
    },
    "matches by the sender of the event": async (world) => {
      const workspace = await world.fresh();
      const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
      const { name, key } = await workspace.create("/api-keys", { name: "Checkout" }, NewApiKey);
      await createRule(workspace, {
        eventKey: "*",
        groupId,
        conditions: [{ field: "sender", operator: "equals", value: name }],
      });
      assert.equal((await waitForSent(workspace, await sendEvent(workspace))).length, 0);
      const sent = await world.client("POST", "/v1/events", { apiKey: key, body: buildEvent() });
      const { eventId } = expectBody(sent, 201, Accepted);
      assert.equal((await waitForSent(workspace, eventId)).length, 1);
      const event = await workspace.read(`/events/${eventId}`, Event);
      assert.equal(event.sender?.name, name);
    },
    "notifies a member of two target groups once per rule": async (world) => {
      const workspace = await world.fresh();
      const groups = [
        await createGroup(workspace, workspace.people),
        await createGroup(workspace, workspace.people.slice(0, 1)),
      ];
      const targets = groups.map((groupId) => ({ type: "group", groupId }));
      expectStatus(await workspace.ask("POST", "/routing-rules", { name: "two", eventKey: "*", targets }), 201);
      assert.equal((await waitForSent(workspace, await sendEvent(workspace))).length, 2);
    },
    "notifies only the group's members on call with onCallOnly": async (world) => {
      const workspace = await world.fresh();
      const [alice, bob] = workspace.people;
      const groupId = await createGroup(workspace, workspace.people);
      const layer = { start: "2026-01-05T00:00", every: 1, unit: "week", participants: [bob?.userId] };
      expectStatus(await workspace.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "UTC", layers: [layer] }), 200);
      await createRule(workspace, { eventKey: "*", groupId, onCallOnly: true });
      const notified = await waitForSent(workspace, await sendEvent(workspace));
      assert.deepEqual(
        notified.map(({ user }) => user.id),
        [bob?.userId],
      );
      assert.ok(alice !== undefined);
    },
    "puts title and body into the push, and leaves data out": async (world) => {
      const { session, unique } = world;
      if (session.fcm === undefined) return skipCheck("no stand-in takes the pushes");
      const workspace = await world.fresh();
      const token = unique("conformance-");
      expectStatus(await registerDevice(workspace, workspace.owner, token), 201);
      const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
      await createRule(workspace, { eventKey: "*", groupId });
      const secret = unique("secret");
      const [told] = await waitForSent(
        workspace,
        await sendEvent(workspace, { title: "Push title", body: "Push body", detail: secret, data: { secret } }),
      );
      assert.equal(told?.status, "SENT");
      const inbox = JSON.stringify(await (await fetch(session.fcm.inboxUrl)).json());
      assert.ok(inbox.includes(token) && inbox.includes("Push title") && inbox.includes("Push body"));
      assert.ok(!inbox.includes(secret));
    },
  }),
];
