import { toIso } from "../basics/time.ts";
import { DAY_MS, HOUR_MS } from "../basics/units.ts";
import { SHADOW_CHECK_MS } from "../workspace/control.ts";
import { computeEndOfMonth, type UsagePlan } from "../workspace/usage-plan.ts";
import type { Device, FailingSince, PaidChannel } from "../device/device.ts";
import type { Channel } from "../device/channel.ts";
import { NOBODY_LINKED } from "../on-call/user-group.ts";
import type { EventContent } from "./event.ts";

/** An event that the service itself creates. A second event with the same `once` is not stored. */
export type ServiceEvent = { once: string; content: EventContent };

const TITLES_SHOWN = 5;

/** Reports events that have expired after 30 days. `round`: the hourly audit that found the expired events. */
export const createExpiredNotice = (
  round: string,
  events: readonly { eventId: string; content: Pick<EventContent, "title"> }[],
): ServiceEvent => {
  const [first] = events;
  const one = events.length === 1;
  const named = events.slice(0, TITLES_SHOWN).map(({ content }) => content.title);
  const others = events.length - named.length;
  return {
    once: `expired:${round}`,
    content: {
      eventKey: "service.event_expired",
      title: one ? "An event was open for 30 days" : `${events.length} events were open for 30 days`,
      body:
        `Nobody acknowledged or resolved ${one ? "this event, so it has" : "these events, so they have"} expired: ` +
        `${named.join("; ")}${others > 0 ? `; and ${others} more` : ""}.`,
      priority: "NORMAL",
      data: { events: events.length, first_event_id: first?.eventId ?? "" },
      notice: {},
    },
  };
};

/** The shares of the quota at which the owners are notified, in percent, highest first. */
const quotaLevels = [100, 80] as const;
export type QuotaLevel = (typeof quotaLevels)[number];

type Usage = { plan: UsagePlan; month: string; used: number };

/** Returns the number of events a month at which the usage reaches the level, a percentage. */
const computeQuotaThreshold = ({ monthlyEvents }: UsagePlan, level: QuotaLevel): number =>
  Math.ceil((monthlyEvents * level) / 100);

/** Returns the highest level that the usage has reached; undefined below the lowest level. */
export const findQuotaLevel = ({ plan, used }: Usage): QuotaLevel | undefined =>
  quotaLevels.find((level) => used >= computeQuotaThreshold(plan, level));

/** Returns the level that the usage has just reached; undefined if an earlier event reached it. */
export const findNewlyReachedQuotaLevel = (usage: Usage): QuotaLevel | undefined =>
  quotaLevels.find((level) => usage.used === computeQuotaThreshold(usage.plan, level));

/** Creates a notice that the usage reached a level of the quota, once a month for each level. */
export const createQuotaNotice = ({ plan, month, used }: Usage, level: QuotaLevel): ServiceEvent => {
  const { monthlyEvents: limit } = plan;
  const resetAt = toIso(computeEndOfMonth(month));
  const end = `The count restarts at ${resetAt}; a larger plan applies at once.`;
  return {
    once: `quota:${month}:${level}`,
    content: {
      eventKey: "service.quota",
      title: level === 100 ? "This month's events are used up" : `${level} % of this month's events are used`,
      body:
        level === 100
          ? `All ${limit} events of ${month} are used. Further events are refused, and nobody is notified of them. ${end}`
          : `${used} of the ${limit} events of ${month} are used. Beyond the limit, events are refused. ${end}`,
      priority: "HIGH",
      data: { month, percent: level, used, limit, reset_at: resetAt },
      notice: {},
    },
  };
};

/** How long before the end of a shadow the owners are notified. */
const shadowNotices = [
  { name: "hour", ms: HOUR_MS },
  { name: "day", ms: DAY_MS },
] as const;

/** Reports that a shadow ends soon, once in its last day and once in its last hour. Returns undefined before the last day. */
export const createShadowNotice = (until: number, now: number): ServiceEvent | undefined => {
  const due = shadowNotices.find(({ ms }) => now < until && until - now <= ms + SHADOW_CHECK_MS);
  if (due === undefined) return undefined;
  return {
    once: `shadow:${until}:${due.name}`,
    content: {
      eventKey: "service.shadow",
      title: "The shadow ends soon",
      body: `From ${toIso(until)} on, people are notified of events. Owners can change when the shadow ends.`,
      priority: "NORMAL",
      data: { until: toIso(until) },
      notice: {},
    },
  };
};

