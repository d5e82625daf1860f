import { type DutyChange, formatDutyChange } from "../../core/domain/on-call/duty-moves.ts";
import { texts } from "../page-texts.ts";
import { formatDayAndTime } from "./clock.ts";

/** Describes, in the reader's language and time zone, who is on call instead of whom. */
export const describeDutyChange = (change: DutyChange, nameOf: (userId: string) => string): string =>
  formatDutyChange(change, { nameOf, timeOf: formatDayAndTime, words: { ...texts.dutyWords, during: texts.span } });
