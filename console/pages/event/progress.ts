import { ignoreFailed } from "../../app/failure.ts";
import { createTimedCache } from "../../app/timed-cache.ts";
import type { Api } from "../../app/api.ts";
import type { Answers } from "../../app/types.ts";
import { MINUTE_MS } from "../../../core/domain/basics/units.ts";
import { unmatchedReasons } from "../../../core/domain/planning/unmatched.ts";

type Explanation = Answers["EventExplanation"];
type NextStep = NonNullable<NonNullable<Explanation["rules"][number]["escalation"]>["next"]>;
/** The next steps if nobody acknowledges, earliest first. */
export type UpcomingSteps = readonly NextStep[];
type InGroup = Pick<Explanation["rules"][number], "id" | "name"> & {
  group: NonNullable<Explanation["rules"][number]["group"]>;
};
export type EventProgress = {
  upcoming: UpcomingSteps;
  inGroups: readonly InGroup[];
  onCall: readonly Answers["GroupOnCallNow"][];
};

/** Explanations are cached, because an explanation costs many reads and the page is read every few seconds. */
const fresh = createTimedCache<EventProgress>(MINUTE_MS);

/** Lists the next steps of escalations that nobody has acknowledged, earliest first. */
const listNextEscalations = ({ rules }: Explanation): NextStep[] =>
  rules
    .flatMap(({ escalation }) => (escalation?.acknowledged === false ? (escalation.next ?? []) : []))
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));

const listGroupingRules = ({ rules }: Explanation): InGroup[] =>
  rules.flatMap(({ id, name, group }) => (group === null ? [] : [{ id, name, group }]));

const UNMATCHED: ReadonlySet<string> = new Set(unmatchedReasons);

/** Returns who is on call in the groups of matching rules. */
const readOnCall = async (api: Api, { rules }: Explanation): Promise<EventProgress["onCall"]> => {
  const matched = rules.filter(({ reason }) => !UNMATCHED.has(reason));
  const groupIds = new Set(matched.flatMap(({ groups }) => groups.map(({ groupId }) => groupId)));
  if (groupIds.size === 0) return [];
  const now = await api("on-call/list-on-call-now", {});
  return now.filter(({ groupId, hasSchedule }) => hasSchedule && groupIds.has(groupId));
};

/** Reads an event's next escalations and groups. If reading fails, returns empty lists, so that the event can still be shown. */
export const readProgress = (
  { api, me }: { api: Api; me: string },
  eventId: string,
  state: string,
): Promise<EventProgress> =>
  fresh(`${eventId} ${state}`, async () => {
    const why = await api("events/explain-event", { path: { eventId }, query: { userId: me } });
    return { upcoming: listNextEscalations(why), inGroups: listGroupingRules(why), onCall: await readOnCall(api, why) };
  }).catch((error: unknown) => {
    ignoreFailed(error);
    return { upcoming: [], inGroups: [], onCall: [] };
  });