const usedUp = {
  sms: { things: "text messages", are: "text messages are sent" },
  voice: { things: "calls", are: "calls are made" },
} as const;

/** Reports that the month's budget of a channel is used up, once a month for each channel. */
export const createBudgetNotice = (channel: PaidChannel, month: string): ServiceEvent => {
  const resetAt = toIso(computeEndOfMonth(month));
  const { things, are } = usedUp[channel];
  return {
    once: `${channel}:${month}`,
    content: {
      eventKey: `service.${channel}`,
      title: `This month's ${things} are used up`,
      body:
        `No further ${are} for this workspace until ${resetAt}. Other devices are notified as before; people ` +
        `with only a phone number are not reached. The service's operator can raise the budget.`,
      priority: "HIGH",
      data: { month, reset_at: resetAt },
      notice: {},
    },
  };
};

/** Returns a word for the kind of device, because the device's name and address are deleted with its owner. */
const nameDeviceKind = ({ platform }: Pick<Device, "platform">): string => (platform === "web" ? "browser" : "phone");

/** Returns a notice for a device's owner. A second notice with the same `once` is not sent. */
const createDeviceNotice = (
  userId: string,
  { once, ...content }: { once: string } & Pick<EventContent, "title" | "body" | "data">,
): ServiceEvent => ({
  once,
  content: { eventKey: "service.device", priority: "HIGH", notice: { to: [userId] }, ...content },
});

/** Asks a device's owner to register the device again, because its keys are not ours; sent once per registration. */
export const createForeignDeviceNotice = (
  userId: string,
  { id, platform, registeredAt }: Pick<Device, "id" | "platform" | "registeredAt">,
): ServiceEvent => {
  const how =
    platform === "web"
      ? "Open the console in that browser and press Renew."
      : "Sign in to the app on that phone again. If that does not help, the app belongs to another service.";
  return createDeviceNotice(userId, {
    once: `device:${id}:${registeredAt}`,
    title: `Your ${nameDeviceKind({ platform })} gets no alerts: register it again`,
    body: `Pushes are refused, because this device is registered with the keys of another service. ${how}`,
    data: { device: id, registered_at: registeredAt },
  });
};

/** Reports that the owner of a phone number replied STOP; sent once per STOP. */
export const createSmsStoppedNotice = (
  userId: string,
  { id, stoppedAt }: { id: string; stoppedAt: string },
): ServiceEvent =>
  createDeviceNotice(userId, {
    once: `stopped:${id}:${stoppedAt}`,
    title: "Your phone number no longer gets text messages",
    body:
      "You answered STOP. To get text messages again, verify your number again under Devices. If no code arrives, " +
      "first send START to the number that the messages came from.",
    data: { device: id, stopped_at: stoppedAt },
  });

/** Reports an email address or phone number to which messages fail; sent once per series of failures. */
export const createFailingDeviceNotice = (
  userId: string,
  { id, email }: Pick<Device, "id" | "email">,
  { since, code }: FailingSince,
): ServiceEvent =>
  createDeviceNotice(userId, {
    once: `failing:${id}:${since}`,
    title: `Alerts do not reach your ${email === undefined ? "phone number" : "email address"}`,
    body:
      `The last message failed (${code}). For each alert, the service still tries once. Check the address or number, ` +
      "then request a new verification code under Devices.",
    data: { device: id, failing_since: since, code },
  });

/** Reports that another person registered the device; sent once per registration. */
export const createDeviceMovedNotice = (
  userId: string,
  { id, platform, registeredAt }: Pick<Device, "id" | "platform" | "registeredAt">,
): ServiceEvent =>
  createDeviceNotice(userId, {
    once: `taken:${id}:${registeredAt}`,
    title: `Your ${nameDeviceKind({ platform })} now belongs to somebody else`,
    body:
      "Another person has registered this device, so it no longer gets your alerts. If this is wrong, register it again: a " +
      "device belongs to the person who registered it last.",
    data: { device: id, registered_at: registeredAt },
  });

/** Creates a notice for the device's owner (`userId`): an owner of the workspace removed the device at `nowMs`. */
export const createDeviceRemovedNotice = (
  userId: string,
  { id, platform }: Pick<Device, "id" | "platform">,
  nowMs: number,
): ServiceEvent =>
  createDeviceNotice(userId, {
    once: `removed:${id}:${nowMs}`,
    title: `An owner removed your ${nameDeviceKind({ platform })}`,
    body: "The device no longer gets alerts of this workspace. If you still have it, register it again under Devices.",
    data: { device: id, removed_at: toIso(nowMs) },
  });

