import { type DutyChange, sayDutyChange } from "../../core/domain/on-call/moves.ts";
import { texts } from "../page-texts.ts";
import { dayAndTime } from "./clock.ts";

/** Says in the reader's language and time zone who is on call instead of whom. */
export const sayDuty = (change: DutyChange, nameOf: (userId: string) => string): string =>
  sayDutyChange(change, { nameOf, timeOf: dayAndTime, words: { ...texts.dutyWords, during: texts.span } });
