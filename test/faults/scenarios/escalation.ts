import { listFirings, readEscalation } from "../../../core/store/events/escalations.ts";
import { createPolicy } from "../../../core/store/rules/escalation-policies.ts";
import { updateRule } from "../../../core/store/rules/rules.ts";
import { buildWorkspace, type Fixture, type SetupDeps } from "../fixtures.ts";
import type { Acknowledgement } from "../clients.ts";
import type { Play, Scenario } from "../scenario.ts";
import { listItems, countStoredEvents } from "../items.ts";

const MINUTE_MS = 60_000;
const LATE_MAX_MS = 180_000;

type People = Readonly<Record<string, readonly string[]>>;

/** An event notifies Alice at once, the leads (everybody but Alice and Dora) after 5 minutes, and Dora 20 minutes later. */
const buildWithSteps = async (deps: SetupDeps, people: People, policy: { name: string; repeat: number }) => {
  const leads = Object.keys(people).filter((name) => name !== "alice" && name !== "dora");
  const acme = await buildWorkspace(deps, {
    people,
    groups: { ops: ["alice"], leads },
    rules: { outages: { eventKey: "site.down", requiresAck: true } },
  });
  const { id } = await createPolicy(deps, acme.ws, {
    ...policy,
    steps: [
      { delayMinutes: 5, targets: [{ type: "group", groupId: acme.groups["leads"]!, onCallOnly: false }] },
      { delayMinutes: 20, targets: [{ type: "user", userId: acme.users["dora"]! }] },
    ],
  });
  await updateRule(deps, acme.ws, acme.rules["outages"]!, { escalationPolicyId: id });
  return [acme];
};

/** Builds a policy with two steps, the second with a longer delay than SQS allows, and one repeat. */
export const buildTwoSteps = (deps: SetupDeps): Promise<Fixture[]> => {
  const people = { alice: ["alice-phone"], ben: ["ben-phone"], cleo: ["cleo-phone"], dora: ["dora-phone"] };
  return buildWithSteps(deps, people, { name: "two steps", repeat: 1 });
};

const common = {
  expectNotified: () => [["outages|alice"]],
  setup: buildTwoSteps,
  minutes: 90,
} satisfies Partial<Scenario>;

const readOwnEscalation = ({ world, fixtures: [acme] }: Play) =>
  world.outside((deps) => readEscalation(deps, { ws: acme!.ws, seq: 1, rule: 0 }));

export const listFiredSteps = async (play: Play) => {
  const fired = (await readOwnEscalation(play))?.fired ?? 0;
  const { world, fixtures } = play;
  const decided = await world.outside((deps) => listFirings(deps, { ws: fixtures[0]!.ws, seq: 1 }));
  return decided.filter(({ rule, cursor }) => rule === 0 && cursor <= fired);
};

const people: Readonly<Record<string, string>> = { 1: "ben,cleo", 2: "dora", 3: "ben,cleo", 4: "dora" };
const delays: Readonly<Record<string, number>> = { 1: 5, 2: 20, 3: 5, 4: 20 };

/** Checks that each step notifies its people not before its time, and not long after it. */
export const checkStepTimes = async (play: Play): Promise<string[]> => {
  const found: string[] = [];
  let before = 0;
  for (const { cursor, at, recipients } of await listFiredSteps(play)) {
    const names = recipients.map(({ userId }) => userId.slice("usr_acme".length)).join();
    if (names !== people[cursor]) found.push(`step ${cursor} notified ${names}`);
    const delay = (delays[cursor] ?? 0) * MINUTE_MS;
    if (before > 0 && at - before < delay - PREVIOUS_LATE_MS)
      found.push(`step ${cursor} came ${(at - before) / 1000} s after the previous step`);
    if (before > 0 && at - Math.max(before + delay, play.world.disturbedUntil()) > LATE_MAX_MS)
      found.push(`P4: step ${cursor} came ${(at - before - delay) / 1000} s late`);
    before = at;
  }
  return found;
};
/** A step may be late by this much without delaying the next step; clocks jump by up to 8 s. */
const PREVIOUS_LATE_MS = 46_000;

export const escalation: Scenario = {
  ...common,
  name: "escalation",
  about: "nobody acknowledges, and a policy runs its two steps twice, one with a longer delay than SQS allows",
  play: async ({ clients, fixtures: [acme] }) => {
    await clients.post(acme!, { event: "site.down", title: "Down" });
  },
  check: async (play) => {
    const found = await checkStepTimes(play);
    const stored = countStoredEvents(play.world) > 0;
    const fired = (await listFiredSteps(play)).length;
    if (stored && fired !== 4) found.push(`${fired} steps fired instead of 4`);
    return found;
  },
};

