import { showStatus } from "../app/status.ts";
import { texts } from "../page-texts/frame.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

/** `off`: how much the service's clock is ahead, in milliseconds. */
export const showWrongClock = (off: number): void =>
  showStatus(texts.wrongClock(Math.round(Math.abs(off) / MINUTE_MS), off > 0));
