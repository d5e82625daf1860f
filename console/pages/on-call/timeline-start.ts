import { now } from "../../app/clock.ts";
import { HOUR_MS } from "../../../core/domain/basics/units.ts";

/** How many hours ago the timeline begins, so that the current shift is visible. */
const BEFORE_HOURS = 12;

/** Returns the start of the timeline in milliseconds, rounded down to a full hour. */
export const computeTimelineStart = (): number => Math.floor(now.value / HOUR_MS) * HOUR_MS - BEFORE_HOURS * HOUR_MS;
