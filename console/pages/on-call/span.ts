import { now } from "../../app/clock.ts";
import { HOUR_MS } from "../../../core/domain/basics/units.ts";

/** A timeline begins this long before now, so that the current shift is visible. */
const BEFORE_HOURS = 12;

/** The full hour at which a timeline begins that nobody has moved, in milliseconds. */
export const hoursAgo = (): number => Math.floor(now.value / HOUR_MS) * HOUR_MS - BEFORE_HOURS * HOUR_MS;
