import type { NotificationRulesInput } from "../../../core/domain/people/notification-rules.ts";
import { toIso } from "../../../core/domain/basics/time.ts";
import { putNotificationRules } from "../../../core/store/people/notification-rules.ts";
import { START } from "../engine/world.ts";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import type { Channel } from "../../../core/domain/device/channel.ts";
import {
  addContact,
  buildWorkspace,
  createDevice,
  toDeviceId,
  type Fixture,
  type SetupDeps,
  type TestChannel,
} from "../fixtures.ts";
import { EARLY_MS, type Play, type Scenario } from "../scenario.ts";
import { countStoredEvents } from "../items.ts";
import { waitForFirstNotification } from "./temporary-acknowledgement.ts";

const MINUTE_MS = 60_000;
/** A push may come this long after its time, or after the last fault has no effect any more. */
const LATE_MAX_MS = 180_000;
/** The end of Ben's quiet hours, in minutes after the scenario begins. */
const QUIET_HOURS_MINUTES = 40;
const OTHER_DEVICE_MINUTES = 5;
/** The time of the second step: later than SQS can delay a message. */
const SAME_DEVICE_MINUTES = 20;

const formatClock = (ms: number): string => toIso(ms).slice(11, 16);

const noSteps: NotificationRulesInput["rungs"] = { LOW: [], NORMAL: [], HIGH: [], URGENT: [] };

const stepChannelOf: Readonly<Record<TestChannel, Channel>> = {
  fcm: "push",
  web: "push",
  both: "push",
  email: "email",
  sms: "sms",
  voice: "voice",
};
/** Returns Alice's second device, whose channel no other scenario uses. */
const chooseOtherDevice = (channel: TestChannel) =>
  channel === "email"
    ? ({ token: "alice-other", channel: "fcm", stepChannel: "push" } as const)
    : ({ token: "alice-other", channel: "email", stepChannel: "email" } as const);

/** Alice has steps by phone, email and phone again, Ben quiet hours, and Cleo no steps. */
const setup = async (deps: SetupDeps): Promise<Fixture[]> => {
  const acme = await buildWorkspace(deps, {
    people: { alice: ["alice-phone"], ben: ["ben-phone"], cleo: ["cleo-phone"] },
    rules: { outages: { eventKey: "site.down", requiresAck: true } },
  });
  const { alice = "", ben = "" } = acme.users;
  const { channel } = deps;
  const other = chooseOtherDevice(channel);
  const otherDevice = createDevice(other.token, other.channel);
  if (other.channel === "email") await addContact(deps, acme.ws, alice, otherDevice);
  else await registerDevice(deps, acme.ws, alice, otherDevice);
  await putNotificationRules(deps, acme.ws, alice, {
    rungs: {
      ...noSteps,
      HIGH: [
        { afterMinutes: 0, ways: [stepChannelOf[channel]] },
        { afterMinutes: OTHER_DEVICE_MINUTES, ways: [other.stepChannel] },
        { afterMinutes: SAME_DEVICE_MINUTES, ways: [stepChannelOf[channel]] },
      ],
    },
    quietHours: null,
  });
  const hours = { from: formatClock(START - 60 * MINUTE_MS), to: formatClock(START + QUIET_HOURS_MINUTES * MINUTE_MS) };
  await putNotificationRules(deps, acme.ws, ben, {
    rungs: noSteps,
    quietHours: {
      days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
      ...hours,
      timeZone: "UTC",
      holdBelow: "URGENT",
    },
  });
  return [
    {
      ...acme,
      laterTokens: new Map([...(acme.tokens ?? []), [alice, [toDeviceId("alice-phone", channel), other.token]]]),
    },
  ];
};

/** A push of a notification step. `at`: milliseconds after the event; `pagesAgain`: whether it is for a later step. */
type StepPush = { token: string; pagesAgain: boolean; at: number };
const listStepPushes = ({ world, clients, fixtures }: Play): StepPush[] => {
  const channel = fixtures[0]?.channel ?? "fcm";
  const names = new Map(["alice-phone", "ben-phone", "cleo-phone"].map((name) => [toDeviceId(name, channel), name]));
  // A call that Connect recognises as an earlier call does not page.
  return world.fcm.calls
    .filter(({ isRepeat }) => !isRepeat)
    .map(({ token, pagesAgain, at }) => ({
      token: names.get(token) ?? token,
      pagesAgain,
      at: at - (clients.posts[0]?.sentAt ?? 0),
    }));
};

