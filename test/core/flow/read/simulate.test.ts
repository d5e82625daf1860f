import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { EscalationPolicyInput } from "../../../../core/domain/escalation/escalation-policy.ts";
import { RuleInput } from "../../../../core/domain/rules/rule-input.ts";
import type { Simulation } from "../../../../core/domain/planning/simulation.ts";
import { readEventView } from "../../../../core/flow/read/read-event.ts";
import { updateWorkspace } from "../../../../core/store/people/workspaces.ts";
import { listEventsBetween } from "../../../../core/store/events/events.ts";
import { createPolicy } from "../../../../core/store/rules/escalation-policies.ts";
import { createRule, updateRule } from "../../../../core/store/rules/rules.ts";
import { useWorld } from "../../../world/use-world.ts";
import type { Pushed, World } from "../../../world/world.ts";
import { SECOND, MINUTE, recordingWrites, simulate, simulatePast, toTargets } from "./simulating.ts";
import { createChoices, drawPolicy, drawRule, drawEvent, drawWorld } from "./random-setups.ts";

/** The number of events in random worlds, which are first simulated and then sent. */
const EVENTS = Number(process.env["SIMULATED_EVENTS"] ?? 6);
const EVENTS_OF_WORLD = 6;
/** The number of histories of events, each previewed with a draft and then sent with the saved rule. */
const HISTORIES = Math.max(1, Math.floor(EVENTS / 25));
const EVENTS_OF_HISTORY = 25;

/** The maximum number of example events in the answer for each draft. */
const EXAMPLES = 10;

const secondsAfter = (at: string, start: number): number => (Date.parse(at) - start) / SECOND;

/** Lists the predicted pushes as "seconds user", if nobody acknowledges and no device confirms. */
const listPredicted = ({ at, rules, escalations, people }: Simulation): string[] => {
  const start = Date.parse(at);
  const devices = new Map(people.map((person) => [person.userId, person.devices.length]));
  const formatPushes = (time: string, recipients: readonly { userId: string }[]) =>
    recipients.flatMap(({ userId }) =>
      Array.from({ length: devices.get(userId) ?? 0 }, () => `${secondsAfter(time, start)} ${userId}`),
    );
  return [
    ...rules.flatMap(({ recipients }) => formatPushes(at, recipients)),
    ...escalations.flatMap(({ steps, stepsIfUnconfirmed }) =>
      (stepsIfUnconfirmed ?? steps).flatMap((step) => formatPushes(step.at, step.recipients)),
    ),
  ].sort();
};

const interruptionOf = (message: Pushed["message"]): string | undefined =>
  "apns" in message ? message.apns?.payload.aps["interruption-level"] : undefined;

