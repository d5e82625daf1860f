import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { toIso } from "../../core/domain/basics/time.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/domain/basics/units.ts";
import { putSchedule } from "../../core/store/schedules/on-call.ts";
import { START } from "./engine/world.ts";
import { buildWorkspace, type Fixture, type SetupDeps } from "./fixtures.ts";
import type { Play } from "./scenario.ts";

/** A turn takes twelve hours, and Alice's ends soon after the scenario begins. */
const HOURS = 12;
export const SHIFT_ENDS = START + 3 * MINUTE_MS;

/** Alice and Bob are in both groups: in `ops` a shift begins, and `night` has no schedule yet. */
export const buildShift = async (deps: SetupDeps, ws: WorkspaceId): Promise<Fixture> => {
  const acme = await buildWorkspace(deps, {
    ws,
    people: { alice: [], bob: [] },
    groups: { ops: ["alice", "bob"], night: ["alice", "bob"] },
    rules: {},
  });
  const layer = { start: toIso(SHIFT_ENDS - HOURS * HOUR_MS).slice(0, 16), every: HOURS, unit: "hour" as const };
  const participants = [acme.users["alice"]!, acme.users["bob"]!];
  await putSchedule(deps, ws, acme.groups["ops"]!, () => ({
    timeZone: "UTC",
    layers: [{ ...layer, participants, restrictions: [] }],
  }));
  return acme;
};

export const editNightSchedule = ({ clients }: Pick<Play, "clients">, acme: Fixture, participants: string[]) => {
  const layers = [{ participants, start: toIso(START - HOUR_MS), every: 1, unit: "month" }];
  const path = { groupId: acme.groups["night"]! };
  return clients.call(acme, "alice", "put-on-call", { path, body: { timeZone: "UTC", layers } });
};
