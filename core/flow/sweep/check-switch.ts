import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { computeStartOfNextInterval } from "../../domain/basics/time.ts";
import { MINUTE_MS } from "../../domain/basics/units.ts";
import { findRoundsAt, buildSwitchEvent } from "../../domain/heartbeat/switch.ts";
import { readSwitch, setTestEventBegun } from "../../store/schedules/switches.ts";
import { createOwnIngest, type IngestDeps } from "../ingest/ingest-event.ts";

/** Sends a test event of the dead man's switch, if due. Returns the time of the next check; undefined if there is no switch. */
export const checkSwitch = async (deps: IngestDeps, ws: WorkspaceId): Promise<number | undefined> => {
  const stored = await readSwitch(deps, ws);
  if (stored === undefined) return undefined;
  const { round, next } = findRoundsAt(stored, deps.now());
  if (stored.begunRound === round) return next;
  // Another sweep is sending the event. The next check finds out whether the event was sent.
  if ((await createOwnIngest(deps)({ workspaceId: ws, ...buildSwitchEvent(round) })) === undefined)
    return computeStartOfNextInterval(deps.now(), MINUTE_MS);
  await setTestEventBegun(deps, ws, round);
  return next;
};