const channelNames: Readonly<Record<Channel, string>> = {
  push: "push",
  email: "email",
  sms: "text message",
  voice: "call",
};

/** Somebody who has not confirmed the reachability check, with current names. */
type UnprovenShift = {
  groupId: string;
  userId: string;
  /** In milliseconds. */
  start: number;
  ways: readonly Channel[];
  name: string;
  group: string;
  before: readonly string[];
};

/** Reports that somebody did not confirm the reachability check before a shift; sent once per shift. */
export const createUnconfirmedShiftNotice = (
  { groupId, userId, start, ways, name, group, before }: UnprovenShift,
  to: readonly string[],
): ServiceEvent => {
  const at = toIso(start);
  const tried =
    ways.length === 0
      ? "This person has no device that can confirm the reachability check."
      : `No confirmation by ${ways.map((channel) => channelNames[channel]).join(", ")}.`;
  const until = before.length === 0 ? "Nobody is on call until then." : `On call until then: ${before.join(", ")}.`;
  return {
    once: `shift:${groupId}:${userId}:${start}`,
    content: {
      eventKey: "service.shift",
      title: `${name} may not be reachable: on call in ${group} soon`,
      body: `The shift begins at ${at}. ${tried} ${until} Contact ${name} in another way, or put somebody else on call with an override.`,
      priority: "HIGH",
      data: { user: userId, group: groupId, starts_at: at },
      notice: { to: [...to] },
    },
  };
};

/** Reports that an URGENT event, or the first event of an event key, notified nobody; each at most once an hour. */
export const createNobodyNotifiedNotice = (
  { eventId, content }: { eventId: string; content: Pick<EventContent, "eventKey" | "title"> },
  outcome: "no_match" | "no_recipient",
  isUrgent: boolean,
  hour: number,
): ServiceEvent => {
  const { eventKey, title } = content;
  const why =
    outcome === "no_match"
      ? `No rule matches the event ${eventKey}.`
      : `Rules match the event ${eventKey}, but the groups of these rules have no members, or nobody on call.`;
  return {
    once: `unnoticed:${isUrgent ? "urgent" : "first"}:${hour}`,
    content: {
      eventKey: "service.unnoticed",
      title: isUrgent ? `An URGENT event notified nobody: ${title}` : `No rule matches a new event: ${title}`,
      body: `${why} There is at most one notice of this kind in an hour. The event's page shows what each rule did.`,
      priority: isUrgent ? "HIGH" : "LOW",
      data: { event: eventId, event_key: eventKey, outcome },
      notice: {},
    },
  };
};

/** Times are in milliseconds. */
type DutyMove = { name: string; lost: Span | undefined; gained: Span | undefined };
type Span = { start: number; end: number };

const MOVED_SHOWN = 5;

/** Notifies people (`to`) that somebody (`by`) changed who is on call and when (`moved`); sent once per `change`. */
export const createDutyNotice = (
  { groupId, group, by, change }: { groupId: string; group: string; by: string; change: string },
  moved: readonly DutyMove[],
  to: readonly string[],
): ServiceEvent => {
  const formatSpan = ({ start, end }: Span): string => `from ${toIso(start)} to ${toIso(end)}`;
  const sentences = moved
    .slice(0, MOVED_SHOWN)
    .flatMap(({ name, lost, gained }) => [
      ...(lost === undefined ? [] : [`${name} is not on call ${formatSpan(lost)}.`]),
      ...(gained === undefined ? [] : [`${name} is on call ${formatSpan(gained)}.`]),
    ]);
  const others = moved.length - MOVED_SHOWN;
  return {
    once: `duty:${groupId}:${change}`,
    content: {
      eventKey: "service.on_call",
      title: `${by} changed who is on call in ${group}`,
      body: `${sentences.join(" ")}${others > 0 ? ` ${others} more people are on call at other times.` : ""}`,
      priority: "NORMAL",
      data: { group: groupId, people: moved.length },
      notice: { to: [...to] },
    },
  };
};

/** What the text of a notice about a cover contains. Times are in ISO 8601. */
type CoverNotice = {
  coverId: string;
  groupId: string;
  group: string;
  start: string;
  end: string;
  inReturn: { start: string; end: string } | undefined;
  note: string | undefined;
  /** `of`: the person who has the shift. `by`: the person who requested or withdrew the cover. */
  of: string;
  /** The people who are on call during the shift instead of `of`. */
  onCall: readonly string[];
  taker: string;
  by: string;
};

