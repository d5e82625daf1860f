import * as v from "valibot";
import { Channel } from "./domain/device/channel.ts";
import { env } from "./wiring.ts";

/** Reads the stage's channels from the environment; only push by default. */
export const readChannels = (): readonly Channel[] =>
  v.parse(v.array(Channel), (process.env[env.ways] ?? "push").split(","));
