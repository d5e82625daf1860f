import * as v from "valibot";
import { Channel } from "./domain/device/channel.ts";
import { env } from "./wiring.ts";

export const liveChannels = (): readonly Channel[] =>
  v.parse(v.array(Channel), (process.env[env.ways] ?? "push").split(","));
