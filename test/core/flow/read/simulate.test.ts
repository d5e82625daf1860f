import { afterEach, describe, expect, it } from "vitest";
import * as v from "valibot";
import { parseEventId } from "../../../../core/domain/basics/ids.ts";
import { EscalationPolicyInput } from "../../../../core/domain/escalation/escalation-policy.ts";
import { HistoryInput } from "../../../../core/domain/planning/history.ts";
import { RuleInput } from "../../../../core/domain/rules/rule-input.ts";
import { SilenceInput } from "../../../../core/domain/rules/silence-input.ts";
import { SimulationInput, type Simulation } from "../../../../core/domain/planning/simulation.ts";
import { simulateEvent, simulateHistory } from "../../../../core/flow/read/simulate.ts";
import { readEventView } from "../../../../core/flow/read/read-event.ts";
import { updateWorkspace } from "../../../../core/store/workspaces.ts";
import { listEventsBetween } from "../../../../core/store/events.ts";
import { createPolicy } from "../../../../core/store/escalation-policies.ts";
import { createRule, updateRule } from "../../../../core/store/rules.ts";
import { createSilence } from "../../../../core/store/silences.ts";
import { closeWorlds, createWorld, type Pushed, type World, type WorldOptions } from "../../../world/world.ts";

afterEach(closeWorlds);

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Events of random worlds, which are first simulated and then sent. */
const EVENTS = Number(process.env["SIMULATED_EVENTS"] ?? 6);
const EVENTS_OF_WORLD = 6;
/** Histories of events, each run over under a draft and then sent under the rule. */
const HISTORIES = Math.max(1, Math.floor(EVENTS / 25));
const EVENTS_OF_HISTORY = 25;

/** The examples that an answer has of each draft. */
const EXAMPLES = 10;
const numberOf = (eventId: string): string => String(parseEventId(eventId)!.seq).padStart(3, "0");

/** Numbers that look random and are the same in every run. */
const randomOf = (seed: number) => {
  let state = seed;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  const some = <Item>(items: readonly Item[]): Item[] => items.filter(() => below(2) === 0);
  return { below, pick, some };
};
type Random = ReturnType<typeof randomOf>;

const priorities = ["LOW", "NORMAL", "HIGH", "URGENT"] as const;
const keys = ["disk.full", "disk.ok", "order.failed"];
const everybody = ["usr_a", "usr_b", "usr_c", "usr_d", "usr_e"];
const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

const layerOf = (random: Random) => ({
  start: "2026-11-01T00:00",
  every: 1 + random.below(3),
  unit: random.pick(["hour", "day", "week", "month"]),
  participants: Array.from({ length: random.below(4) }, () =>
    random.below(3) === 0 ? random.some(everybody) : random.pick(everybody),
  ),
  turns: random.pick(["calendar", "duty"]),
  restrictions:
    random.below(2) === 0
      ? []
      : [{ days: [random.pick(days), ...random.some(days.slice(0, 5))], from: "11:00", to: "18:30" }],
});

const targetOf = (random: Random, groupIds: readonly string[]) =>
  random.below(3) === 0
    ? { type: "user", userId: random.pick(everybody) }
    : { type: "group", groupId: random.pick(groupIds), onCallOnly: random.below(2) === 0 };

const policyOf = (random: Random, groupIds: readonly string[]) => ({
  name: "Policy",
  repeat: random.below(2),
  confirmWithinSeconds: random.pick([null, 30, 90, 400]),
  steps: Array.from({ length: 1 + random.below(3) }, () => ({
    delayMinutes: 1 + random.below(25),
    targets: Array.from({ length: random.below(3) }, () => targetOf(random, groupIds)),
  })),
});

const ruleOf = (random: Random, groupIds: readonly string[], escalationPolicyId: string | null) => ({
  name: "Rule",
  eventKey: random.pick([...keys, "*", "disk.*"]),
  targets: [{ type: "group", groupId: random.pick(groupIds) }],
  conditions: random.below(3) === 0 ? [{ field: "data.n", operator: "greater_than", value: random.below(10) }] : [],
  requiresAck: random.below(4) > 0,
  priorityOverride: random.pick([null, "URGENT", "LOW"]),
  onCallOnly: random.below(2) === 0,
  escalationPolicyId,
  enabled: random.below(8) > 0,
  ...random.pick([
    {},
    { groupBy: random.pick([[], ["data.n"], ["eventKey"]]), groupMinutes: 1 + random.below(1_440) },
    { atLeast: { count: 2, withinMinutes: 1_440 } },
  ]),
});

