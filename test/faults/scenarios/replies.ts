import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { KEYS, type CallKey } from "../../../core/domain/delivery/push/call.ts";
import { QUOTA_PAUSE_MAX_MS } from "../../../core/domain/delivery/pace.ts";
import { MINUTE_MS } from "../../../core/domain/basics/units.ts";
import { toIso } from "../../../core/domain/basics/time.ts";
import { computeReplyDigit } from "../../../core/domain/delivery/push/reply.ts";
import type { createVoice } from "../../../functions/voice.ts";
import type { PushCall } from "../engine/fcm.ts";
import { toDeviceId } from "../fixtures.ts";
import { listItems, countStoredEvents } from "../items.ts";
import type { Play, Scenario } from "../scenario.ts";
import { listFiredSteps, buildTwoSteps, checkStepTimes } from "./escalation.ts";

/*
 * Each reply comes twice at once: SQS may deliver a message twice, a person may press a button or a key twice, and Connect may
 * pass a key on twice.
 */

/** The time after which a person with the phone in hand may reply. */
const REPLY_AFTER_MS = 3000;
/** The pause before a person retries after a failure. The person retries for longer than any throttling lasts. */
const RETRY_MS = 1500;
const ATTEMPTS_MAX = 120;

/** The longest time that an alert waits: a pause of its channel, and some minutes for other faults. */
const ACCEPTED_WITHIN_MS = QUOTA_PAUSE_MAX_MS + 5 * MINUTE_MS;
const POLL_EVERY_MS = 500;

/** Waits for the first accepted message, and returns it; undefined if none is accepted in time. */
const waitForFirstAccepted = async ({ world }: Play): Promise<PushCall | undefined> => {
  const findAccepted = () => world.fcm.calls.find(({ acceptedAt }) => acceptedAt !== undefined);
  for (let round = 0; findAccepted() === undefined; round += 1) {
    if (round > ACCEPTED_WITHIN_MS / POLL_EVERY_MS) return undefined;
    await world.kernel.sleep(POLL_EVERY_MS);
  }
  await world.kernel.sleep(REPLY_AFTER_MS);
  return findAccepted();
};

/** Returns whether a person can reply to a message: emails and calls have no token if the key for tokens cannot be read. */
const canReply = ({ channel, receipt }: PushCall): boolean => channel === "sms" || receipt !== undefined;

const runTwice = (work: () => Promise<unknown>): Promise<unknown> => Promise.all([work(), work()]);

/** Records a reply, after which no escalation step may notify anybody. */
const recordReply = ({ world, clients }: Play, { workspaceId: ws, notificationId }: PushCall): void => {
  clients.acknowledgements.push({ ws, notificationId, answeredAt: world.kernel.now(), status: 200 });
};

/** Replies twice with one id, because SQS may deliver the message of SNS twice. */
const replyByText = ({ world }: Play, { token, eventId }: PushCall): Promise<unknown> => {
  const Message = {
    originationNumber: token,
    messageBody: String(computeReplyDigit(eventId)),
    inboundMessageId: "in-1",
  };
  const MessageBody = JSON.stringify({
    Type: "Notification",
    Timestamp: toIso(world.kernel.now()),
    Message: JSON.stringify(Message),
  });
  return world.outside(({ queues: { inbound } }) =>
    runTwice(() =>
      inbound.client.send(new SendMessageCommand({ QueueUrl: inbound.url, MessageBody, MessageGroupId: "aws" })),
    ),
  );
};

/** Posts the token like the page of an email's link, until the request is answered. */
const postLinkToken = async (play: Play, sent: PushCall): Promise<void> => {
  const { world } = play;
  for (let round = 0; round < ATTEMPTS_MAX; round += 1) {
    const body = { token: sent.receipt, status: "ACKNOWLEDGED", at: world.kernel.now() };
    const { status } = await world.http("take-receipt", { body });
    if (status === 200) return recordReply(play, sent);
    if (status < 500) {
      play.clients.failures.push(`the token of an email's button was answered ${status}`);
      return;
    }
    await world.kernel.sleep(RETRY_MS);
  }
};

/** Presses a key, and again if there is no answer, because the contact flow asks again; returns the spoken text. */
const pressKey = async ({ world, clients }: Play, { token, receipt = "" }: PushCall, key: CallKey): Promise<string> => {
  const event = {
    Name: "ContactFlowEvent",
    Details: {
      ContactData: { ContactId: "call-1", CustomerEndpoint: { Address: token }, Attributes: { token: receipt } },
      Parameters: { key },
    },
  };
  for (let round = 0; round < ATTEMPTS_MAX; round += 1) {
    const end = await world.invoke("voice", (handler) => (handler as ReturnType<typeof createVoice>)(event));
    if (end.kind === "done") return (end.value as { say: string }).say;
    await world.kernel.sleep(RETRY_MS);
  }
  clients.failures.push(`pressing the key ${key} got no answer`);
  return "";
};

const ACKNOWLEDGED_SPEECH = /^(?:Acknowledged|You have already acknowledged)/;

