import type { Deps } from "../../deps.ts";
import { toIso } from "../../domain/basics/time.ts";
import { isRoundTimely } from "../../domain/heartbeat/switch.ts";
import type { SwitchMessage } from "../../queue/messages.ts";
import { claimCall, readSwitch, setTestEventAnswered, setTestEventFailure } from "../../store/schedules/switches.ts";

/** Calls the URL of a dead man's switch once for each confirmed test event, the `round`. Does not repeat a failed call. */
export const callSwitchUrl = async (
  deps: Pick<Deps, "table" | "now" | "post" | "log">,
  { ws, round }: SwitchMessage,
): Promise<void> => {
  const stored = await readSwitch(deps, ws);
  if (stored === undefined || !isRoundTimely(stored, round, deps.now()) || !(await claimCall(deps, ws, round))) return;
  const body = JSON.stringify({ type: "switch.confirmed", timestamp: toIso(round), data: { workspaceId: ws } });
  const { kind, code } = await deps.post({ url: stored.url, headers: {}, body });
  deps.log.info("switch.called", { workspaceId: ws, code });
  await (kind === "taken" ? setTestEventAnswered(deps, ws, round) : setTestEventFailure(deps, ws, round, code));
};