const eventOf = (random: Random) => ({
  event: random.pick(keys),
  title: "Something happened",
  body: "Look at it",
  priority: random.pick(priorities),
  data: { n: random.below(10) },
  ...(random.below(4) === 0 ? { requiresAck: random.below(2) === 0 } : {}),
});

const seconds = (at: string, start: number): number => (Date.parse(at) - start) / SECOND;

/** Every push in a simulation as `seconds user`, if nobody acknowledges and no device confirms. */
const foreseen = ({ at, rules, escalations, people }: Simulation): string[] => {
  const start = Date.parse(at);
  const devices = new Map(people.map((person) => [person.userId, person.devices.length]));
  const pushes = (time: string, recipients: readonly { userId: string }[]) =>
    recipients.flatMap(({ userId }) =>
      Array.from({ length: devices.get(userId) ?? 0 }, () => `${seconds(time, start)} ${userId}`),
    );
  return [
    ...rules.flatMap(({ recipients }) => pushes(at, recipients)),
    ...escalations.flatMap(({ steps, stepsIfUnconfirmed }) =>
      (stepsIfUnconfirmed ?? steps).flatMap((step) => pushes(step.at, step.recipients)),
    ),
  ].sort();
};

const interruptionOf = (message: Pushed["message"]): string | undefined =>
  "apns" in message ? message.apns?.payload.aps["interruption-level"] : undefined;

const written: string[] = [];
const watching: WorldOptions = {
  beforeCall: ({ constructor: { name } }) => {
    if (!/^(?:Get|Query|BatchGet)/.test(name)) written.push(name);
    return Promise.resolve();
  },
};

const simulate = async (world: World, input: object): Promise<Simulation> => {
  written.length = 0;
  const answer = await simulateEvent(world.deps, world.ws, v.parse(SimulationInput, input));
  expect(written).toEqual([]);
  return answer;
};

const furnish = async (random: Random): Promise<{ world: World; groupIds: string[] }> => {
  const start = Date.UTC(2026, 10, 21, random.below(24), random.below(60));
  const world = await createWorld({ ...watching, start, sweepAtSecond: random.below(60) });
  const groupIds: string[] = [];
  for (const userId of everybody) await world.group("One", [userId], random.below(3));
  for (const name of ["First", "Second"]) {
    const groupId = await world.group(name, [...random.some(everybody)], 0);
    groupIds.push(groupId);
    await world.schedule(groupId, {
      timeZone: random.pick(["Europe/Berlin", "America/New_York", "UTC"]),
      layers: Array.from({ length: 1 + random.below(2) }, () => layerOf(random)),
    });
  }
  if (random.below(3) === 0)
    await createSilence(
      world.deps,
      world.ws,
      v.parse(SilenceInput, { name: "Quiet", eventKey: "disk.*", endsAt: "2027-01-01T00:00:00Z" }),
    );
  return { world, groupIds };
};