const buildCoverText = (
  kind: "ask" | "made" | "remind" | "expired" | "taken" | "withdrawn",
  { group, start, end, inReturn, note, of, onCall, taker, by }: CoverNotice,
): { title: string; body: string } => {
  const shift = `the shift of ${of} in ${group} from ${start} to ${end}`;
  const swap =
    inReturn === undefined ? "" : ` In return, ${of} takes the shift from ${inReturn.start} to ${inReturn.end}.`;
  const said = note === undefined ? "" : ` Note: ${note}`;
  switch (kind) {
    case "ask":
      return {
        title: `Can you cover for ${of} in ${group}?`,
        body: `You can take ${shift} under On call.${swap}${said}`,
      };
    case "made":
      return {
        title: `${by} asks for cover for you in ${group}`,
        body: `Colleagues are asked to take ${shift}.${swap}${said}`,
      };
    case "remind":
      return {
        title: `Nobody covers ${of} in ${group} yet`,
        body: `Nobody has taken ${shift}. Until somebody takes it, ${of} stays on call.`,
      };
    case "expired":
      return { title: `Nobody took your shift in ${group}`, body: `Nobody has taken ${shift}. ${of} stays on call.` };
    case "taken":
      return { title: `${taker} covers for ${of} in ${group}`, body: `${taker} takes ${shift}.${swap}` };
    case "withdrawn":
      return {
        title: `${by} withdrew the cover for ${of} in ${group}`,
        body:
          onCall.length === 0
            ? `${of} has ${shift.replace(`the shift of ${of}`, "the shift")} again; ${taker} no longer covers it.`
            : `${taker} no longer covers ${shift}. On call: ${onCall.join(" and ")}.`,
      };
  }
};

/** Creates a notice about a cover, which has priority LOW so as not to page. A second notice with the same `name` is not sent. */
export const createCoverNotice = (
  { name, kind, to }: { name: string; kind: Parameters<typeof buildCoverText>[0]; to: readonly string[] },
  cover: CoverNotice,
): ServiceEvent => ({
  once: `cover:${cover.coverId}:${name}`,
  content: {
    eventKey: "service.cover",
    ...buildCoverText(kind, cover),
    priority: "LOW",
    data: { cover: cover.coverId, group: cover.groupId, kind },
    notice: { to: [...to] },
  },
});

/** Reports that a person has no device left; sent once per registration of the last device. */
export const createUnreachableNotice = (
  { userId, name }: { userId: string; name: string },
  { id, registeredAt }: Pick<Device, "id" | "registeredAt">,
): ServiceEvent => ({
  once: `unreachable:${id}:${registeredAt}`,
  content: {
    eventKey: "service.unreachable",
    title: `${name === "" ? userId : name} can no longer be reached`,
    body:
      "The push service no longer knows this person's last device. Until they open the app or register a browser in the " +
      "console, every notification to them fails.",
    // The notice does not page the owners, because only the person can register a device.
    priority: "LOW",
    data: { user: userId, device: id },
    notice: {},
  },
});

/** What is wrong with a receiver: it accepts nothing, is suspended, or refuses messages. */
export type DeliveryTrouble = { code: string; why?: string | undefined } & (
  | { kind: "failing"; since: number }
  | { kind: "suspended"; at: number; because: "gone" | "silent"; keptDays: number }
  | { kind: "refused"; at: number }
);

type Receiver = { id: string; name: string; kind: "webhook" | "connection" };

const nouns = {
  webhook: { noun: "Webhook", where: "Check the webhook in the console under Integrations, Webhooks." },
  connection: { noun: "Connection", where: "Check the connection in the console under Integrations, Channels." },
};

/** Returns why the receiver counts as deleted, as a sentence with a space at the end. */
const describeDeletedReceiver = ({ kind }: Receiver, code: string): string =>
  kind === "webhook" ? "The receiver answered 410 Gone. " : `All messages are refused (${code}). `;

