import { isHeldByGroup } from "../core/domain/delivery/delivery-plan.ts";
import { planEvent } from "../core/domain/planning/plan-event.ts";
import type { createGroupingSimulator } from "../core/domain/planning/storm.ts";
import { simulateEscalation } from "../core/domain/planning/timeline.ts";
import type { FrozenPolicy } from "../core/domain/escalation/escalation-policy.ts";
import type { EventContent } from "../core/domain/event/event.ts";
import type { NotificationRules, ScheduledStep } from "../core/domain/people/notification-rules.ts";
import { scheduleRecipientSteps, buildPeople, type People } from "../core/domain/people/people.ts";
import type { Recipient } from "../core/domain/people/recipient.ts";
import type { RoutingRule } from "../core/domain/rules/routing-rule.ts";
import { toRuleSet } from "../core/domain/rules/rule-set.ts";
import type { Silence } from "../core/domain/rules/silence.ts";
import { toIso } from "../core/domain/basics/time.ts";
import { type FileRule, type FileSilence, listPeople } from "./file.ts";
import { type NameLookup, toPolicy, toRule, toSchedule } from "./names.ts";
import type { SetUp } from "./write.ts";
import { MINUTE_MS } from "../core/domain/basics/units.ts";

/* Simulates an event under a setup, by the code that plans real events. Names serve as ids, because there is no workspace. */

const sameNames: NameLookup = {
  person: (name) => name,
  group: (name) => name,
  policy: (name) => name,
  rule: (name) => name,
};
/** Fields of stored items that do not affect the outcome. */
const unsaved = { workspaceId: "ws_" as const, version: 0, createdAt: "", updatedAt: "" };

type SetUpWithPeople = Pick<SetUp, "groups" | "schedules" | "policies"> & Partial<Pick<SetUp, "floors" | "people">>;

/** Returns the people of a setup for a simulation, with names as ids. `ownRules`: people's own notification rules. */
export const convertToPeople = (setUp: SetUpWithPeople, ownRules: readonly NotificationRules[] = []): People =>
  buildPeople({
    notificationRules: ownRules,
    urgentFloor: setUp.floors?.map(({ ways, withinMinutes }) => ({ ways, withinMinutes }))[0] ?? null,
    members: listPeople(setUp).map((email) => ({ userId: email, name: email, email, createdAt: "" })),
    groups: setUp.groups.map(({ name }) => ({ id: name, name, workspaceId: "ws_", createdAt: "" })),
    groupMembers: setUp.groups.flatMap(({ name, members }) => members.map((userId) => ({ groupId: name, userId }))),
    schedules: setUp.schedules.map((schedule) => ({
      ...toSchedule(schedule, sameNames),
      groupId: schedule.group,
      updatedAt: "",
    })),
    overrides: setUp.schedules.flatMap(({ group, overrides = [] }) =>
      overrides.map(({ person, start, end }, index) => ({
        id: `ovr_${index}`,
        groupId: group,
        userId: person,
        start,
        end,
        createdAt: "",
      })),
    ),
    policies: setUp.policies.map((policy): FrozenPolicy => ({
      id: policy.name,
      ...toPolicy(policy, sameNames),
      repeat: policy.repeat,
    })),
  });

/** Returns a rule of a file as the service would store it, with names as ids. */
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

/** `minutes`: after the event; `step`: of the policy, from 1. `pages`: the person's steps; if undefined, all devices at once. */
export type PlannedNotification = {
  person: string;
  minutes: number;
  rule: string;
  step?: { policy: string; number: number };
  pages?: ScheduledStep[] | undefined;
};

/** `silence`: the name of the matching silence. `joined`: rules that a group of events or a threshold keeps from notifying. */
export type Outcome = {
  matched: string[];
  notifications: PlannedNotification[];
  silence: string | undefined;
  joined: string[];
};

/** Returns a function that simulates an event that nobody acknowledges. `applyGroupDecisions`: applies groups and thresholds. */
export const createSimulator = (
  setUp: SetUp,
  ownRules: readonly NotificationRules[] = [],
  applyGroupDecisions?: ReturnType<typeof createGroupingSimulator>,
): ((event: EventContent, at: number, eventId?: string) => Outcome) => {
  const people = convertToPeople(setUp, ownRules);
  const ruleSet = toRuleSet(setUp.rules.map(toRoutingRule), setUp.silences.map(toSilence));
  return (event, at, eventId = "") => {
    const made = planEvent(
      ruleSet,
      people,
      { content: event, receivedAt: at },
      { rulesVersion: 0, peopleVersion: 0 },
      at,
    );
    const { plan } = applyGroupDecisions?.(made, { eventId, seq: 0, receivedAt: at }) ?? made;
    const matched = plan.rules.map(({ rule }) => rule.name);
    const notifications = plan.rules.flatMap(({ rule, recipients, escalation, priority, requiresAck }) => {
      const listPages = (person: Recipient, fromMs: number): Pick<PlannedNotification, "pages"> =>
        ownRules.length === 0
          ? {}
          : { pages: scheduleRecipientSteps(people, person, { priority, requiresAck, at: fromMs }) };
      const steps =
        escalation === undefined
          ? []
          : simulateEscalation(escalation, people, { at, recipients }, { hasDevice: () => true, confirm: true });
      return [
        ...recipients.map((one): PlannedNotification => ({
          person: one.userId,
          minutes: 0,
          rule: rule.name,
          ...listPages(one, at),
        })),
        ...steps.flatMap(({ at: firedAt, recipients: told, cursor }) =>
          told.map((one): PlannedNotification => ({
            person: one.userId,
            minutes: (firedAt - at) / MINUTE_MS,
            rule: rule.name,
            step: { policy: escalation?.name ?? "", number: cursor.step + 1 },
            ...listPages(one, firedAt),
          })),
        ),
      ];
    });
    notifications.sort((one, other) => one.minutes - other.minutes);
    return {
      matched,
      notifications,
      silence: plan.silence?.name,
      joined: (plan.groups ?? []).filter(isHeldByGroup).flatMap(({ rule }) => matched[rule] ?? []),
    };
  };
};