const waitForNotification = async ({ world }: Play, cursor: number): Promise<string | undefined> => {
  for (let round = 0; round < 6000; round += 1) {
    const pack = listItems(world, "NOTIFICATIONS")
      .map((item) => item["sk"]?.S ?? "")
      .find((sk) => Number.parseInt(sk.slice(20, 23), 32) === cursor);
    if (pack !== undefined) return `ntf_${pack}0`;
    await world.kernel.sleep(round < 100 ? 7 : 500);
  }
  return undefined;
};

/** This long after the step is due, the escalator is looking up the step's people. */
const AFTER_STEP_DUE_MS = 140;

export const acknowledgedWhenStepDue: Scenario = {
  ...common,
  name: "acknowledged-when-step-due",
  about: "the first recipient acknowledges at the moment when the first step is due",
  play: async (play) => {
    const { clients, world, fixtures } = play;
    const post = await clients.post(fixtures[0]!, { event: "site.down", title: "Down" });
    const id = await waitForNotification(play, 0);
    if (id === undefined) return;
    await world.kernel.sleep(5 * MINUTE_MS - (world.kernel.now() - post.sentAt) + AFTER_STEP_DUE_MS);
    await clients.report(fixtures[0]!, "alice", id);
  },
  check: async (play) => {
    const found = await checkStepTimes(play);
    const fired = (await listFiredSteps(play)).length;
    const acknowledged = play.clients.acknowledgements.some(({ status }) => status === 200);
    if (acknowledged && fired > 1) found.push(`${fired} steps fired, although the first was acknowledged`);
    if (acknowledged && fired === 0) play.world.seen.add("an acknowledgement cancelled an escalation step");
    return found;
  },
};

/** Acknowledges as soon as the first step has notified Ben. */
const acknowledgeAsBen = async (play: Play): Promise<void> => {
  const { clients, fixtures } = play;
  const acme = fixtures[0]!;
  await clients.post(acme, { event: "site.down", title: "Down" });
  const id = await waitForNotification(play, 1);
  if (id !== undefined) await clients.report(acme, "ben", id);
};

export const acknowledgedDuringStep: Scenario = {
  ...common,
  name: "acknowledged-during-step",
  about: "a recipient of the first step acknowledges while the step's pushes are being sent",
  play: acknowledgeAsBen,
  check: async (play) => {
    const found = await checkStepTimes(play);
    const fired = (await listFiredSteps(play)).length;
    const acknowledged = play.clients.acknowledgements.some(({ status }) => status === 200);
    if (acknowledged && fired !== 1) found.push(`${fired} steps fired, although the first was acknowledged`);
    return found;
  },
};

/** Builds a workspace in which Alice has no device, so the leads are notified at once instead of after 5 minutes. */
const buildUnreachable = (deps: SetupDeps): Promise<Fixture[]> =>
  buildWithSteps(deps, { alice: [], ben: ["ben-phone"], dora: ["dora-phone"] }, { name: "early", repeat: 0 });

/** After this time, SQS has delivered a dead function's message again (180 s), and a step on schedule is not due (300 s). */
const FIRST_STEP_WITHIN_MS = 200_000;

/** Returns whether a step came before the acknowledgement because every push of the notification was refused. */
const wasPushRefused = ({ world }: Play, { ws, notificationId, answeredAt }: Acknowledgement, at: number): boolean => {
  const calls = world.fcm.callsFor(ws, notificationId);
  return at < answeredAt && calls.length > 0 && calls.every(({ acceptedAt }) => acceptedAt === undefined);
};

export const earlyStep: Scenario = {
  ...common,
  name: "early-step",
  about: "the first recipient has no device, so the first step fires at once; a recipient of the step acknowledges",
  setup: buildUnreachable,
  channel: "both",
  // Other scenarios cover ingest and the sweeper.
  faultyCalls: /^(?:sender|push|wake sender|escalat|wake escalat|update-notification)/,
  play: acknowledgeAsBen,
  minutes: 60,
  check: async (play) => {
    const found: string[] = [];
    const [first, second] = await listFiredSteps(play);
    const acknowledged = play.clients.acknowledgements.find(({ status }) => status === 200);
    if (acknowledged !== undefined && second !== undefined && !wasPushRefused(play, acknowledged, second.at))
      found.push("a second step fired, although the first was acknowledged");
    const stored = countStoredEvents(play.world) > 0;
    if (stored && first === undefined) found.push("no step fired, although nobody could be notified");
    const posted = play.clients.posts[0]?.sentAt ?? 0;
    if (first !== undefined && first.at - Math.max(posted, play.world.disturbedUntil()) > FIRST_STEP_WITHIN_MS)
      found.push(
        `the first step came ${(first.at - posted) / 1000} s after the event, although nobody could be notified`,
      );
    return found;
  },
};
