import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection, skipCheck } from "../check.ts";
import { retryUntilSuccess, expectBody, expectFaults, expectProblem } from "../expect.ts";
import { Event, EventLifecycle, EventNote, EventPage, Notification, Policy, Statistics } from "../shapes.ts";
import { createGroup, createRule, openNotifyingWorkspace, sendEvent, waitForSent, type World } from "../world.ts";

/** Opens a workspace in which every event notifies the two members and requires an acknowledgement. */
const openAckWorkspace = (createWorkspace: World["fresh"]) =>
  openNotifyingWorkspace(createWorkspace, { requiresAck: true });

const NEXT = /^<(\?.+)>; rel="next"$/;

const readEvent = (workspace: World["acme"], id: string) => workspace.read(`/events/${id}`, Event);
const listOpenIds = async (workspace: World["acme"]): Promise<string[]> =>
  (await workspace.read("/events?state=open", EventPage)).items.map(({ id }) => id);

export const life = createSection("Lifecycle of an event", {
  "shows an event as open until somebody acknowledges it, and then shows who": async ({ fresh }) => {
    const workspace = await openAckWorkspace(fresh);
    const id = await sendEvent(workspace);
    const [, other] = await waitForSent(workspace, id);
    assert.ok(other !== undefined);
    assert.equal((await readEvent(workspace, id)).state, "open");
    assert.deepEqual(await listOpenIds(workspace), [id]);
    const answer = await workspace.ask("PATCH", `/notifications/${other.id}`, { status: "ACKNOWLEDGED" });
    assert.equal(expectBody(answer, 200, Notification).acknowledgedBy?.id, workspace.owner.userId);
    const event = await readEvent(workspace, id);
    assert.deepEqual([event.state, event.acknowledgedBy?.id], ["acknowledged", workspace.owner.userId]);
    assert.deepEqual(await listOpenIds(workspace), []);
  },
  "acknowledges several events at once, except those that need no acknowledgement": async ({ fresh }) => {
    const workspace = await openAckWorkspace(fresh);
    const eventIds = [await sendEvent(workspace), await sendEvent(workspace, { requiresAck: false })];
    for (const id of eventIds) await waitForSent(workspace, id);
    const answer = await workspace.ask("POST", "/events/acknowledge", { eventIds });
    const lives = expectBody(answer, 200, v.array(EventLifecycle));
    assert.deepEqual(
      lives.map(({ id, state }) => [id, state]),
      [
        [eventIds[0], "acknowledged"],
        [eventIds[1], "none"],
      ],
    );
    expectFaults(await workspace.ask("POST", "/events/acknowledge", { eventIds: ["evt_1"] }), "eventIds[0]");
    expectFaults(await workspace.ask("POST", "/events/acknowledge", {}), "eventIds");
  },
  "ends an acknowledgement after the policy's time; acknowledging again extends it": async ({ fresh }) => {
    const workspace = await fresh();
    const groupId = await createGroup(workspace, workspace.people);
    const policy = { name: "P", ackMinutes: 30, steps: [] };
    const made = await workspace.create("/escalation-policies", policy, Policy);
    await createRule(workspace, { eventKey: "*", groupId, requiresAck: true, escalationPolicyId: made.id });
    const id = await sendEvent(workspace);
    const [told] = await waitForSent(workspace, id);
    const readAcknowledgedUntil = async () => Date.parse((await readEvent(workspace, id)).acknowledgedUntil ?? "");
    const answer = await workspace.ask("PATCH", `/notifications/${told?.id}`, { status: "ACKNOWLEDGED" });
    const { acknowledgedAt, acknowledgedUntil } = expectBody(answer, 200, Notification);
    assert.equal(Date.parse(acknowledgedUntil ?? "") - Date.parse(acknowledgedAt ?? ""), 30 * 60_000);
    const first = await readAcknowledgedUntil();
    await workspace.ask("POST", "/events/acknowledge", { eventIds: [id] });
    assert.ok((await readAcknowledgedUntil()) > first);
    expectFaults(await workspace.ask("POST", "/escalation-policies", { ...policy, ackMinutes: 4 }), "ackMinutes");
    expectFaults(await workspace.ask("PATCH", `/escalation-policies/${made.id}`, { ackMinutes: 1441 }), "ackMinutes");
  },
  "snoozes an event, escalates it at once and notifies more people, until it is resolved": async ({ fresh }) => {
    const workspace = await fresh();
    const groupId = await createGroup(workspace, [workspace.owner]);
    const colleague = workspace.people.find(({ userId }) => userId !== workspace.owner.userId)?.userId ?? "";
    const steps = [{ delayMinutes: 60, targets: [{ type: "user", userId: colleague }] }];
    const made = await workspace.ask("POST", "/escalation-policies", { name: "P", steps });
    const { id: escalationPolicyId } = expectBody(made, 201, Policy);
    await createRule(workspace, { eventKey: "*", groupId, requiresAck: true, escalationPolicyId });
    const id = await sendEvent(workspace);
    await waitForSent(workspace, id);
    const post = (action: string, body: object) => workspace.ask("POST", `/events/${id}/${action}`, body);
    const notified = expectBody(await post("tell", { userIds: [colleague], note: "Yours?" }), 200, EventLifecycle);
    assert.equal(notified.state, "open");
    expectBody(await post("escalate", {}), 200, EventLifecycle);
    const { notifications } = await readEvent(workspace, id);
    const [added] = notifications.flatMap((one) => (one.added === null ? [] : [{ ...one.added, to: one.user.id }]));
    assert.deepEqual([added?.because, added?.by?.id, added?.to], ["told", workspace.owner.userId, colleague]);
    const life = expectBody(await post("snooze", { minutes: 30 }), 200, EventLifecycle);
    assert.equal(life.state, "acknowledged");
    assert.ok(Date.parse(life.acknowledgedUntil ?? "") > Date.parse(life.acknowledgedAt ?? ""));
    expectFaults(await post("snooze", { minutes: 4 }), "minutes");
    expectFaults(await post("snooze", { until: "2020-01-01T00:00:00Z" }), "until");
    expectFaults(await post("tell", { userIds: ["usr_nobody"] }), "userIds[0]");
    await post("resolve", {});
    for (const [what, body] of [
      ["snooze", { minutes: 30 }],
      ["escalate", {}],
      ["tell", { userIds: [colleague] }],
    ] as const)
      expectProblem(await post(what, body), 409, "event_over");
    const quiet = await sendEvent(workspace, { requiresAck: false });
    await waitForSent(workspace, quiet);
    expectProblem(await workspace.ask("POST", `/events/${quiet}/snooze`, { minutes: 30 }), 409, "nothing_to_do");
  },
  "adds notes to an event, even after it is resolved": async ({ fresh }) => {
    const workspace = await fresh();
    const id = await sendEvent(workspace);
    const addNote = (text: unknown, eventId = id) => workspace.ask("POST", `/events/${eventId}/notes`, { text });
    const first = expectBody(await addNote("On its way"), 201, EventNote);
    assert.deepEqual([first.text, first.by.id], ["On its way", workspace.owner.userId]);
    await workspace.ask("POST", `/events/${id}/resolve`, {});
    const second = expectBody(await addNote("Swapped"), 201, EventNote);
    assert.deepEqual((await readEvent(workspace, id)).notes, [first, second]);
    expectFaults(await addNote(""), "text");
    expectFaults(await addNote("x".repeat(2001)), "text");
    expectProblem(await addNote("Lost", `${id.slice(0, -2)}zz`), 404, "not_found");
  },
  "keeps a resolved event resolved; a sender resolves an event by its dedupeKey": async ({ fresh }) => {
    const workspace = await openAckWorkspace(fresh);
    const byHand = await sendEvent(workspace);
    const byKey = await sendEvent(workspace, { dedupeKey: "disk" });
    for (const id of [byHand, byKey]) await waitForSent(workspace, id);
    const first = expectBody(
      await workspace.ask("POST", `/events/${byHand}/resolve`, { note: "Done" }),
      200,
      EventLifecycle,
    );
    assert.deepEqual([first.state, first.note, first.resolvedBy?.id], ["resolved", "Done", workspace.owner.userId]);
    const again = expectBody(await workspace.ask("POST", `/events/${byHand}/resolve`, {}), 200, EventLifecycle);
    assert.deepEqual(again, first);
    const ended = await sendEvent(workspace, { resolves: "disk" });
    await waitForSent(workspace, ended);
    const resolved = await readEvent(workspace, byKey);
    assert.deepEqual([resolved.state, resolved.resolvedBy?.id], ["resolved", ended]);
    assert.deepEqual(await listOpenIds(workspace), [ended]);
    expectProblem(await workspace.ask("POST", "/events/evt_1/resolve", {}), 404, "not_found");
    expectFaults(await workspace.ask("POST", `/events/${byHand}/resolve`, { notes: "x" }), "notes");
  },
  "holds an alert that opens for the third time within minutes, unless it is URGENT": async ({ fresh }) => {
    const workspace = await openAckWorkspace(fresh);
    // Fires an alert three times, and returns the event of the third time after its notifications were sent.
    const makeAlertFlap = async (dedupeKey: string, fields: object = {}) => {
      for (let round = 0; round < 2; round += 1) {
        await sendEvent(workspace, { dedupeKey, ...fields });
        await sendEvent(workspace, { resolves: dedupeKey, requiresAck: false });
      }
      const id = await sendEvent(workspace, { dedupeKey, ...fields });
      await waitForSent(workspace, id);
      // The service first stores the event without notifying, and then sends the notice that its alert flaps.
      return retryUntilSuccess(async () => {
        const event = await readEvent(workspace, id);
        if (event.notifications.length === 0) throw new Error(`nobody was notified of ${id} in time`);
        return event;
      });
    };
    const held = await makeAlertFlap("flaps");
    assert.deepEqual(
      [held.state, held.outcome, held.flapping?.recipients],
      ["none", "flapping", workspace.people.length],
    );
    assert.ok(Date.parse(held.flapping?.until ?? "") > Date.parse(held.receivedAt));
    assert.deepEqual(
      held.notifications.map(({ priority, added }) => [priority, added?.because]),
      workspace.people.map(() => ["LOW", "flapping"]),
    );
    const urgent = await makeAlertFlap("urgent", { priority: "URGENT" });
    assert.deepEqual([urgent.state, urgent.flapping], ["open", null]);
  },
  "lists the events that wait for the caller, with links to the next pages": async ({ fresh }) => {
    const workspace = await openAckWorkspace(fresh);
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.unshift(await sendEvent(workspace));
    for (const id of ids) await waitForSent(workspace, id);
    const acknowledged = await sendEvent(workspace, { requiresAck: false });
    await workspace.ask("POST", "/events/acknowledge", { eventIds: [acknowledged] });
    const events: string[] = [];
    for (let path: string | undefined = "/notifications?user=me&state=open&limit=2"; path !== undefined;) {
      const answer = await workspace.ask("GET", path);
      for (const { user, event } of expectBody(answer, 200, v.array(Notification))) {
        assert.equal(user.id, workspace.owner.userId);
        events.push(event.id);
      }
      const next: string | undefined = NEXT.exec(answer.headers.get("link") ?? "")?.[1];
      path = next === undefined ? undefined : `/notifications${next}`;
    }
    assert.deepEqual(events, ids);
    await workspace.ask("POST", "/events/acknowledge", { eventIds: ids });
    assert.deepEqual(await workspace.read("/notifications?state=open", v.array(Notification)), []);
  },
  "links a filtered list to its next page, and accepts a cursor only for the same list": async ({ fresh, acme }) => {
    const workspace = await openAckWorkspace(fresh);
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.unshift(await sendEvent(workspace));
    const first = await workspace.ask("GET", "/events?eventKey=*&limit=2");
    const next = NEXT.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await workspace.read(`/events${next}`, EventPage);
    assert.deepEqual(
      [...expectBody(first, 200, EventPage).items, ...second.items].map(({ id }) => id),
      ids,
    );
    assert.deepEqual([second.page, second.total], [2, 3]);
    expectFaults(await acme.ask("GET", `/events${next}`), "cursor");
    expectFaults(await workspace.ask("GET", `/events${next.replace("eventKey", "state")}`), "state");
    expectFaults(await workspace.ask("GET", "/notifications?cursor=abc"), "cursor");
    expectFaults(await workspace.ask("GET", "/notifications?state=resolved&user=you"), "state", "user");
  },
  "answers 422 to invalid filters": async ({ acme }) => {
    expectFaults(await acme.ask("GET", "/events?state=shut"), "state");
    expectFaults(await acme.ask("GET", "/events?eventKey=disk"), "eventKey");
    expectFaults(await acme.ask("GET", "/events?from=yesterday"), "from");
  },
});

