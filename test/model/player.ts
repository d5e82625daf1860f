import { START } from "../faults/engine/world.ts";
import { configuration } from "./configure.ts";
import type { Command } from "./history.ts";
import { duty } from "./duty.ts";
import { heartbeats } from "./heartbeats.ts";
import { life } from "./life.ts";
import { silences } from "./silences.ts";
import { looks } from "./look.ts";
import { luck } from "./luck.ts";
import type { Handlers, Ids, Play, Notified } from "./play.ts";
import { post } from "./post.ts";

const handlers: Handlers = {
  post,
  ...configuration,
  ...silences,
  ...heartbeats,
  ...duty,
  ...life,

  ...looks,
  ...luck,
};

/** Adds the command to the history if it had an effect. */
export const playCommand = async (play: Play, ids: Ids, command: Command): Promise<void> => {
  ids.of(command.ws);
  const at = play.world.kernel.now() - START;
  const handler = handlers[command.do] as (play: Play, move: Command) => Notified;
  const result = await play.world.during(() => handler(play, command));
  if (result !== undefined)
    play.story.push(`${(at / 1000).toFixed(3).padStart(12)} s  ${command.ws.slice(3).padEnd(7)} ${result}`);
};
