import { type DutyChange, formatDutyChange } from "../../core/domain/on-call/duty-moves.ts";
import { texts } from "../page-texts.ts";
import { formatDayAndTime } from "./clock.ts";

export const describeDutyChange = (change: DutyChange, nameOf: (userId: string) => string): string =>
  formatDutyChange(change, { nameOf, timeOf: formatDayAndTime, words: { ...texts.dutyWords, during: texts.span } });