/** Checks that no push was sent before its time, or too long after its time and the faults. */
const checkPushTimes = (play: Play): string[] => {
  const due: Readonly<Record<string, number>> = {
    "alice-other": OTHER_DEVICE_MINUTES,
    "ben-phone": QUIET_HOURS_MINUTES,
  };
  const posted = play.clients.posts[0]?.sentAt ?? 0;
  return listStepPushes(play).flatMap(({ token, pagesAgain, at }) => {
    const minutes = pagesAgain ? SAME_DEVICE_MINUTES : (due[token] ?? 0);
    // The end of quiet hours depends on the clock, not on the time of the event.
    const from = token === "ben-phone" ? START + minutes * MINUTE_MS - posted : minutes * MINUTE_MS;
    const name = `${token}${pagesAgain ? " again" : ""}`;
    if (at < from - EARLY_MS) return [`${name} was notified ${(from - at) / 1000} s too early`];
    const late = at + posted - Math.max(from + posted, play.world.disturbedUntil());
    return late > LATE_MAX_MS ? [`P4: ${name} was notified ${late / 1000} s too late`] : [];
  });
};

const common = {
  setup,
  // Other scenarios cover ingest.
  faultyCalls: /^(?:match|wake match|sender|push|wake sender|escalat|wake escalat|sweep|update-notification)/,
  expectNotified: () => [["outages|alice", "outages|ben", "outages|cleo"]],
  minutes: 120,
} satisfies Partial<Scenario>;

export const notificationSteps: Scenario = {
  ...common,
  name: "notification-steps",
  about:
    "one person has notification steps by phone, email and phone again, another has quiet hours, and nobody acknowledges",
  play: async ({ clients, fixtures: [acme] }) => {
    await clients.post(acme!, { event: "site.down", title: "Down", priority: "HIGH" });
  },
  check: async (play) => {
    const found = checkPushTimes(play);
    if (countStoredEvents(play.world) === 0) return found;
    const names = new Set(listStepPushes(play).map(({ token, pagesAgain }) => `${token}${pagesAgain ? " again" : ""}`));
    const phone = toDeviceId("alice-phone", play.fixtures[0]?.channel ?? "fcm");
    const again = play.world.fcm.calls.some(({ token, answer }) => token === phone && answer === "unregistered")
      ? []
      : ["alice-phone again"];
    const wanted = ["alice-phone", "alice-other", ...again, "ben-phone", "cleo-phone"];
    for (const name of wanted) if (!names.has(name)) found.push(`P1: ${name} was never notified`);
    if (names.has("alice-other")) play.world.seen.add("a later notification step used another channel");
    if (names.has("alice-phone again")) play.world.seen.add("a later notification step used the same device");
    if (names.has("ben-phone")) play.world.seen.add("a notification waited until quiet hours ended");
    return found;
  },
};

/** This long after the step is due, the step has begun, and its push is not sent yet. */
const AFTER_STEP_DUE_MS = 60;
/** The time between the sender's last check and its push. */
const CHECK_TO_PUSH_MS = 50;

export const notificationStepsAcknowledged: Scenario = {
  ...common,
  name: "notification-steps-acknowledged",
  about: "a colleague acknowledges at the moment when a person's second notification step is due",
  play: async (play) => {
    const { clients, world, fixtures } = play;
    const post = await clients.post(fixtures[0]!, { event: "site.down", title: "Down", priority: "HIGH" });
    const first = await waitForFirstNotification(play);
    if (first === undefined) return;
    await world.kernel.sleep(OTHER_DEVICE_MINUTES * MINUTE_MS - (world.kernel.now() - post.sentAt) + AFTER_STEP_DUE_MS);
    // Cleo has the third position in the pack.
    await clients.report(fixtures[0]!, "cleo", `${first.slice(0, -1)}2`);
  },
  check: async (play) => {
    const found = checkPushTimes(play);
    const answered = play.clients.acknowledgements.find(({ status }) => status === 200);
    if (answered === undefined) return found;
    const after = play.world.fcm.calls.filter(({ at }) => at > answered.answeredAt + CHECK_TO_PUSH_MS);
    for (const { token, at } of after)
      found.push(`${token} was notified ${at - answered.answeredAt} ms after the acknowledgement was answered`);
    if (!play.world.fcm.calls.some(({ pagesAgain }) => pagesAgain))
      play.world.seen.add("an acknowledgement cancelled a notification step");
    return found;
  },
};
