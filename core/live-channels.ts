import * as v from "valibot";
import { Channel } from "./domain/device/channel.ts";
import { env } from "./wiring.ts";

/** Returns the channels by which this stage notifies people. */
export const liveChannels = (): readonly Channel[] =>
  v.parse(v.array(Channel), (process.env[env.ways] ?? "push").split(","));
