import * as v from "valibot";
import type { EventProbe } from "./probe.ts";

/* The service itself creates notices. A notice notifies people without a rule, and silences do not apply to it. */

/** Whom a notice notifies. `to`: by default, the owners. `unlessMatched`: only if no rule matches the event. */
export const Notice = v.object({ to: v.optional(v.array(v.string())), unlessMatched: v.optional(v.boolean()) });
export type Notice = v.InferOutput<typeof Notice>;

/** What a notice has instead of a rule. No rule has the id `service`. */
export const noticeRule = { id: "service", version: 0, name: "The service's own notices" } as const;

export const isNoticeRule = ({ id }: { id: string }): boolean => id === noticeRule.id;

export const NoticeView = v.object({ to: v.picklist(["owners", "people"]), because: v.string() });
export type NoticeView = v.InferOutput<typeof NoticeView>;

const toNoticeView = ({ to, unlessMatched }: Notice): NoticeView => {
  const because = unlessMatched === true ? "no rule matched the event" : "the service itself sent this notice";
  return { to: to === undefined ? "owners" : "people", because };
};

/** Returns, for example, "The owners were notified because no rule matched the event." */
export const describeNotice = ({ to, because }: NoticeView): string =>
  `${to === "owners" ? "The owners were" : "The people responsible were"} notified because ${because}.`;

type NoticeOrProbe = { notice?: Notice | undefined; probe?: EventProbe | undefined };

/** Returns whether rules may decide whom the event notifies. */
export const isDecidedByRules = ({ notice, probe }: NoticeOrProbe): boolean =>
  probe === undefined && (notice === undefined || notice.unlessMatched === true);

/** Returns why the notice notified people; null if rules decided. `plannedRuleIds`: the rules in the event's plan. */
export const explainNotice = ({ notice }: NoticeOrProbe, plannedRuleIds: readonly string[]): NoticeView | null =>
  notice !== undefined && plannedRuleIds.some((id) => isNoticeRule({ id })) ? toNoticeView(notice) : null;
