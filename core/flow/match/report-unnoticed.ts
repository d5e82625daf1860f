import { HOUR_MS } from "../../domain/basics/units.ts";
import { isDecidedByRules } from "../../domain/event/notice.ts";
import { judgeOutcome } from "../../domain/event/event-view.ts";
import { createNobodyNotifiedNotice } from "../../domain/event/notices.ts";
import type { PlannedEvent } from "../../domain/event/stored-event.ts";
import { createOwnIngest, type IngestDeps } from "../ingest/ingest-event.ts";

const REMEMBERED_NOTICES = 1_000;
/** The version of the rules in a workspace that has never had a rule, silence, webhook or connection. */
const FIRST_RULES_VERSION = 1;

/** Returns a function that notifies owners, at most hourly, if an URGENT event or the first of an event key notified nobody. */
export const createUnnotifiedReporter = (deps: IngestDeps) => {
  const ingest = createOwnIngest(deps);
  const notified = new Set<string>();
  return async (event: PlannedEvent, isFirst: boolean): Promise<void> => {
    const { workspaceId, content, plan, notifications, rulesVersion, shadow } = event;
    // An event that resolves another event need not match a rule, because the recipients of the resolved event are notified.
    const isEnd = content.resolves !== undefined;
    if (!isDecidedByRules(content) || content.notice !== undefined || isEnd || notifications > 0 || shadow === true)
      return;
    const outcome = judgeOutcome(plan, []);
    const escalates =
      typeof plan.body !== "string" && plan.body.rules.some(({ escalation }) => escalation !== undefined);
    const isUnnoticed = outcome === "no_match" || (outcome === "no_recipient" && !escalates);
    const isUrgent = content.priority === "URGENT";
    const isNewKey = isFirst && outcome === "no_match" && rulesVersion > FIRST_RULES_VERSION;
    if (!isUnnoticed || !(isUrgent || isNewKey)) return;
    const hour = Math.floor(deps.now() / HOUR_MS);
    const notice = createNobodyNotifiedNotice(event, outcome, isUrgent, hour);
    const name = `${workspaceId} ${notice.once}`;
    if (notified.has(name)) return;
    try {
      await ingest({ workspaceId, ...notice });
      if (notified.size >= REMEMBERED_NOTICES) notified.clear();
      notified.add(name);
    } catch (error) {
      deps.log.error("event.unnotified_not_reported", error, { workspaceId, eventId: event.eventId });
    }
  };
};
