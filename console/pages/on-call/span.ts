import { now } from "../../app/clock.ts";
import { HOUR_MS } from "../../../core/domain/basics/units.ts";

/** The time before now at which a timeline begins, so that the current shift is visible. */
const BEFORE_HOURS = 12;

/** Returns the full hour at which a timeline begins by default, in milliseconds. */
export const defaultTimelineStart = (): number => Math.floor(now.value / HOUR_MS) * HOUR_MS - BEFORE_HOURS * HOUR_MS;
