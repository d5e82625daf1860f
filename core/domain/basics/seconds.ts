import * as v from "valibot";
import { parseOrThrow } from "./read-own.ts";
import { SECOND_MS } from "./units.ts";

/** A time for services that expect seconds. Times of other types are in milliseconds. */
export const Seconds = v.pipe(v.number(), v.brand("Seconds"));
export type Seconds = v.InferOutput<typeof Seconds>;

/** Converts milliseconds to seconds, rounded up. Throws if the value is not a number. */
export const toSeconds = (ms: number): Seconds => parseOrThrow("a time in seconds", Seconds, Math.ceil(ms / SECOND_MS));