const acknowledgeByKey = async (play: Play, sent: PushCall): Promise<void> => {
  const said = await pressKey(play, sent, KEYS.acknowledge);
  if (ACKNOWLEDGED_SPEECH.test(said)) recordReply(play, sent);
  else if (said !== "") play.clients.failures.push(`pressing the key was answered: ${said}`);
};

const readFirstStatus = ({ world }: Play): string | undefined =>
  listItems(world, "NOTIFICATIONS")[0]?.["r"]?.L?.[0]?.M?.["s"]?.S;

const base = {
  setup: buildTwoSteps,
  expectNotified: () => [["outages|alice"]],
  minutes: 90,
} satisfies Partial<Scenario>;

const createScenario = (
  scenario: Pick<Scenario, "name" | "about" | "faultyCalls"> & { channel: "email" | "sms" | "voice"; seen: string },
  answer: (play: Play, sent: PushCall) => Promise<unknown>,
  check: (play: Play) => string[] = () => [],
): Scenario => ({
  ...base,
  ...scenario,
  play: async (play) => {
    const { clients, fixtures } = play;
    await clients.post(fixtures[0]!, { event: "site.down", title: "Down" });
    const sent = await waitForFirstAccepted(play);
    if (sent !== undefined && canReply(sent)) await answer(play, sent);
  },
  check: async (play) => {
    const found = [...(await checkStepTimes(play)), ...check(play)];
    const sent = play.world.fcm.calls.find(({ acceptedAt }) => acceptedAt !== undefined);
    // A person who was not notified in time does not reply, and the next person does.
    const isFirst = sent?.token === toDeviceId("alice-phone", scenario.channel);
    if (isFirst && canReply(sent) && readFirstStatus(play) !== "ACKNOWLEDGED")
      found.push(`after the reply, the notification is ${readFirstStatus(play)}`);
    if ((await listFiredSteps(play)).length === 0) play.world.seen.add(scenario.seen);
    return found;
  },
});

export const acknowledgedBySms = createScenario(
  {
    name: "acknowledged-by-sms",
    about: "the first recipient replies to the text message before the first escalation step; the reply comes twice",
    channel: "sms",
    faultyCalls: /^(?:sender|push|wake sender)/,
    seen: "a text message cancelled an escalation step",
  },
  replyByText,
  ({ world }) => {
    const answers = world.fcm.otherPushes.filter(
      ({ channel, notificationId }) => channel === "sms" && notificationId === "",
    );
    if (answers.length === 1) world.seen.add("a repeated reply was answered once");
    return answers.length > 1 ? [`one message got ${answers.length} answers`] : [];
  },
);

export const acknowledgedByEmail = createScenario(
  {
    name: "acknowledged-by-email",
    about: "the first recipient presses the email's button twice before the first escalation step",
    channel: "email",
    faultyCalls: /^(?:sender|push|wake sender|take-receipt|wake take-receipt)/,
    seen: "a button in an email cancelled an escalation step",
  },
  (play, sent) => runTwice(() => postLinkToken(play, sent)),
);

export const acknowledgedByCall = createScenario(
  {
    name: "acknowledged-by-call",
    about: "the first recipient presses 4 twice in the call before the first escalation step",
    channel: "voice",
    faultyCalls: /^(?:sender|push|wake sender|voice|wake voice)/,
    seen: "a key pressed in a call cancelled an escalation step",
  },
  (play, sent) => runTwice(() => acknowledgeByKey(play, sent)),
);

/** The time within which the first step comes after the key press, or after the faults. */
const NOTIFIED_WITHIN_MS = 180_000;

export const escalatedByCall: Scenario = {
  ...base,
  name: "escalated-by-call",
  about: "the first recipient presses 5 in the call three times: the next escalation step fires at once, and only once",
  channel: "voice",
  faultyCalls: /^(?:sender|push|wake sender|escalat|wake escalat|voice|wake voice)/,
  play: async (play) => {
    const { clients, world, fixtures } = play;
    await clients.post(fixtures[0]!, { event: "site.down", title: "Down" });
    const sent = await waitForFirstAccepted(play);
    if (sent === undefined || !canReply(sent)) return;
    await runTwice(() => pressKey(play, sent, KEYS.escalate));
    await world.kernel.sleep(RETRY_MS);
    await pressKey(play, sent, KEYS.escalate);
  },
  check: async (play) => {
    const { world } = play;
    const sent = world.fcm.calls.find(({ acceptedAt }) => acceptedAt !== undefined);
    // If Alice could not be called, the people of a later step may press first.
    const isHers = sent?.token === toDeviceId("alice-phone", "voice") && canReply(sent);
    if (!isHers) return [];
    const found = await checkStepTimes(play);
    const [first, ...others] = await listFiredSteps(play);
    if (countStoredEvents(world) > 0 && others.length !== 3)
      found.push(`${others.length + 1} steps fired instead of 4`);
    const notified = sent.acceptedAt ?? 0;
    const late = (first?.at ?? notified) - Math.max(notified, world.disturbedUntil());
    if (late > NOTIFIED_WITHIN_MS) found.push(`the step came ${late / 1000} s after the key press`);
    else if (first !== undefined && first.at - notified < NOTIFIED_WITHIN_MS)
      world.seen.add("a key pressed in a call fired the next step once");
    return found;
  },
};