const describeTrouble = (
  receiver: Receiver,
  trouble: DeliveryTrouble,
): Pick<EventContent, "title" | "body" | "priority"> => {
  const { noun, where } = nouns[receiver.kind];
  const how = trouble.why === undefined ? where : `${trouble.why} ${where}`;
  switch (trouble.kind) {
    case "failing":
      return {
        title: `${noun} ${receiver.name} is failing`,
        body:
          `No message has been accepted since ${toIso(trouble.since)}; the last attempt ended with ${trouble.code}. ` +
          `Messages wait in order and are sent when the receiver responds again. ${how}`,
        priority: "NORMAL",
      };
    case "suspended":
      return {
        title: `${noun} ${receiver.name} is suspended`,
        body:
          (trouble.because === "gone"
            ? describeDeletedReceiver(receiver, trouble.code)
            : `No message has been accepted for three days; the last attempt ended with ${trouble.code}. `) +
          `New messages wait in order for ${trouble.keptDays} days, and are sent when somebody changes the ${noun.toLowerCase()} or a test succeeds. ${how}`,
        priority: "HIGH",
      };
    case "refused":
      if (trouble.code === NOBODY_LINKED)
        return {
          title: `The user group of ${receiver.name} contains nobody who is on call`,
          body: `Nobody on call has linked a Slack account, so the user group keeps its former members. ${how}`,
          priority: "NORMAL",
        };
      return {
        title: `${noun} ${receiver.name} refuses messages`,
        body:
          `The same message was answered with ${trouble.code} repeatedly. That message is skipped; later messages are sent. ` +
          (receiver.kind === "webhook" ? `You can send the skipped message again. ${how}` : how),
        priority: "NORMAL",
      };
  }
};

const DAY_CHARACTERS = 10;

/** Returns a key for each series of failures, each suspension, or each day with refused messages. */
const formatTroubleKey = (trouble: DeliveryTrouble): string => {
  switch (trouble.kind) {
    case "failing":
      return `failing:${trouble.since}`;
    case "suspended":
      return `suspended:${trouble.at}`;
    case "refused":
      return `refused:${toIso(trouble.at).slice(0, DAY_CHARACTERS)}`;
  }
};

/** Reports a receiver's trouble: once per series of failures, and once a day for refused messages. */
export const createDeliveryNotice = (receiver: Receiver, trouble: DeliveryTrouble): ServiceEvent => ({
  once: `${receiver.kind}:${receiver.id}:${formatTroubleKey(trouble)}`,
  content: {
    eventKey: `service.${receiver.kind}`,
    ...describeTrouble(receiver, trouble),
    data: { [receiver.kind]: receiver.id, trouble: trouble.kind, code: trouble.code },
    notice: {},
  },
});

/** The links that must work, in order, so that a rule's event reaches a person. A probe tests each link. */
export const probeLinks = ["accepted", "matched", "recipient", "sent", "confirmed"] as const;

/** A failed probe. `link`: the first of the `probeLinks` that is broken; for an escalation policy, `steps`. */
export type RedProbe = {
  mark: string;
  name: string;
  link: (typeof probeLinks)[number] | "steps";
  fault: string | undefined;
};

const brokenLinks: Readonly<Record<RedProbe["link"], string>> = {
  accepted: "the API key of the last event was deleted. Create a key for that sender.",
  matched: "the last event no longer matches the rule. Check the rule's pattern, conditions, chain and active hours.",
  recipient: "the rule has no recipient. Add people to the rule's groups, or put somebody on call.",
  sent: "no push service accepted a push to the rule's recipients. They must register a device.",
  confirmed: "no recipient's device confirmed a push. Recipients must open the app, or register their device again.",
  steps: "no device confirmed the push of an escalation step. Check the people of that step and their devices.",
};

/** Reports the probes that failed in a check, once per check. `check`: the check's number. */
export const createProbeNotice = (check: number, failedProbes: readonly RedProbe[]): ServiceEvent => {
  const named = failedProbes
    .slice(0, TITLES_SHOWN)
    .map(({ name, link, fault }) => `${name}: ${brokenLinks[link]}${fault === undefined ? "" : ` (${fault})`}`);
  const others = failedProbes.length - named.length;
  return {
    once: `probes:${check}`,
    content: {
      eventKey: "service.probe",
      title:
        failedProbes.length === 1
          ? `A probe failed: ${failedProbes[0]?.name ?? ""}`
          : `${failedProbes.length} probes failed`,
      body: `${named.join(" ")}${others > 0 ? ` ${others} more failed.` : ""} Each rule's page shows the result of its probe.`,
      priority: "NORMAL",
      data: { probes: failedProbes.length },
      notice: {},
    },
  };
};
