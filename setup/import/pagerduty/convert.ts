import type { Draft } from "../draft.ts";
import { createReader, readAllItems, RECORDS, type ExportFile, type ReadParts } from "../export-files.ts";
import { ALWAYS_HOLDS } from "../formula.ts";
import { addEscalationPolicy, type RuleRecipients } from "../escalation.ts";
import type { SourceName } from "../../../core/domain/basics/source-name.ts";
import { addBranches, createSenderFormula, type Branch, type ReachingEvents } from "../rules.ts";
import { toReachingEvents, findSourceForTool } from "../sources.ts";
import type { FileTarget } from "../../file.ts";
import { parseExpression } from "./expression.ts";
import { convertGrouping } from "./grouping.ts";
import { addUsers } from "./people.ts";
import { addSchedule } from "./schedules.ts";
import {
  OnCall,
  OrchestrationPath,
  Policy,
  Reference,
  type Router,
  type RouterRule,
  Schedule,
  Service,
  Team,
  User,
} from "./shape.ts";

const PAGERDUTY = "pagerduty";

const KINDS = {
  users: ["users", "user"],
  teams: ["teams", "team"],
  schedules: ["schedules", "schedule"],
  oncalls: ["oncalls"],
  "escalation policies": ["escalation_policies", "escalation_policy"],
  services: ["services", "service"],
  "orchestration paths": ["orchestration_path"],
  orchestrations: ["orchestrations", "event_orchestrations", "orchestration"],
  rulesets: ["rulesets", "ruleset", "rules"],
  ...RECORDS.pagerduty,
} as const;

/** Adds an escalation policy, and returns its recipients; undefined if the policy notifies nobody. */
const addPolicy = (
  draft: Draft,
  { name, num_loops, escalation_rules }: Policy,
  groups: ReadonlyMap<string, string>,
  people: ReadonlyMap<string, string>,
): RuleRecipients | undefined => {
  const what = draft.count("escalation policies", `Escalation ${name}`);
  const toTargets = (reference: Reference): FileTarget[] => {
    const { id, type = "", summary = id } = reference;
    if (type.startsWith("schedule")) {
      const group = groups.get(id);
      if (group !== undefined) return [{ group, onCallOnly: true }];
      draft.left(`${what}: schedule ${summary}`, "The export does not contain this schedule.");
      return [];
    }
    const user = people.get(id);
    if (user !== undefined) return [{ user }];
    draft.left(`${what}: ${summary}`, "The export has no user with that id.");
    return [];
  };
  let afterMinutes = 0;
  const levels = escalation_rules.map((rule) => {
    const level = { afterMinutes, targets: rule.targets.flatMap(toTargets) };
    // The delay of a level is the time before the next level.
    afterMinutes += rule.escalation_delay_in_minutes;
    if (rule.escalation_rule_assignment_strategy?.type === "round_robin")
      draft.warn(
        what,
        "PagerDuty notifies the targets of a level in turn (round robin); this service notifies all of these targets at once.",
      );
    return level;
  });
  const lastDelay = escalation_rules.at(-1)?.escalation_delay_in_minutes ?? 0;
  return addEscalationPolicy(draft, { name, levels, repeated: { times: num_loops, afterMinutes: lastDelay }, what });
};

/** The recipients and settings of a service's rule; a disabled service has no recipients. */
type ServiceTargets = Pick<Branch, "recipients" | "priorityOverride" | "grouping">;

type Integration = Service["integrations"][number];

const isDisabled = ({ status }: Service): boolean => status === "disabled";

const toPriorityOverride = ({ incident_urgency_rule: urgency }: Service): Branch["priorityOverride"] =>
  urgency?.type === "constant" && urgency.urgency === "low" ? "LOW" : null;

/** Returns the source of the key that replaces an integration, or `why` no key can replace the integration. */
const findSourceOrReason = ({
  type = "",
  summary = "",
  name = summary,
  vendor,
}: Integration): SourceName | { why: string } => {
  const kind = type.replace(/_reference$/, "");
  if (kind.includes("events_api_v2")) return PAGERDUTY;
  if (kind.includes("email"))
    return {
      why: "The integration accepts email. Let its senders use the service's key, or a key with the source of their tool.",
    };
  const source = findSourceForTool([kind, name, vendor?.summary ?? ""].join(" "));
  if (source !== undefined && source !== PAGERDUTY) return source;
  if (kind === "" || kind === "inbound_integration") return PAGERDUTY;
  return {
    why: "The senders do not use Events API v2, which the service's key accepts. Let them use Events API v2, or give them a key with a mapping (docs/sources.md).",
  };
};