describe("a simulation compared with the real delivery", () => {
  it(`predicts the same people, devices and times for ${EVENTS} events`, async () => {
    let world: World | undefined;
    let groupIds: string[] = [];
    let ruleIds: string[] = [];
    const seen = new Set<string>();
    for (let turn = 0; turn < EVENTS; turn += 1) {
      const choices = createChoices(turn + 1);
      if (world === undefined || turn % EVENTS_OF_WORLD === 0) {
        ({ world, groupIds } = await drawWorld(choices));
        ruleIds = [];
      }
      const policy = drawPolicy(choices, groupIds);
      const rule = drawRule(choices, groupIds, choices.below(4) === 0 ? null : "pol_draft");
      const replaced = choices.below(3) === 0 ? ruleIds.at(-1) : undefined;
      const event = drawEvent(choices);

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
      const { eventId } = await world.post(event);
      await world.runFor(6 * 60 * MINUTE);

      // The notices to the owners about the event are left out.
      const happened = world.pushed
        .slice(before)
        .filter(({ message }) => message.data["state"] === undefined && message.data["eventId"] === eventId)
        .map(({ at, userId }) => `${(at - from) / SECOND} ${userId}`);
      expect({ turn, pushes: happened.sort() }).toEqual({ turn, pushes: listPredicted(answer) });
      seen.add(answer.outcome);
      for (const { steps, stepsIfUnconfirmed } of answer.escalations)
        for (const { because } of [...steps, ...(stepsIfUnconfirmed ?? [])]) seen.add(because);
    }
    // Ensures that the random worlds include every tested case.
    if (EVENTS >= 200)
      expect([...seen]).toEqual(
        expect.arrayContaining([
          "no_match",
          "silenced",
          "no_recipient",
          "delivered",
          "partial",
          "all_failed",
          "delay",
          "grouped",
          "below_threshold",
          "nobody_reached",
          "not_confirmed",
        ]),
      );
  });

  it("predicts which notifications are silent: those beyond the page limit, and those at night to a recent acknowledger", async () => {
    const seen = new Set<string>();
    for (let turn = 1; turn <= HISTORIES; turn += 1) {
      const choices = createChoices(turn);
      const world = await useWorld({ ...recordingWrites, start: Date.UTC(2026, 10, 22, 1, choices.below(60)) });
      await updateWorkspace(world.deps, world.ws, { loudPerTenMinutes: choices.pick([null, 1, 2, 3, 5]) });
      const groupId = await world.group("Ops", ["usr_ann", "usr_bob"]);
      await world.schedule(groupId, {
        timeZone: "Europe/Berlin",
        layers: [{ start: "2026-11-01T00:00", every: 1, unit: "week", participants: ["usr_bob"] }],
      });
      await world.rule([groupId], { requiresAck: true, groupBy: ["data.n"], groupMinutes: 1 + choices.below(5) });
      await world.rule([groupId], { name: "Beside", eventKey: "order.failed" });
      for (let nr = 0; nr < EVENTS_OF_HISTORY; nr += 1) {
        await world.runFor(choices.below(4) * MINUTE);
        if (choices.below(3) === 0) {
          const asked = (await world.notifications()).find(({ userId }) => userId === "usr_ann");
          if (asked !== undefined) await world.acknowledge(asked.notificationId);
        }
        const input = { ...drawEvent(choices), data: { n: choices.below(2) } };
        const formatRecipients = (recipients: readonly { userId: string; quiet: string | null }[]) =>
          recipients.map(({ userId, quiet }) => `${userId} ${quiet}`).toSorted();

        const foreseen = await simulate(world, { event: input });
        const { eventId } = await world.post(input);
        await world.work();

        const { notifications } = (await readEventView(world.deps, world.ws, eventId))!;
        const heard = formatRecipients(notifications.map(({ user, quiet }) => ({ userId: user.id, quiet })));
        expect(foreseen.ringsKnown).toBe(true);
        expect({ turn, nr, heard: formatRecipients(foreseen.rules.flatMap(({ recipients }) => recipients)) }).toEqual({
          turn,
          nr,
          heard,
        });
        for (const { quiet } of notifications) seen.add(String(quiet));
      }
    }
    if (HISTORIES >= 8) expect([...seen].toSorted()).toEqual(["acknowledged", "null", "too_many"]);
  });
});