describe("what is simulated", () => {
  it(`is what then happens: the same people, devices and times, for ${EVENTS} events`, async () => {
    let world: World | undefined;
    let groupIds: string[] = [];
    let ruleIds: string[] = [];
    const seen = new Set<string>();
    for (let turn = 0; turn < EVENTS; turn += 1) {
      const random = randomOf(turn + 1);
      if (world === undefined || turn % EVENTS_OF_WORLD === 0) {
        ({ world, groupIds } = await furnish(random));
        ruleIds = [];
      }
      const policy = policyOf(random, groupIds);
      const rule = ruleOf(random, groupIds, random.below(4) === 0 ? null : "pol_draft");
      const replaced = random.below(3) === 0 ? ruleIds.at(-1) : undefined;
      const event = eventOf(random);

      const answer = await simulate(world, {
        event,
        rules: [replaced === undefined ? rule : { ...rule, id: replaced }],
        policies: [{ ...policy, id: "pol_draft" }],
      });

      const made = await createPolicy(world.deps, world.ws, v.parse(EscalationPolicyInput, policy));
      const saved = v.parse(RuleInput, {
        ...rule,
        escalationPolicyId: rule.escalationPolicyId === null ? null : made.id,
      });
      if (replaced === undefined) ruleIds.push((await createRule(world.deps, world.ws, saved)).id);
      else await updateRule(world.deps, world.ws, replaced, saved);
      const [from, before] = [world.now(), world.pushed.length];
      await world.post(event);
      await world.runFor(6 * 60 * MINUTE);

      const happened = world.pushed
        .slice(before)
        .filter(({ message }) => message.data["state"] === undefined)
        .map(({ at, userId }) => `${(at - from) / SECOND} ${userId}`);
      expect({ turn, pushes: happened.sort() }).toEqual({ turn, pushes: foreseen(answer) });
      seen.add(answer.outcome);
      for (const { steps, stepsIfUnconfirmed } of answer.escalations)
        for (const { because } of [...steps, ...(stepsIfUnconfirmed ?? [])]) seen.add(because);
    }
    // Without all of these the test would prove less than it claims.
    if (EVENTS >= 200)
      for (const one of [
        "no_match",
        "silenced",
        "no_recipient",
        "delivered",
        "partial",
        "all_failed",
        "delay",
        "grouped",
        "below_threshold",
      ])
        expect([...seen]).toContain(one);
    if (EVENTS >= 200) expect([...seen]).toEqual(expect.arrayContaining(["nobody_reached", "not_confirmed"]));
  });

  const setUp = async () => {
    const world = await createWorld(watching);
    const groupId = await world.group("Duty", ["usr_ann", "usr_bob"], 1);
    await world.group("Spare", ["usr_cyd"], 0);
    await world.schedule(groupId, {
      timeZone: "UTC",
      layers: [{ start: "2026-11-21T00:00", every: 1, unit: "hour", participants: ["usr_ann", "usr_bob"] }],
    });
    const targets = [{ type: "group", groupId }];
    return { world, groupId, targets };
  };
  const event = { event: "disk.full", title: "Disk full", body: "2 % left" };

  it("says who is told when, how each is reached, and by which rule", async () => {
    const { world, groupId, targets } = await setUp();
    const rule = await world.rule([groupId], { eventKey: "order.*" });

    const answer = await simulate(world, {
      event,
      at: "2026-12-24T13:30:00Z",
      rules: [
        { eventKey: "disk.*", targets, onCallOnly: true, requiresAck: true, escalationPolicyId: "pol_draft" },
        { ...rule, eventKey: "disk.full", name: "Both" },
      ],
      policies: [
        {
          id: "pol_draft",
          name: "Ladder",
          steps: [
            { delayMinutes: 40, targets: [{ type: "group", groupId, onCallOnly: true }] },
            { delayMinutes: 5, targets: [{ type: "user", userId: "usr_cyd" }] },
          ],
        },
      ],
    });

    expect(answer).toMatchObject({
      at: "2026-12-24T13:30:00.000Z",
      outcome: "delivered",
      matchedRules: 2,
      recipients: 2,
    });
    expect(
      answer.rules.map(({ id, name, draft, matches, recipients }) => [
        id,
        name,
        draft,
        matches,
        recipients.map(({ userId }) => userId),
      ]),
    ).toEqual([
      [null, "Draft", "added", true, ["usr_bob"]],
      [rule.id, "Both", "replaced", true, ["usr_ann", "usr_bob"]],
    ]);
    expect(answer.escalations).toMatchObject([
      {
        ruleId: null,
        policy: { id: "pol_draft", name: "Ladder" },
        steps: [
          { step: 1, steps: 2, at: "2026-12-24T14:10:00.000Z", because: "delay", recipients: [{ userId: "usr_ann" }] },
          { step: 2, at: "2026-12-24T14:15:00.000Z", recipients: [{ userId: "usr_cyd", groupId: null }] },
        ],
        stepsIfUnconfirmed: null,
      },
    ]);
    expect(
      answer.people.map(({ userId, firstToldAt, reachable, devices }) => [
        userId,
        firstToldAt.slice(11, 16),
        reachable,
        devices.map(({ platform, by }) => `${platform} ${by}`),
      ]),
    ).toEqual([
      ["usr_bob", "13:30", "unproven", ["ios fcm"]],
      ["usr_ann", "13:30", "unproven", ["ios fcm"]],
      ["usr_cyd", "14:15", "no", []],
    ]);
    expect(world.pushed).toEqual([]);
  });

  it("is an event that was, at its own time or another", async () => {
    const { world, groupId } = await setUp();
    await world.rule([groupId], { onCallOnly: true });
    const posted = await world.post();
    await world.runFor(90 * MINUTE);
    const { eventId } = posted.kind === "created" ? posted : { eventId: "" };

    const then = await simulate(world, { eventId });
    const later = await simulate(world, { eventId, at: "2026-11-21T13:00:00Z" });

    expect(then.people.map(({ userId }) => userId)).toEqual(["usr_ann"]);
    expect(later.people.map(({ userId }) => userId)).toEqual(["usr_bob"]);
  });

  it("says until when it would be held because its alert flaps, which costs a read by its key", async () => {
    const { world, groupId } = await setUp();
    await world.rule([groupId]);
    const opens = () => world.post({ dedupeKey: "db-1" });
    for (let round = 0; round < 2; round += 1) {
      await opens();
      await world.post({ event: "disk.ok", resolves: "db-1" });
      await world.runFor(MINUTE);
    }
    const again = { ...event, dedupeKey: "db-1" };
    const held = { outcome: "flapping", flapping: { until: "2026-11-21T12:12:00.000Z", recipients: 2 }, people: [] };
    expect(await simulate(world, { event: again })).toMatchObject(held);
    expect(await simulate(world, { event: { ...again, priority: "URGENT" } })).toMatchObject({ flapping: null });
    expect(await simulate(world, { event: { ...again, dedupeKey: "db-2" } })).toMatchObject({ flapping: null });
    expect(await simulate(world, { event: again, at: "2026-11-21T13:00:00Z" })).toMatchObject({ flapping: null });

    const { eventId } = await opens();
    await world.runFor(30 * MINUTE);
    expect(await simulate(world, { eventId })).toMatchObject(held);
  });

  it("names the silence that would keep it still, and whom", async () => {
    const { world, groupId } = await setUp();
    await world.rule([groupId]);
    const silence = v.parse(SilenceInput, {
      name: "Works",
      eventKey: "*",
      everything: true,
      endsAt: "2026-12-01T00:00:00Z",
    });
    const { id } = await createSilence(world.deps, world.ws, silence);

    expect(await simulate(world, { event })).toMatchObject({
      outcome: "silenced",
      silence: { id, name: "Works", recipients: 2 },
      people: [],
    });
    expect((await simulate(world, { event, at: "2026-12-01T00:00:00Z" })).outcome).toBe("delivered");
  });

  it("is heard as it then is: without a sound where too many came, and by whoever is on it at night", async () => {
    const seen = new Set<string>();
    for (let turn = 1; turn <= HISTORIES; turn += 1) {
      const random = randomOf(turn);
      const world = await createWorld({ ...watching, start: Date.UTC(2026, 10, 22, 1, random.below(60)) });
      await updateWorkspace(world.deps, world.ws, { loudPerTenMinutes: random.pick([null, 1, 2, 3, 5]) });
      const groupId = await world.group("Ops", ["usr_ann", "usr_bob"]);
      await world.schedule(groupId, {
        timeZone: "Europe/Berlin",
        layers: [{ start: "2026-11-01T00:00", every: 1, unit: "week", participants: ["usr_bob"] }],
      });
      await world.rule([groupId], { requiresAck: true, groupBy: ["data.n"], groupMinutes: 1 + random.below(5) });
      await world.rule([groupId], { name: "Beside", eventKey: "order.failed" });
      for (let nr = 0; nr < EVENTS_OF_HISTORY; nr += 1) {
        await world.runFor(random.below(4) * MINUTE);
        if (random.below(3) === 0) {
          const asked = (await world.notifications()).find(({ userId }) => userId === "usr_ann");
          if (asked !== undefined) await world.acknowledge(asked.notificationId);
        }
        const input = { ...eventOf(random), data: { n: random.below(2) } };
        const heardBy = (all: readonly { userId: string; quiet: string | null }[]) =>
          all.map(({ userId, quiet }) => `${userId} ${quiet}`).toSorted();

        const foreseen = await simulate(world, { event: input });
        const { eventId } = await world.post(input);
        await world.work();

        const { notifications } = (await readEventView(world.deps, world.ws, eventId))!;
        const heard = heardBy(notifications.map(({ user, quiet }) => ({ userId: user.id, quiet })));
        expect(foreseen.ringsKnown).toBe(true);
        expect({ turn, nr, heard: heardBy(foreseen.rules.flatMap(({ recipients }) => recipients)) }).toEqual({
          turn,
          nr,
          heard,
        });
        for (const { quiet } of notifications) seen.add(String(quiet));
      }
    }
    if (HISTORIES >= 8) expect([...seen].toSorted()).toEqual(["acknowledged", "null", "too_many"]);
  });

  it("does not say who would hear it at a time that is over", async () => {
    const { world, groupId } = await setUp();
    await updateWorkspace(world.deps, world.ws, { loudPerTenMinutes: 1 });
    await world.rule([groupId]);
    await world.post();
    await world.work();
    const quietOf = ({ rules }: Simulation) => rules[0]!.recipients.map(({ quiet }) => quiet);

    const now = await simulate(world, { event });
    expect([now.ringsKnown, ...quietOf(now)]).toEqual([true, "too_many", "too_many"]);
    let clock = world.now();
    const ticking = { ...world.deps, now: () => (clock += 1) };
    const whileItReads = await simulateEvent(ticking, world.ws, v.parse(SimulationInput, { event }));
    expect([whileItReads.ringsKnown, ...quietOf(whileItReads)]).toEqual([true, "too_many", "too_many"]);
    const later = await simulate(world, { event, at: "2026-11-21T12:11:00Z" });
    expect([later.ringsKnown, ...quietOf(later)]).toEqual([true, null, null]);
    const before = await simulate(world, { event, at: "2026-11-21T11:59:00Z" });
    expect([before.ringsKnown, ...quietOf(before)]).toEqual([false, null, null]);
  });

  it("needs an event, groups and policies that there are", async () => {
    const { world } = await setUp();
    const targets = [{ type: "group", groupId: "grp_gone" }];
    const ask = (input: object) => simulateEvent(world.deps, world.ws, v.parse(SimulationInput, input));

    await expect(ask({ eventId: "evt_gone" })).rejects.toMatchObject({ extras: { faults: [{ field: "eventId" }] } });
    await expect(
      ask({ event, rules: [{ eventKey: "*", targets, escalationPolicyId: "pol_gone" }] }),
    ).rejects.toMatchObject({
      extras: { faults: [{ field: "rules[0].targets[0].groupId" }, { field: "rules[0].escalationPolicyId" }] },
    });
  });
});

