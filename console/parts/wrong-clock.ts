import { showStatus } from "../app/status.ts";
import { texts } from "../page-texts/frame.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

/** Says that this machine's clock is wrong. `aheadMs`: by how much the service's clock is ahead of this machine's clock. */
export const showWrongClock = (aheadMs: number): void =>
  showStatus(texts.wrongClock(Math.round(Math.abs(aheadMs) / MINUTE_MS), aheadMs > 0));
