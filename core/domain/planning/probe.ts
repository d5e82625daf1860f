import * as v from "valibot";
import { toIso } from "../basics/time.ts";
import { HOUR_MS, MINUTE_MS } from "../basics/units.ts";
import type { EventContent } from "../event/event.ts";
import { probeLinks } from "../event/notices.ts";
import type { Probe, ProbedPerson, StoredProbe } from "../event/probe.ts";
import type { People, Target } from "../people/people.ts";
import type { Condition } from "../rules/matching/index.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";
import { listPossiblePeople } from "./reach.ts";

const STEP_PEOPLE_MAX = 5;

/** Returns a value that meets the condition, or undefined if no value can be derived. */
const composeValue = ({ operator, value, not = false }: Condition): string | number | undefined => {
  if (not || operator.startsWith("not_") || operator === "is_empty" || operator === "matches_regex") return undefined;
  const operand = typeof value === "object" ? value[0] : value;
  if (operator === "greater_than") return Number(operand) + 1;
  if (operator === "less_than") return Number(operand) - 1;
  return typeof operand === "boolean" ? String(operand) : (operand ?? "probe");
};

/** Composes an event that meets the rule's conditions, as far as values can be derived from the conditions. */
export const composeEvent = ({ eventKey, conditions }: Pick<RoutingRule, "eventKey" | "conditions">): EventContent => {
  const values = new Map(conditions.map((condition) => [condition.field, composeValue(condition)]));
  const readFieldText = (field: string, defaultText: string) => String(values.get(field) ?? defaultText);
  const data = [...values].flatMap(([field, value]) =>
    field.startsWith("data.") && value !== undefined ? [[field.slice("data.".length), value] as const] : [],
  );
  const sender = values.get("sender");
  const priority = v.safeParse(v.picklist(["LOW", "NORMAL", "HIGH", "URGENT"]), values.get("priority"));
  return {
    eventKey: eventKey === "*" ? "rule.probe" : eventKey.replace(/\*$/, "probe"),
    title: readFieldText("title", "Probe"),
    body: readFieldText("body", "Probe"),
    priority: priority.success ? priority.output : "NORMAL",
    ...(data.length > 0 ? { data: Object.fromEntries(data) } : {}),
    ...(sender === undefined ? {} : { sender: { id: "", name: String(sender) } }),
  };
};

/** Returns a probe's content: a copy of an event that matched the rule, without fields that would affect other events. */
export const toProbeContent = (
  { eventKey, title, body, priority, detail, data, url, sender, requiresAck }: EventContent,
  probe: Probe,
): EventContent => ({ eventKey, title, body, priority, detail, data, url, sender, requiresAck, probe });

/** Lists everybody whom the targets can notify, now or later. */
export const listTargetPeople = (targets: readonly Target[], people: People, ms: number): string[] => [
  ...new Set(targets.flatMap((target) => listPossiblePeople(target, people, ms))),
];

/** The time after which an unproven link (one of the `probeLinks`) is broken. The sweeper sends pushes only every minute. */
export const LINK_WAIT_MS = 2 * MINUTE_MS;
/** The age from which a probe sends no pushes, and its outcome is final. */
export const SETTLED_AFTER_MS = HOUR_MS;
export const Status = v.picklist(["green", "pending", "red", "none"]);
export type Status = v.InferOutput<typeof Status>;

/** The result for one of the `probeLinks`. `at`: when the link was proven. `fault`: why the link is broken. */
const LinkResult = v.object({ at: v.nullable(v.string()), fault: v.nullable(v.string()) });
type LinkResult = v.InferOutput<typeof LinkResult>;
export const Links = v.object(v.entriesFromList(probeLinks, LinkResult));
type Links = v.InferOutput<typeof Links>;

const waiting: LinkResult = { at: null, fault: null };
const createProvenResult = (ms: number): LinkResult => ({ at: toIso(ms), fault: null });
const createBrokenResult = (fault: string): LinkResult => ({ at: null, fault });

/** Returns whether a push to the person was requested after the probe was matched. */
const isPushRequestedSinceMatch = (
  { matchedAt = Infinity }: StoredProbe,
  person: ProbedPerson | undefined,
): person is ProbedPerson => person !== undefined && person.askedAt >= matchedAt;

/** Returns whom a probe checks at the time `ms`: the rule's recipients, and some people of each step of its policy. */
export const listProbedPeople = (
  { recipients, policyId = "" }: Pick<StoredProbe, "recipients" | "policyId">,
  people: People,
  ms: number,
): string[] => {
  const steps = people.policies.get(policyId)?.steps ?? [];
  return [
    ...new Set([
      ...recipients,
      ...steps.flatMap(({ targets }) => listTargetPeople(targets, people, ms).slice(0, STEP_PEOPLE_MAX)),
    ]),
  ];
};

