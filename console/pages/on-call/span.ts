import { now } from "../../app/clock.ts";
import { HOUR_MS } from "../../../core/domain/basics/units.ts";

/** Begins earlier, so that the current shift is visible. */
const BEFORE_HOURS = 12;

/** A full hour, in milliseconds. */
export const defaultTimelineStart = (): number => Math.floor(now.value / HOUR_MS) * HOUR_MS - BEFORE_HOURS * HOUR_MS;