/** Adds keys for a service's integrations, and returns the events that reach the service's rule. */
const addIntegrations = (draft: Draft, { name, integrations }: Service, serviceKey: string): ReachingEvents[] => {
  const reach = [toReachingEvents(PAGERDUTY, createSenderFormula([serviceKey]))];
  for (const integration of integrations) {
    const called = integration.name ?? integration.summary ?? integration.id;
    const what = draft.count("integrations", `Integration ${called} of service ${name}`);
    const as = findSourceOrReason(integration);
    if (typeof as === "object") {
      draft.left(what, as.why);
      continue;
    }
    const own = as === PAGERDUTY ? serviceKey : draft.addKey(`${name}: ${called}`, as, what);
    if (own === undefined) continue;
    draft.senders.set(integration.id, own);
    if (as !== PAGERDUTY) reach.push(toReachingEvents(as, createSenderFormula([own])));
    draft.taken(what, as === PAGERDUTY ? `key ${own} replaces this integration` : `key ${own} for the source ${as}`);
  }
  return reach;
};

/** Adds keys and a rule for a service, or reports that the service is left out. */
const addService = (draft: Draft, service: Service, targets: ServiceTargets): void => {
  const { name, incident_urgency_rule: urgency } = service;
  const what = draft.count("services", `Service ${name}`);
  if (targets.recipients === undefined) {
    draft.left(what, `The export has no escalation policy ${service.escalation_policy.id} that notifies anybody.`);
    for (const { name: called, summary = "", id } of service.integrations)
      draft.left(
        draft.count("integrations", `Integration ${called ?? (summary === "" ? id : summary)} of service ${name}`),
        "The service of this integration is not imported.",
      );
    return;
  }
  const key = draft.addKey(name, PAGERDUTY, what);
  if (key === undefined) return;
  draft.senders.set(service.id, key);
  const branch: Branch = { what, name, when: ALWAYS_HOLDS, enabled: !isDisabled(service), ...targets };
  addBranches(draft, name, addIntegrations(draft, service, key), [branch]);
  if (isDisabled(service)) draft.different(what, "The service is disabled, so its rule is disabled too.");
  if (service.status === "maintenance")
    draft.different(what, "The service is in maintenance now; its rule ignores maintenance.");
  const resolves = service.auto_resolve_timeout ?? 0;
  if (resolves > 0)
    draft.different(
      what,
      `PagerDuty resolves an alert after ${Math.round(resolves / 60)} minutes; here an alert is open until its sender or a person resolves it.`,
    );
  const ends = service.acknowledgement_timeout ?? 0;
  if (ends > 0)
    draft.different(
      what,
      `In PagerDuty an acknowledgement ends after ${Math.round(ends / 60)} minutes; here it ends only if the policy has ackMinutes.`,
    );
  if (urgency?.type === "use_support_hours") draft.different(what, "Support hours do not change the priority here.");
};

/** The recipients and settings by service id. */
type Services = ReadonlyMap<string, ServiceTargets>;

const UNROUTED = "unrouted";

/** Converts a rule of an event orchestration. `what`: the rule's name in remarks; `name`: the rule's name in the draft. */
const convertRouterRule = (what: string, name: string, rule: RouterRule, services: Services, draft: Draft): Branch => {
  const { conditions, actions } = rule;
  const route = actions.route_to ?? UNROUTED;
  const formulas = conditions.map(({ expression }) => parseExpression(expression));
  const isRead = formulas.every((formula) => formula !== undefined);
  const unread = conditions.flatMap(({ expression }, index) => (formulas[index] === undefined ? [expression] : []));
  const target = services.get(route);
  if (route !== UNROUTED && target === undefined)
    draft.different(
      what,
      `The rule routes to the service ${route}, which the export does not have, so nobody is notified.`,
    );
  else if (target?.recipients === undefined)
    draft.different(what, "The alerts of this rule notify nobody, in PagerDuty and here.");
  const isDynamic = actions.dynamic_route_to !== undefined && actions.dynamic_route_to !== null;
  return {
    what,
    name,
    ...(isRead && !isDynamic
      ? { when: formulas.length === 0 ? ALWAYS_HOLDS : { any: formulas } }
      : { when: undefined, why: isDynamic ? "the rule routes by a field of the event." : unread.join(" or ") }),
    recipients: target?.recipients,
    priorityOverride: target?.priorityOverride,
    grouping: target?.grouping,
  };
};

