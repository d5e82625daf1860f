import { START } from "../faults/engine/world.ts";
import { configuration } from "./configure.ts";
import type { Command } from "./history.ts";
import { onCall } from "./on-call.ts";
import { heartbeats } from "./heartbeats.ts";
import { lifecycle } from "./lifecycle.ts";
import { silences } from "./silences.ts";
import { reads } from "./reads.ts";
import { edgeCases } from "./edge-cases.ts";
import type { Handlers, Ids, Play, CommandResult } from "./play.ts";
import { post } from "./post.ts";

const handlers: Handlers = {
  post,
  ...configuration,
  ...silences,
  ...heartbeats,
  ...onCall,
  ...lifecycle,

  ...reads,
  ...edgeCases,
};

/** Adds the command to the history if it had an effect. */
export const playCommand = async (play: Play, ids: Ids, command: Command): Promise<void> => {
  ids.of(command.ws);
  const at = play.world.kernel.now() - START;
  const handler = handlers[command.do] as (play: Play, move: Command) => CommandResult;
  const result = await play.world.runDuring(() => handler(play, command));
  if (result !== undefined)
    play.lines.push(`${(at / 1000).toFixed(3).padStart(12)} s  ${command.ws.slice(3).padEnd(7)} ${result}`);
};