describe("drafts over past events", () => {
  const targetsOf = (groupId: string) => [{ type: "group", groupId }];
  const ask = (world: World, input: object) => simulateHistory(world.deps, world.ws, v.parse(HistoryInput, input));

  it(`answer what delivery then makes of groups and thresholds, for ${HISTORIES * EVENTS_OF_HISTORY} events`, async () => {
    for (let turn = 1; turn <= HISTORIES; turn += 1) {
      const random = randomOf(turn);
      const events = Array.from({ length: EVENTS_OF_HISTORY }, () => ({
        after: random.below(9) * MINUTE,
        event: { ...eventOf(random), data: { n: random.below(3) } },
      }));
      const rule = {
        eventKey: random.pick(["*", "disk.*"]),
        requiresAck: random.below(2) === 0,
        ...random.pick([{ groupBy: random.pick([[], ["data.n"], ["title", "priority"]]), groupMinutes: 20 }, {}]),
        atLeast: random.pick([null, { count: 2 + random.below(3), withinMinutes: 30 }]),
      };
      const loudPerTenMinutes = random.pick([null, 1, 2, 4, 10]);
      const input = (groupId: string) => ({ rules: [{ ...rule, targets: targetsOf(groupId) }] });
      /** What becomes of each event: by the drafts' examples, which are the newest few, or by its plan that is delivered. */
      const play = async (isSaved: boolean) => {
        const world = await createWorld();
        await updateWorkspace(world.deps, world.ws, { loudPerTenMinutes });
        const groupId = await world.group("Ops", ["usr_ann", "usr_bob"]);
        if (isSaved) await world.rule([groupId], rule);
        const places = new Map<string, string>();
        const look = async () => {
          const [draft] = (await ask(world, input(groupId))).rules;
          for (const { event, grouped, belowThreshold, told } of draft!.examples)
            places.set(event.id, belowThreshold ? "below" : grouped ? "grouped" : `tells ${told.count}`);
        };
        for (const [index, { after, event }] of events.entries()) {
          await world.runFor(after);
          await world.post(event);
          await world.work();
          if (!isSaved && index % EXAMPLES === EXAMPLES - 1) await look();
        }
        await world.runFor(MINUTE);
        if (!isSaved) await look();
        return { world, groupId, places };
      };

      const past = await play(false);
      const answer = await ask(past.world, input(past.groupId));
      const { world } = await play(true);

      const rings = world.pushed.filter(({ message }) => message.data["state"] === undefined);
      const [draft] = answer.rules;
      expect({ turn, told: draft!.saved.of - draft!.saved.grouped - draft!.saved.belowThreshold }).toEqual({
        turn,
        told: rings.length,
      });
      const loud = rings.filter(({ message }) => interruptionOf(message) !== "passive");
      const tooMany = rings.filter(({ message }) => /because many came/.test(message.notification?.body ?? ""));
      expect({ turn, rings: answer.rings, tooMany: draft!.saved.tooMany }).toEqual({
        turn,
        rings: { before: 0, after: loud.length },
        tooMany: tooMany.length,
      });
      expect(answer.people.map(({ more }) => more)).toEqual(
        rings.length === 0 ? [] : [rings.length / 2, rings.length / 2],
      );
      const stored = await listEventsBetween(world.deps, world.ws, { from: 0, to: 1000 });
      const delivered = stored.flatMap(({ eventId, plan, content }): [string, string][] => {
        if (rule.eventKey !== "*" && !content.eventKey.startsWith("disk.")) return [];
        const [group] = plan!.groups ?? [];
        const told = `tells ${rings.filter(({ message }) => message.data["eventId"] === eventId).length}`;
        return [[numberOf(eventId), group?.below ? "below" : group?.into === undefined ? told : "grouped"]];
      });
      /* What the threshold delayed: the events that were counted for those that reached it, by their groups. */
      const { atLeast } = rule;
      const waiting = new Map<string, number[]>();
      const delays: number[] = [];
      for (const { plan, receivedAt } of stored.toReversed()) {
        const [group] = plan!.groups ?? [];
        if (atLeast === null || group === undefined || group.into !== undefined) continue;
        const before = (waiting.get(group.key) ?? []).filter(
          (time) => time > receivedAt - atLeast.withinMinutes * MINUTE,
        );
        waiting.set(group.key, group.below === undefined ? [] : [...before, receivedAt]);
        if (group.below === undefined) delays.push(...before.map((time) => (receivedAt - time) / SECOND));
      }
      expect({ turn, delayed: draft!.delayed }).toEqual({
        turn,
        delayed: {
          events: delivered.filter(([, place]) => place === "below").length,
          told: delays.length,
          longestSeconds: delays.length === 0 ? null : Math.max(...delays),
        },
      });
      const foretold = [...past.places].map(([id, place]): [string, string] => [numberOf(id), place]);
      expect({ turn, places: Object.fromEntries(foretold) }).toEqual({ turn, places: Object.fromEntries(delivered) });
    }
  });

  it("answer what delivery makes of alerts that flap", async () => {
    for (const lasts of [3, 15]) {
      const world = await createWorld();
      const groupId = await world.group("Ops", ["usr_ann"]);
      await world.rule([groupId]);
      for (const after of [1, 1, lasts]) {
        await world.post({ dedupeKey: "db-1" });
        await world.runFor(after * MINUTE);
        await world.post({ event: "order.fine", title: "Fine", resolves: "db-1" });
        await world.runFor(MINUTE);
      }
      await world.runFor(15 * MINUTE);

      const { rules } = await ask(world, { rules: [{ eventKey: "disk.*", targets: targetsOf(groupId) }] });
      const told = world.pushed.filter(
        ({ message }) => message.data["state"] === undefined && message.notification?.title === "Disk full",
      );
      expect({ lasts, told: rules[0]!.saved.of - rules[0]!.saved.flapping }).toEqual({ lasts, told: told.length });
      expect(rules[0]!.saved.flapping).toBe(lasts === 3 ? 1 : 0);
    }
  });

  it("take over the groups that are open where a call begins", async () => {
    const world = await createWorld();
    const groupId = await world.group("Ops", ["usr_ann"]);
    // Four storms of five events, an hour apart: each rings once.
    for (let nr = 0; nr < 20; nr += 1) {
      await world.post({ title: `Nr ${nr}` });
      await world.runFor(nr % 5 === 4 ? 60 * MINUTE : MINUTE);
    }
    const rule = { eventKey: "*", targets: targetsOf(groupId), groupBy: [], groupMinutes: 10 };
    let clock = world.now();
    // Seven events are enough for a call.
    const slow = { ...world.deps, now: () => (clock += 0.7 * SECOND) };

    let [calls, looked, told] = [0, 0, 0];
    for (let before: string | null | undefined; before !== null; calls += 1) {
      const more: object = before === undefined ? {} : { before };
      const answer = await simulateHistory(slow, world.ws, v.parse(HistoryInput, { rules: [rule], ...more }));
      looked += answer.events;
      told += answer.rules[0]!.saved.of - answer.rules[0]!.saved.grouped;
      before = answer.next;
    }

    expect(calls).toBeGreaterThan(2);
    expect({ looked, told }).toEqual({ looked: 20, told: 4 });
  });

  it("answer the difference in events and people, each event at its own time", async () => {
    const world = await createWorld(watching);
    const [first, second] = [
      await world.group("One", ["usr_ann", "usr_bob"]),
      await world.group("Two", ["usr_cyd"], 0),
    ];
    const rule = await world.rule([first], { eventKey: "disk.*" });
    const titles = ["Old", "Disk", "Order", "Disk again", "Other"];
    const eventKeys = ["disk.full", "disk.full", "order.failed", "disk.full", "user.left"];
    for (const [index, title] of titles.entries()) {
      await world.post({ event: eventKeys[index], title });
      await world.runFor(index === 0 ? 3 * 24 * 60 * MINUTE : MINUTE);
    }
    written.length = 0;

    const answer = await ask(world, {
      days: 2,
      rules: [
        {
          ...rule,
          targets: targetsOf(second),
          conditions: [{ field: "title", operator: "ends_with", value: "again" }],
        },
        { eventKey: "order.*", targets: targetsOf(second) },
      ],
    });

    expect(answer).toMatchObject({
      events: 4,
      moreTold: 2,
      lessTold: 2,
      newlyTold: 1,
      notToldAnyMore: 1,
      people: [
        { userId: "usr_ann", more: 0, less: 2 },
        { userId: "usr_bob", more: 0, less: 2 },
        { userId: "usr_cyd", more: 2, less: 0 },
      ],
      rules: [
        {
          id: rule.id,
          draft: "replaced",
          matched: 1,
          matchedBefore: 2,
          examples: [{ event: { title: "Disk again" } }],
        },
        { id: null, draft: "added", matched: 1, matchedBefore: 0, examples: [{ event: { title: "Order" } }] },
      ],
      next: null,
      warnings: [{ code: "no_device", id: "usr_cyd" }],
    });
    expect(
      answer.examples.map(({ event, more, less }) => [
        event.title,
        more.people.map(({ userId }) => userId),
        less.people.map(({ userId }) => userId),
      ]),
    ).toEqual([
      ["Disk again", ["usr_cyd"], ["usr_ann", "usr_bob"]],
      ["Order", ["usr_cyd"], []],
      ["Disk", [], ["usr_ann", "usr_bob"]],
    ]);
    expect(answer.readUnits).toBeGreaterThan(0);
    expect(written).toEqual([]);
  });

  it("go on where a call has done enough, and add up to the whole", async () => {
    const world = await createWorld();
    const groupId = await world.group("One", ["usr_ann"]);
    for (let nr = 0; nr < 7; nr += 1) await world.post({ title: `Nr ${nr}` });
    const input = { rules: [{ eventKey: "*", targets: targetsOf(groupId) }] };
    const whole = await ask(world, input);
    let clock = world.now();
    // Each reading of the clock takes three seconds, so two events are enough for a call.
    const slow = { ...world.deps, now: () => (clock += 3 * SECOND) };

    const titles: string[] = [];
    let calls = 0;
    for (let before: string | null | undefined; before !== null; calls += 1) {
      const more: object = before === undefined ? {} : { before };
      const answer = await simulateHistory(slow, world.ws, v.parse(HistoryInput, { ...input, ...more }));
      titles.push(...answer.examples.map(({ event }) => event.title));
      before = answer.next;
    }

    expect(calls).toBeGreaterThan(2);
    expect(titles).toEqual(whole.examples.map(({ event }) => event.title));
    expect(whole).toMatchObject({ events: 7, next: null });
    await expect(ask(world, { ...input, before: "evt_gone" })).rejects.toMatchObject({
      extras: { faults: [{ field: "before" }] },
    });
  });
});