/** Adds a key for an event orchestration, and its rules as a chain. */
const addRouter = (draft: Draft, router: Router, name: string, services: Services): void => {
  const what = draft.count("orchestration paths", `Event orchestration ${name}`);
  const key = draft.addKey(name, PAGERDUTY, what);
  if (key === undefined) return;
  draft.senders.set(router.parent.id, key);
  draft.taken(what, `key ${key}, which replaces the orchestration's integration keys`);
  const branches = router.sets
    .flatMap((set) => set.rules)
    .flatMap((rule, index): Branch[] => {
      const label = rule.label ?? `rule ${index + 1}`;
      const called = draft.count(
        "orchestration rules",
        `${what}, ${rule.label === undefined || rule.label === null ? "" : "rule "}${label}`,
      );
      if (!rule.disabled) return [convertRouterRule(called, `${name}: ${label}`, rule, services, draft)];
      draft.left(called, "The rule is disabled.");
      return [];
    });
  const rest = router.catch_all?.actions.route_to ?? UNROUTED;
  const last = `${what}, events that no rule matches`;
  if (rest !== UNROUTED && !services.has(rest))
    draft.different(
      last,
      `These events go to the service ${rest}, which the export does not have, so nobody is notified.`,
    );
  const catchAll: Branch = {
    what: last,
    name: `${name}: the rest`,
    when: ALWAYS_HOLDS,
    recipients: undefined,
    ...services.get(rest),
  };
  addBranches(draft, name, [toReachingEvents(PAGERDUTY, createSenderFormula([key]))], [...branches, catchAll]);
};

/** Adds everything in an export of PagerDuty to the draft. `period`: the time for which schedules are imported and compared. */
export const addPagerDutyExport = (
  draft: Draft,
  files: readonly ExportFile[],
  period: { fromMs: number; toMs: number },
): void => {
  const parts = readAllItems(draft, "PagerDuty's answers", files, KINDS);
  const read: ReadParts<keyof typeof KINDS> = createReader(draft, parts);
  const users = read("users", User);
  addUsers(draft, users);
  const people = new Map(users.map(({ id, email }) => [id, email.toLowerCase()]));
  const oncalls = read("oncalls", OnCall);
  const groups = new Map<string, string>();
  // An export may contain a schedule twice: once with its layers, and once without layers in the list of all schedules.
  const schedules = new Map<string, Schedule>();
  for (const schedule of read("schedules", Schedule))
    if ((schedules.get(schedule.id)?.schedule_layers ?? undefined) === undefined) schedules.set(schedule.id, schedule);
  for (const schedule of schedules.values()) {
    const own = oncalls.filter((one) => one.schedule?.id === schedule.id);
    const group = addSchedule(draft, schedule, own, people, period);
    if (group !== undefined) groups.set(schedule.id, group);
  }
  for (const { id, summary, name = summary ?? id } of read("teams", Team)) {
    const members = users.flatMap(({ email, teams }) =>
      teams.some((team) => team.id === id) ? [email.toLowerCase()] : [],
    );
    const what = draft.count("teams", `Team ${name}`);
    if (members.length === 0) draft.left(what, "No user of the export names this team.");
    else draft.taken(what, `group ${draft.addGroup(name, members)}`);
  }
  const recipientsById = new Map<string, RuleRecipients | undefined>();
  for (const policy of read("escalation policies", Policy))
    recipientsById.set(policy.id, addPolicy(draft, policy, groups, people));
  const services = new Map<string, ServiceTargets>();
  for (const service of read("services", Service)) {
    const told: ServiceTargets = {
      recipients: recipientsById.get(service.escalation_policy.id),
      priorityOverride: toPriorityOverride(service),
      grouping: convertGrouping(draft, service),
    };
    addService(draft, service, told);
    services.set(service.id, isDisabled(service) ? { ...told, recipients: undefined } : told);
  }
  const orchestrations = new Map(read("orchestrations", Reference).map(({ id, name }) => [id, name ?? id]));
  for (const path of read("orchestration paths", OrchestrationPath)) {
    const { id } = path.parent;
    const called = orchestrations.get(id) ?? id;
    if (path.type === "router") addRouter(draft, path, called, services);
    else
      draft.left(
        draft.count("orchestration paths", `Event orchestration ${called}: its ${path.type} rules`),
        "These rules change or suppress events. Write the important rules as silences, or as conditions or priorityOverride of rules.",
      );
  }
  for (const { at } of parts.filter(({ kind }) => kind === "rulesets"))
    draft.left(
      draft.count("rulesets", at),
      "Rulesets are not imported: PagerDuty converts them to event orchestrations, which are imported.",
    );
};