describe("a preview compared with the real delivery", () => {
  it(`predicts what groups of events and thresholds do with ${HISTORIES * EVENTS_OF_HISTORY} events`, async () => {
    for (let turn = 1; turn <= HISTORIES; turn += 1) {
      const choices = createChoices(turn);
      const events = Array.from({ length: EVENTS_OF_HISTORY }, () => ({
        after: choices.below(9) * MINUTE,
        event: { ...drawEvent(choices), data: { n: choices.below(3) } },
      }));
      const rule = {
        eventKey: choices.pick(["*", "disk.*"]),
        requiresAck: choices.below(2) === 0,
        ...choices.pick([{ groupBy: choices.pick([[], ["data.n"], ["title", "priority"]]), groupMinutes: 20 }, {}]),
        atLeast: choices.pick([null, { count: 2 + choices.below(3), withinMinutes: 30 }]),
      };
      const loudPerTenMinutes = choices.pick([null, 1, 2, 4, 10]);
      const previewInput = (groupId: string) => ({ rules: [{ ...rule, targets: toTargets(groupId) }] });
      /** Lists the outcomes of events, from the preview's newest examples or from the delivered plans. */
      const listOutcomes = async (isSaved: boolean) => {
        const world = await useWorld();
        await updateWorkspace(world.deps, world.ws, { loudPerTenMinutes });
        const groupId = await world.group("Ops", ["usr_ann", "usr_bob"]);
        if (isSaved) await world.rule([groupId], rule);
        const fates = new Map<string, string>();
        /** The events in the order in which they were received, without the service's own notices. */
        const posted: string[] = [];
        const collectOutcomes = async () => {
          const [draft] = (await simulatePast(world, previewInput(groupId))).rules;
          for (const { event, grouped, belowThreshold, told } of draft!.examples)
            fates.set(event.id, belowThreshold ? "below" : grouped ? "grouped" : `tells ${told.count}`);
        };
        for (const [index, { after, event }] of events.entries()) {
          await world.runFor(after);
          posted.push((await world.post(event)).eventId);
          await world.work();
          if (!isSaved && index % EXAMPLES === EXAMPLES - 1) await collectOutcomes();
        }
        await world.runFor(MINUTE);
        if (!isSaved) await collectOutcomes();
        return { world, groupId, fates, numberOf: (eventId: string): number => posted.indexOf(eventId) };
      };

      const past = await listOutcomes(false);
      const answer = await simulatePast(past.world, previewInput(past.groupId));
      const { world, numberOf } = await listOutcomes(true);

      // The notices to the owners about an event that notified nobody are left out.
      const pages = world.pushed.filter(
        ({ message }) => message.data["state"] === undefined && numberOf(message.data["eventId"] ?? "") >= 0,
      );
      const [draft] = answer.rules;
      expect({ turn, told: draft!.saved.of - draft!.saved.grouped - draft!.saved.belowThreshold }).toEqual({
        turn,
        told: pages.length,
      });
      const loud = pages.filter(({ message }) => interruptionOf(message) !== "passive");
      const tooMany = pages.filter(({ message }) =>
        /because you got many alerts/.test(message.notification?.body ?? ""),
      );
      expect({ turn, rings: answer.rings, tooMany: draft!.saved.tooMany }).toEqual({
        turn,
        rings: { before: 0, after: loud.length },
        tooMany: tooMany.length,
      });
      expect(answer.people.map(({ more }) => more)).toEqual(
        pages.length === 0 ? [] : [pages.length / 2, pages.length / 2],
      );
      const stored = await listEventsBetween(world.deps, world.ws, { from: 0, to: 1000 });
      const delivered = stored.flatMap(({ eventId, plan, content }): [number, string][] => {
        if (rule.eventKey !== "*" && !content.eventKey.startsWith("disk.")) return [];
        const [group] = plan!.groups ?? [];
        const notified = `tells ${pages.filter(({ message }) => message.data["eventId"] === eventId).length}`;
        return [[numberOf(eventId), group?.below ? "below" : group?.into === undefined ? notified : "grouped"]];
      });
      /* Collects the seconds by which the threshold delayed each event. */
      const { atLeast } = rule;
      const waiting = new Map<string, number[]>();
      const delays: number[] = [];
      for (const { plan, receivedAt } of stored.toReversed()) {
        const [group] = plan!.groups ?? [];
        if (atLeast === null || group === undefined || group.into !== undefined) continue;
        const earlierTimes = (waiting.get(group.key) ?? []).filter(
          (time) => time > receivedAt - atLeast.withinMinutes * MINUTE,
        );
        waiting.set(group.key, group.below === undefined ? [] : [...earlierTimes, receivedAt]);
        if (group.below === undefined) delays.push(...earlierTimes.map((time) => (receivedAt - time) / SECOND));
      }
      expect({ turn, delayed: draft!.delayed }).toEqual({
        turn,
        delayed: {
          events: delivered.filter(([, fate]) => fate === "below").length,
          told: delays.length,
          longestSeconds: delays.length === 0 ? null : Math.max(...delays),
        },
      });
      const foretold = [...past.fates].map(([id, fate]): [number, string] => [past.numberOf(id), fate]);
      expect({ turn, fates: Object.fromEntries(foretold) }).toEqual({ turn, fates: Object.fromEntries(delivered) });
    }
  });
});
