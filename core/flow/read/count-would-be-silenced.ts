import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { COVERED_EVENTS_MAX } from "../../domain/basics/limits.ts";
import { toIso } from "../../domain/basics/time.ts";
import { isDecidedByRules } from "../../domain/event/notice.ts";
import { compileSilences, type Silence, type WouldHaveCovered } from "../../domain/rules/silence.ts";
import { readControl } from "../../store/events/control.ts";
import { readEventsBackwards } from "./read-backwards.ts";
import { DAY_MS } from "../../domain/basics/units.ts";

const COVERED_DAYS = 7;
/** The limits of a search, which are low because a person waits for the answer. */
const most = { ms: 2_000, readUnits: 500 };

type DraftScope = Pick<Silence, "eventKey" | "conditions" | "conditionMatch" | "weekly" | "includeUrgent">;

const unsaved = { id: "", workspaceId: "ws_" as const, name: "", version: 0, createdAt: "", updatedAt: "" };

/** Returns a draft of a silence as a silence without start and end. Keeps the draft's weekly hours. */
const toUnlimitedSilence = ({ eventKey, conditions, conditionMatch, weekly, includeUrgent }: DraftScope): Silence => ({
  ...unsaved,
  eventKey,
  conditions,
  conditionMatch,
  weekly,
  includeUrgent,
  afterwards: "tell",
  startsAt: toIso(0),
  endsAt: null,
});

/**
 * Counts the events of the last seven days that a silence would have covered, by event key, conditions and weekly hours. Uses
 * each event's own priority, because rules are not evaluated. Checks a limited number of the newest events.
 */
export const countWouldBeSilenced = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  draft: DraftScope,
): Promise<WouldHaveCovered> => {
  const { silenceOf } = compileSilences([toUnlimitedSilence(draft)]);
  const to = (await readControl(deps, ws))?.seq ?? 0;
  const from = Math.max(1, to - COVERED_EVENTS_MAX + 1);
  const since = deps.now() - COVERED_DAYS * DAY_MS;
  const counted = { events: 0, of: 0 };
  const { last, more } = await readEventsBackwards(deps, ws, { from, to, since, most }, ({ content, receivedAt }) => {
    counted.of += 1;
    const isCovered =
      isDecidedByRules(content) &&
      silenceOf({ ...content, at: receivedAt, urgent: content.priority === "URGENT" }) !== undefined;
    if (isCovered) counted.events += 1;
  });
  const reachesBack = !more && (from === 1 || last === undefined || last.seq > from);
  return { ...counted, since: toIso(reachesBack ? since : (last?.receivedAt ?? since)) };
};
