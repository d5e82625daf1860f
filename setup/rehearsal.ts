import { planEvent } from "../core/domain/planning/plan-event.ts";
import { escalationTimeline } from "../core/domain/planning/timeline.ts";
import type { FrozenPolicy } from "../core/domain/escalation/escalation-policy.ts";
import type { EventContent } from "../core/domain/event/event.ts";
import { toPeople, type People } from "../core/domain/people/people.ts";
import type { RoutingRule } from "../core/domain/rules/routing-rule.ts";
import { toRuleSet } from "../core/domain/rules/rule-set.ts";
import type { Silence } from "../core/domain/rules/silence.ts";
import { toIso } from "../core/domain/basics/time.ts";
import { type FileRule, type FileSilence, peopleIn } from "./file.ts";
import { type Dictionary, toPolicy, toRule, toSchedule } from "./names.ts";
import type { SetUp } from "./write.ts";
import { MINUTE_MS } from "../core/domain/basics/units.ts";

/*
 * What an event would lead to under a set-up, by the evaluator that delivers. Without a workspace, names serve as ids.
 */

const sameNames: Dictionary = {
  person: (name) => name,
  group: (name) => name,
  policy: (name) => name,
  rule: (name) => name,
};
/** The fields of a stored resource that do not affect the outcome. */
const unsaved = { workspaceId: "", version: 0, createdAt: "", updatedAt: "" };

export const toPeopleOf = (setUp: Pick<SetUp, "groups" | "schedules" | "policies">): People =>
  toPeople({
    members: peopleIn(setUp).map((email) => ({ userId: email, name: email, email, createdAt: "" })),
    groups: setUp.groups.map(({ name }) => ({ id: name, name, workspaceId: "", createdAt: "" })),
    groupMembers: setUp.groups.flatMap(({ name, members }) => members.map((userId) => ({ groupId: name, userId }))),
    schedules: setUp.schedules.map((schedule) => ({
      ...toSchedule(schedule, sameNames),
      groupId: schedule.group,
      updatedAt: "",
    })),
    policies: setUp.policies.map((policy): FrozenPolicy => ({
      id: policy.name,
      ...toPolicy(policy, sameNames),
      repeat: policy.repeat,
    })),
  });

export const toRoutingRule = (rule: FileRule): RoutingRule => ({
  ...unsaved,
  id: rule.name,
  ...toRule(rule, sameNames),
});

const LONG_AGO = toIso(0);
const toSilence = ({ startsAt = LONG_AGO, everything: _meant, ...silence }: FileSilence): Silence => ({
  ...unsaved,
  id: silence.name,
  startsAt,
  ...silence,
});

/** A recipient: how many minutes after the event, by which rule, and by which step (from 1) of its policy. */
export type PlannedNotification = {
  person: string;
  minutes: number;
  rule: string;
  step?: { policy: string; number: number };
};

/** `silence`: the silence that covered the event, so that nobody was notified. */
export type Outcome = { matched: string[]; tellings: PlannedNotification[]; silence: string | undefined };

/** Prepares a set-up; the result says what an event at a time (milliseconds) leads to, if nobody acknowledges. */
export const rehearse = (setUp: SetUp): ((event: EventContent, at: number) => Outcome) => {
  const people = toPeopleOf(setUp);
  const ruleSet = toRuleSet(setUp.rules.map(toRoutingRule), setUp.silences.map(toSilence));
  return (event, at) => {
    const { plan } = planEvent(
      ruleSet,
      people,
      { content: event, receivedAt: at },
      { rulesVersion: 0, peopleVersion: 0 },
      at,
    );
    const matched = plan.rules.map(({ rule }) => rule.name);
    const tellings = plan.rules.flatMap(({ rule, recipients, escalation }): PlannedNotification[] => {
      const steps =
        escalation === undefined
          ? []
          : escalationTimeline(escalation, people, { at, recipients }, { hasDevice: () => true, confirm: true });
      return [
        ...recipients.map(({ userId }) => ({ person: userId, minutes: 0, rule: rule.name })),
        ...steps.flatMap(({ at: firedAt, recipients: told, cursor }) =>
          told.map(({ userId }) => ({
            person: userId,
            minutes: (firedAt - at) / MINUTE_MS,
            rule: rule.name,
            step: { policy: escalation?.name ?? "", number: cursor.step + 1 },
          })),
        ),
      ];
    });
    tellings.sort((one, other) => one.minutes - other.minutes);
    return { matched, tellings, silence: plan.silence?.name };
  };
};