/** Returns whether people may still get a push for the probe. */
export const isProbeRecent = ({ matchedAt = -Infinity }: StoredProbe, now: number): boolean =>
  now - matchedAt <= SETTLED_AFTER_MS;

/** Returns whether to send the person a push: the probe's first, or another because no push service accepted the last. */
export const mustSendPush = (probe: StoredProbe, person: ProbedPerson | undefined, now: number): boolean =>
  !isPushRequestedSinceMatch(probe, person) || (person.sentAt === undefined && now - person.askedAt < LINK_WAIT_MS * 2);

/** Returns whether the matcher may not have processed the probe yet. */
export const mayBeUnmatched = ({ matchedAt, acceptedAt }: StoredProbe, now: number): boolean =>
  matchedAt === undefined && now - acceptedAt < LINK_WAIT_MS;

/** Returns a stage's result: proven at the earliest of the `times`, else broken if everybody has a fault, else waiting. */
const judgeStage = (times: readonly (number | undefined)[], faults: readonly (string | undefined)[]): LinkResult => {
  const known = times.filter((at) => at !== undefined);
  if (known.length > 0) return createProvenResult(Math.min(...known));
  const [first] = faults;
  return first !== undefined && !faults.includes(undefined) ? createBrokenResult(first) : waiting;
};

/** Returns whether the probe's push was sent: proven if a push service accepted it, broken if each recipient has a fault. */
const judgeSentPush = (probe: StoredProbe, people: ReadonlyMap<string, ProbedPerson>, now: number): LinkResult => {
  const persons = probe.recipients.map((userId) => people.get(userId));
  return judgeStage(
    persons.map((person) => (isPushRequestedSinceMatch(probe, person) ? person.sentAt : undefined)),
    persons.map((person) => {
      if (!isPushRequestedSinceMatch(probe, person))
        return now - (probe.matchedAt ?? now) >= LINK_WAIT_MS ? "not_sent" : undefined;
      return person.fault ?? (now - person.askedAt >= LINK_WAIT_MS ? "not_sent" : undefined);
    }),
  );
};

/** Returns whether the probe's push was confirmed: proven if a recipient's device confirmed, broken if none did in time. */
const judgeConfirmation = (probe: StoredProbe, people: ReadonlyMap<string, ProbedPerson>, now: number): LinkResult => {
  const persons = probe.recipients
    .map((userId) => people.get(userId))
    .filter((person) => isPushRequestedSinceMatch(probe, person));
  const sent = persons.filter(({ sentAt }) => sentAt !== undefined);
  return judgeStage(
    persons.map(({ confirmedAt }) => confirmedAt),
    sent.map(({ sentAt = now }) => (now - sentAt >= LINK_WAIT_MS ? "not_confirmed" : undefined)),
  );
};

/** Returns whether each stage of a probe is proven, broken or waiting. `explainMismatch`: says why the rule did not match. */
export const judgeLinks = (
  probe: StoredProbe,
  people: ReadonlyMap<string, ProbedPerson>,
  now: number,
  explainMismatch: () => string,
): Links => {
  const { acceptedAt, matchedAt, applies, unreached, recipients, keyDeleted } = probe;
  const links = {
    accepted: keyDeleted === true ? createBrokenResult("api_key_deleted") : createProvenResult(acceptedAt),
    matched: waiting,
    recipient: waiting,
    sent: waiting,
    confirmed: waiting,
  };
  if (matchedAt === undefined)
    return now - acceptedAt < LINK_WAIT_MS ? links : { ...links, matched: createBrokenResult("not_matched") };
  if (applies !== true) return { ...links, matched: createBrokenResult(explainMismatch()) };
  const matched = createProvenResult(matchedAt);
  if (recipients.length === 0) return { ...links, matched, recipient: createBrokenResult(unreached ?? "no_recipient") };
  const sent = judgeSentPush(probe, people, now);
  return { ...links, matched, recipient: matched, sent, confirmed: judgeConfirmation(probe, people, now) };
};

/** Returns red if any part is broken, green if every part is proven, and otherwise pending. */
export const findWorstStatus = (parts: readonly Status[]): Status => {
  if (parts.includes("red")) return "red";
  return parts.every((part) => part === "green") ? "green" : "pending";
};

/** Returns the status of a probe from the results of its stages. */
export const judgeProbe = (links: Links): Status =>
  findWorstStatus(
    Object.values(links).map(({ at, fault }) => (fault === null ? (at === null ? "pending" : "green") : "red")),
  );
