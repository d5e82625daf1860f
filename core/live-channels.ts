import * as v from "valibot";
import { TellingWay } from "./domain/device/channel.ts";
import { env } from "./wiring.ts";

/** The ways on which this stage tells people. */
export const liveWays = (): readonly TellingWay[] =>
  v.parse(v.array(TellingWay), (process.env[env.ways] ?? "push").split(","));
