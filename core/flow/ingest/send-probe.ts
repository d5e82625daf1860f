import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { computeStartOfNextInterval } from "../../domain/basics/time.ts";
import { MINUTE_MS } from "../../domain/basics/units.ts";
import type { EventContent } from "../../domain/event/event.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import { composeEvent, toProbeContent } from "../../domain/planning/probe.ts";
import type { RoutingRule } from "../../domain/rules/routing-rule.ts";
import { readControl } from "../../store/events/control.ts";
import { listEventsBetween } from "../../store/events/events.ts";
import { readApiKey } from "../../store/people/api-keys.ts";
import { putProbe, readProbe } from "../../store/schedules/probes.ts";
import { putDueCheck } from "../../store/schedules/reachability-checks.ts";
import { createOwnIngest, type IngestDeps } from "./ingest-event.ts";
import { refuseTooSoon } from "../too-soon.ts";

/** How many of the newest events are searched for an example. */
const EXAMPLES_SEARCHED = 200;
const PAUSE_BETWEEN_PROBES_MS = MINUTE_MS;

export const listNewestEvents = async (deps: IngestDeps, ws: WorkspaceId): Promise<StoredEvent[]> => {
  const to = (await readControl(deps, ws))?.seq ?? 0;
  return listEventsBetween(deps, ws, { from: Math.max(1, to - EXAMPLES_SEARCHED + 1), to });
};

const findContentMatchedByRule = (events: readonly StoredEvent[], ruleId: string): EventContent | undefined =>
  events.find(
    ({ plan }) =>
      plan !== undefined && typeof plan.body !== "string" && plan.body.rules.some(({ rule }) => rule.id === ruleId),
  )?.content;

const isKeyDeleted = async (deps: IngestDeps, ws: WorkspaceId, { sender }: EventContent): Promise<boolean> =>
  sender?.id.startsWith("key_") === true && (await readApiKey(deps, ws, sender.id)) === undefined;

const requirePauseBetweenProbes = async (deps: IngestDeps, ws: WorkspaceId, ruleId: string): Promise<void> => {
  const before = (await readProbe(deps, ws, ruleId))?.acceptedAt ?? -Infinity;
  const pauseMs = before + PAUSE_BETWEEN_PROBES_MS - deps.now();
  if (pauseMs <= 0) return;
  throw refuseTooSoon("probe", pauseMs);
};

/** Sends a probe: a copy of the newest of the `recent` events that matched the rule, else an event that fits its conditions. */
export const sendProbeEvent = async (
  deps: IngestDeps,
  rule: RoutingRule,
  recent: readonly StoredEvent[],
): Promise<{ eventId: string }> => {
  const { id: ruleId, workspaceId: ws } = rule;
  const example = findContentMatchedByRule(recent, ruleId);
  const probe = {
    ruleId,
    ...(example === undefined ? { composed: true as const } : {}),
    ...(example !== undefined && (await isKeyDeleted(deps, ws, example)) ? { keyDeleted: true as const } : {}),
  };
  // The time is read first, because the matcher may store its result before this request stores the probe.
  const acceptedAt = deps.now();
  const content = toProbeContent(example ?? composeEvent(rule), probe);
  const made = await createOwnIngest(deps)({ workspaceId: ws, content, once: `probe:${deps.newId("req")}` });
  if (made === undefined) throw new Error(`the probe of ${ruleId} is sent by another request`);
  await putProbe(deps, ws, { ...probe, eventId: made.eventId, acceptedAt, recipients: [] });
  return { eventId: made.eventId };
};

/** Sends a probe of a rule, and schedules the check of its confirmations. Throws `rate_limited` soon after another probe. */
export const sendProbe = async (deps: IngestDeps, rule: RoutingRule): Promise<{ eventId: string }> => {
  const { id: ruleId, workspaceId: ws } = rule;
  await requirePauseBetweenProbes(deps, ws, ruleId);
  const sent = await sendProbeEvent(deps, rule, await listNewestEvents(deps, ws));
  await putDueCheck(deps, { ws, due: computeStartOfNextInterval(deps.now(), MINUTE_MS) });
  return sent;
};
