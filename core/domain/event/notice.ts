import * as v from "valibot";
import type { EventProbe } from "./probe.ts";

/*
 * A notice is an event that the service creates itself to report something. A notice notifies people without a rule,
 * and no silence covers it.
 */

/** The recipients of a notice: these members, or the workspace's owners. `unlessMatched`: only if no rule matches the event. */
export const Notice = v.object({
  to: v.optional(v.array(v.string())),
  unlessMatched: v.optional(v.boolean()),
});
export type Notice = v.InferOutput<typeof Notice>;

/** The stand-in for the rule in a notification that no rule created. No rule has this id. */
export const noticeRule = { id: "service", version: 0, name: "The service's own notices" } as const;

/** Returns whether this rule of a plan or notification represents a notice. */
export const isNoticeRule = ({ id }: { id: string }): boolean => id === noticeRule.id;

/** The reason why people were notified of an event without a rule. */
export const NoticeView = v.object({
  /** `owners`: the workspace's owners; `people`: the people concerned. */
  to: v.picklist(["owners", "people"]),
  because: v.string(),
});
export type NoticeView = v.InferOutput<typeof NoticeView>;

const toNoticeView = ({ to, unlessMatched }: Notice): NoticeView => {
  const because = unlessMatched === true ? "no rule matched the event" : "the service itself sent this notice";
  return { to: to === undefined ? "owners" : "people", because };
};

/** Returns the reason for a notice in a sentence. */
export const describeNotice = ({ to, because }: NoticeView): string =>
  `${to === "owners" ? "The owners were" : "The people responsible were"} notified because ${because}.`;

type Noted = { notice?: Notice | undefined; probe?: EventProbe | undefined };

/** Returns whether rules decide the outcome of an event. */
export const isDecidedByRules = ({ notice, probe }: Noted): boolean =>
  probe === undefined && (notice === undefined || notice.unlessMatched === true);

/** Returns why people were notified without a rule, given the ids of an event's planned rules; null if rules decided. */
export const findNotice = ({ notice }: Noted, planned: readonly string[]): NoticeView | null =>
  notice !== undefined && planned.some((id) => isNoticeRule({ id })) ? toNoticeView(notice) : null;
