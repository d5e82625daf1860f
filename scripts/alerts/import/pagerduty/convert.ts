import type { Draft } from "../draft.ts";
import { partsOf, readerOf, type ExportFile, type Reader } from "../export-files.ts";
import { addLadder, type Ladder } from "../ladder.ts";
import { addRule, conditionsOf, resourceFor } from "../rules.ts";
import type { FileTarget } from "../../file.ts";
import { conditionsOfExpression } from "./expression.ts";
import { addSchedule } from "./schedules.ts";
import { Policy, type Reference, Router, Schedule, Service, Team, User } from "./shape.ts";

const KINDS = {
  users: ["users", "user"],
  teams: ["teams", "team"],
  schedules: ["schedules", "schedule"],
  policies: ["escalation_policies", "escalation_policy"],
  services: ["services", "service"],
  routers: ["orchestration_path"],
  rulesets: ["rulesets", "ruleset", "rules"],
} as const;

const addPolicy = (
  draft: Draft,
  { name, num_loops, escalation_rules }: Policy,
  groups: ReadonlyMap<string, string>,
  people: ReadonlyMap<string, string>,
): Ladder | undefined => {
  const what = `Escalation ${name}`;
  const targetOf = (reference: Reference): FileTarget[] => {
    const { id, type = "", summary = id } = reference;
    if (type.startsWith("schedule")) {
      const group = groups.get(id);
      if (group !== undefined) return [{ group, onCallOnly: true }];
      draft.left(`${what}: schedule ${summary}`, "The export has no such schedule.");
      return [];
    }
    const user = people.get(id);
    if (user !== undefined) return [{ user }];
    draft.left(`${what}: ${summary}`, "The export has no user with that id.");
    return [];
  };
  let afterMinutes = 0;
  const levels = escalation_rules.map((rule) => {
    const level = { afterMinutes, targets: rule.targets.flatMap(targetOf) };
    // The delay of a level comes after it, before the next one.
    afterMinutes += rule.escalation_delay_in_minutes;
    if (rule.escalation_rule_assignment_strategy?.type === "round_robin")
      draft.different(what, "A level that takes turns by round robin tells all of its targets.");
    return level;
  });
  const lastDelay = escalation_rules.at(-1)?.escalation_delay_in_minutes ?? 0;
  return addLadder(draft, { name, levels, again: { times: num_loops, afterMinutes: lastDelay } });
};

const addService = (draft: Draft, service: Service, ladder: Ladder | undefined): void => {
  const what = `Service ${service.name}`;
  if (ladder === undefined) {
    draft.left(what, `The export has no escalation policy ${service.escalation_policy.id} that tells anybody.`);
    return;
  }
  const resource = resourceFor(service.name);
  const urgency = service.incident_urgency_rule;
  const rule = addRule(draft, service.name, ladder, {
    eventKey: `${resource}.*`,
    enabled: service.status !== "disabled",
    ...(urgency?.type === "constant" && urgency.urgency === "low" ? { priorityOverride: "LOW" as const } : {}),
  });
  draft.taken(what, `rule ${rule}`);
  draft.different(
    what,
    `The rule is for events with the key ${resource}.<action>: let the service's senders use it, or write the condition by which their events are known.`,
  );
  if (urgency?.type === "use_support_hours") draft.different(what, "Support hours do not change the priority.");
};

const addRouter = (
  draft: Draft,
  router: Router,
  ladders: ReadonlyMap<string, { ladder: Ladder; name: string }>,
): void => {
  const what = "Event orchestration";
  const rules = router.sets.flatMap((set) => set.rules);
  for (const [index, { label, disabled, conditions, actions }] of rules.entries()) {
    const called = `${what}, rule ${label ?? index + 1}`;
    const target = ladders.get(actions.route_to ?? "");
    if (target === undefined) {
      draft.left(called, "It routes to no service of the export that tells anybody.");
      continue;
    }
    // Several conditions are alternatives: each becomes a rule.
    const alternatives = conditions.length === 0 ? [{ expression: "" }] : conditions;
    for (const { expression } of alternatives) {
      const drafts = expression === "" ? [] : conditionsOfExpression(expression);
      const read = drafts === undefined ? undefined : conditionsOf(drafts);
      if (read === undefined || "fault" in read) {
        draft.left(called, `Its condition cannot be written as one of ours: ${expression} ${read?.fault ?? ""}`.trim());
        continue;
      }
      const rule = addRule(draft, label ?? `To ${target.name}`, target.ladder, {
        eventKey: "pagerduty.firing",
        conditions: read.conditions,
        enabled: !disabled,
      });
      draft.taken(called, `rule ${rule}`);
    }
  }
  if (rules.length > 1)
    draft.different(what, "There the first rule that matches decides; here every rule that matches tells its people.");
  if (typeof router.catch_all?.actions.route_to === "string" && router.catch_all.actions.route_to !== "unrouted")
    draft.left(`${what}, what no rule matches`, "No rule here can say: where no other one matches.");
};

/** Reads PagerDuty's answers into a draft. */
export const fromPagerDuty = (
  draft: Draft,
  files: readonly ExportFile[],
  window: { fromMs: number; toMs: number },
): void => {
  const { parts, unknown } = partsOf(files, KINDS);
  for (const path of unknown) draft.left(path, "Nothing that is known of PagerDuty's answers is in it.");
  const read: Reader<keyof typeof KINDS> = readerOf(parts);
  const users = read("users", User);
  const people = new Map(users.map(({ id, email }) => [id, email.toLowerCase()]));
  const groups = new Map<string, string>();
  for (const schedule of read("schedules", Schedule))
    groups.set(schedule.id, addSchedule(draft, schedule, people, window));
  for (const { id, summary, name = summary ?? id } of read("teams", Team)) {
    const members = users.flatMap(({ email, teams }) =>
      teams.some((team) => team.id === id) ? [email.toLowerCase()] : [],
    );
    if (members.length === 0) draft.left(`Team ${name}`, "No user of the export names it among the teams.");
    else draft.taken(`Team ${name}`, `group ${draft.addGroup(name, members)}`);
  }
  const ladders = new Map<string, Ladder | undefined>();
  for (const policy of read("policies", Policy)) ladders.set(policy.id, addPolicy(draft, policy, groups, people));
  const services = new Map<string, { ladder: Ladder; name: string }>();
  for (const service of read("services", Service)) {
    const ladder = ladders.get(service.escalation_policy.id);
    addService(draft, service, ladder);
    if (ladder !== undefined) services.set(service.id, { ladder, name: service.name });
  }
  for (const router of read("routers", Router)) addRouter(draft, router, services);
  for (const { at } of parts.filter(({ kind }) => kind === "rulesets"))
    draft.left(at, "Rulesets are not read: PagerDuty turns them into event orchestrations, which are.");
};
