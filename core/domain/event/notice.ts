import * as v from "valibot";

/*
 * A notice is an event that the service creates itself to report something. Its people are notified without any
 * rule, and no silence covers it.
 */

/** Whom a notice notifies: these members, or the workspace's owners. `unlessMatched`: only if no rule matches the event. */
export const Notice = v.object({
  to: v.optional(v.array(v.string())),
  unlessMatched: v.optional(v.boolean()),
});
export type Notice = v.InferOutput<typeof Notice>;

/** Used in place of the rule in a notification that no rule has made. No rule has this id. */
export const noticeRule = { id: "service", version: 0, name: "The service's own notices" } as const;

/** Whether a plan's rule, or a notification's, is a notice and not a rule. */
export const isNotice = ({ id }: { id: string }): boolean => id === noticeRule.id;

/** Why people were notified of an event although no rule names them. */
export const NoticeView = v.object({
  /** `owners`: of the workspace; `people`: those concerned. */
  to: v.picklist(["owners", "people"]),
  because: v.string(),
});
export type NoticeView = v.InferOutput<typeof NoticeView>;

const toNoticeView = ({ to, unlessMatched }: Notice): NoticeView => {
  const because = unlessMatched === true ? "no rule matched it" : "the service has a notice";
  return { to: to === undefined ? "owners" : "people", because };
};

/** As a sentence. */
export const sayNotice = ({ to, because }: NoticeView): string =>
  `${to === "owners" ? "The owners were" : "The people responsible were"} notified because ${because}.`;

type Noted = { notice?: Notice | undefined };

/** Whether rules affect the outcome of an event. */
export const asksRules = ({ notice }: Noted): boolean => notice === undefined || notice.unlessMatched === true;

/** Why people were notified without a rule, given the ids of an event's planned rules; null if rules decided. */
export const noticeOf = ({ notice }: Noted, planned: readonly string[]): NoticeView | null =>
  notice !== undefined && planned.some((id) => isNotice({ id })) ? toNoticeView(notice) : null;
