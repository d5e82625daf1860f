import type { SourceName } from "../../../core/domain/basics/source-name.ts";
import { GROUP_FIELDS_MAX, GROUP_MINUTES_MAX } from "../../../core/domain/rules/grouping.ts";
import type { Draft } from "../draft.ts";
import { ALWAYS_HOLDS, type Formula } from "../formula.ts";
import type { RuleRecipients } from "../escalation.ts";
import { addBranches, createSenderFormula, type Branch, type Grouping } from "../rules.ts";
import { toReachingEvents, findSourceForTool } from "../sources.ts";
import type { Integration, Route } from "./shape.ts";
import { listTemplateFields, templateToFormula } from "./template.ts";

/** The kinds of integrations to which no program sends alerts, so that no key replaces them. */
const NOT_SENT: readonly string[] = ["inbound_email", "direct_paging", "manual", "maintenance", "slack_channel"];

/** Expressions that match every alert. */
const EVERYTHING: readonly string[] = ["", ".*", ".+"];

/** Returns the condition of a route, or why no rule can express the condition. */
const convertRoute = (route: Route, source: SourceName | undefined): { when: Formula } | { why: string } => {
  const said = (route.routing_regex ?? "").trim();
  if (route.is_the_last_route) return { when: ALWAYS_HOLDS };
  if (route.routing_type === "jinja2") {
    const when = templateToFormula(said, source);
    return when === undefined ? { why: `the template ${said}` } : { when };
  }
  if (route.routing_type !== "regex") return { why: `the type of the route is ${route.routing_type}.` };
  if (EVERYTHING.includes(said)) return { when: ALWAYS_HOLDS };
  return { why: `the expression ${said}, which OnCall searches for in the JSON of the whole alert.` };
};

/** Converts a grouping by template to a grouping by fields; undefined without a template, or if no fields can replace it. */
const convertGrouping = (
  draft: Draft,
  what: string,
  { templates }: Integration,
  source: SourceName | undefined,
): Grouping | undefined => {
  const template = templates?.grouping_key?.trim() ?? "";
  if (template === "") return undefined;
  const groupBy = listTemplateFields(template, source);
  if (groupBy === undefined || groupBy.length > GROUP_FIELDS_MAX) {
    draft.left(`${what}: its grouping`, `A rule groups by at most ${GROUP_FIELDS_MAX} fields, not by ${template}`);
    return undefined;
  }
  draft.taken(`${what}: its grouping`, `groupBy ${groupBy.join(", ")} on its rules`);
  draft.different(
    `${what}: its grouping`,
    "OnCall groups alerts until somebody resolves the alert group; here a rule groups for at most a day, and an alert of a higher priority pages.",
  );
  return { groupBy, groupMinutes: GROUP_MINUTES_MAX };
};

/** Adds a key for an integration and a chain of rules for its routes, or reports that the integration is left out. */
export const addIntegration = (
  draft: Draft,
  integration: Integration,
  routes: readonly Route[],
  recipientsByChain: ReadonlyMap<string, RuleRecipients | undefined>,
): void => {
  const { id, name, type } = integration;
  const called = name ?? id;
  const what = draft.count("integrations", `Integration ${called}`);
  if (NOT_SENT.includes(type)) {
    draft.left(what, `No program sends to this integration (${type}).`);
    for (const route of routes)
      draft.left(
        draft.count("routes", `Route ${route.id} of ${called}`),
        "No program sends to the integration of this route.",
      );
    return;
  }
  const source = findSourceForTool(type);
  const key = draft.addKey(called, source, what);
  if (key === undefined) return;
  draft.senders.set(id, key);
  draft.taken(what, `key ${key}, whose URL replaces the integration's URL`);
  if (source === undefined)
    draft.different(
      what,
      `No source here accepts the messages of ${type}: let the tool POST /v1/events with the key, and with its previous payload as data.`,
    );
  const grouping = convertGrouping(draft, what, integration, source);
  const inOrder = routes.toSorted(
    (one, other) => Number(one.is_the_last_route) - Number(other.is_the_last_route) || one.position - other.position,
  );
  const branches = inOrder.map((route): Branch => {
    const said = route.routing_regex ?? "";
    const label = route.is_the_last_route ? "default" : said === "" ? route.id : said;
    const recipients = recipientsByChain.get(route.escalation_chain_id ?? "");
    const read = convertRoute(route, source);
    const named = draft.count("routes", `Route ${label} of ${called}`);
    const branch = { what: named, name: `${called}: ${label}`, recipients, grouping };
    if (recipients === undefined)
      draft.different(named, "In the export, this route has no escalation chain, or its chain notifies nobody.");
    return "when" in read ? { ...branch, when: read.when } : { ...branch, when: undefined, why: read.why };
  });
  if (branches.length === 0)
    draft.missing(
      `${what}: its routes`,
      "The export has no routes of this integration, so nobody is notified through it.",
    );
  addBranches(draft, called, [toReachingEvents(source, createSenderFormula([key]))], branches);
};