/** How far a check advances the clock: a little more than the hour between two counts of statistics. */
const COUNTING_SECONDS = 3_700;
/** The maximum number of counts of statistics. The first count only stores the latest event number. */
const COUNTINGS_MAX = 4;

/** Advances the clock by hours until `isCounted` accepts the statistics, at most COUNTINGS_MAX times. Returns the statistics. */
const readStatisticsWhenCounted = async (
  metersUrl: string,
  read: () => Promise<Statistics[]>,
  isCounted: (rows: readonly Statistics[]) => boolean,
): Promise<Statistics[]> => {
  for (let round = 1; ; round += 1) {
    const body = JSON.stringify({ advanceSeconds: COUNTING_SECONDS });
    await fetch(new URL("/clock", metersUrl), { method: "POST", body });
    await fetch(new URL("/tick", metersUrl), { method: "POST" });
    const rows = await read();
    if (isCounted(rows) || round === COUNTINGS_MAX) return rows;
  }
};

export const statistics = createSection("Statistics", {
  "answers no rows before the first week is counted, also by rule and by group": async ({ fresh, acme }) => {
    const workspace = await fresh();
    for (const query of ["", "?by=rule", "?by=group", "?from=2026-01-05T00:00:00Z&to=2026-12-28T00:00:00Z"])
      assert.deepEqual(await workspace.read(`/statistics${query}`, v.array(Statistics)), []);
    await acme.read("/statistics", v.array(Statistics));
  },
  "answers 422 to invalid query parameters": async ({ acme }) => {
    expectFaults(await acme.ask("GET", "/statistics?by=person"), "by");
    expectFaults(await acme.ask("GET", "/statistics?from=monday"), "from");
    expectFaults(await acme.ask("GET", "/statistics?from=2026-03-01T00:00:00Z&to=2026-02-01T00:00:00Z"), "from");
    expectFaults(await acme.ask("GET", "/statistics?from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z"), "from");
  },
  // The check advances the service's clock, so later checks must not compare the service's clock with their own clock.
  "counts sent, acknowledged and resolved events, also by rule and by group": async ({ fresh, session }) => {
    if (session.meters === undefined) return skipCheck("nothing moves the service's clock, and it counts hourly");
    const workspace = await fresh();
    const groupId = await createGroup(workspace, workspace.people);
    const rule = await createRule(workspace, { eventKey: "*", groupId, requiresAck: true });
    const [first, second, third] = [
      await sendEvent(workspace),
      await sendEvent(workspace),
      await sendEvent(workspace, { requiresAck: false }),
    ];
    for (const id of [first, second, third]) await waitForSent(workspace, id);
    await workspace.ask("POST", "/events/acknowledge", { eventIds: [first] });
    await workspace.ask("POST", `/events/${second}/resolve`, {});
    const readStatistics = async (query = ""): Promise<Statistics[]> =>
      workspace.read(`/statistics${query}`, v.array(Statistics));
    const sum = (rows: readonly Statistics[], getNumber: (row: Statistics) => number) =>
      rows.reduce((total, row) => total + getNumber(row), 0);
    // Sums the numbers of all weeks, because a week may end during the check.
    const sumEachNumber = (rows: readonly Statistics[]) => ({
      events: sum(rows, ({ events }) => events),
      toAcknowledge: sum(rows, ({ toAcknowledge }) => toAcknowledge),
      notifications: sum(rows, ({ notifications }) => notifications),
      acknowledged: sum(rows, ({ acknowledged }) => acknowledged.count),
      resolved: sum(rows, ({ resolved }) => resolved.count),
    });
    const right = { events: 3, toAcknowledge: 2, notifications: 6, acknowledged: 1, resolved: 1 };
    const rows = await readStatisticsWhenCounted(session.meters.url, readStatistics, (seen) => {
      const { events, acknowledged, resolved } = sumEachNumber(seen);
      return events === right.events && acknowledged === right.acknowledged && resolved === right.resolved;
    });
    assert.deepEqual(sumEachNumber(rows), right);
    for (const { week, rule: none, group, acknowledged } of rows) {
      assert.equal(new Date(week).getUTCDay(), 1);
      assert.deepEqual([none, group], [null, null]);
      assert.equal(acknowledged.count === 0, acknowledged.mean === null);
    }
    const [byRule, byGroup] = [await readStatistics("?by=rule"), await readStatistics("?by=group")];
    assert.deepEqual(sumEachNumber(byRule), right);
    assert.deepEqual(sumEachNumber(byGroup), right);
    assert.ok(byRule.every((row) => row.rule?.id === rule.id && row.group === null));
    assert.ok(byGroup.every((row) => row.group?.id === groupId && row.rule === null));
  },
});
