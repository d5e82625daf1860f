import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { listProbeViews, type ProbeView } from "../../domain/planning/probe-view.ts";
import { loadPeople } from "../../store/people/people.ts";
import { listRules } from "../../store/rules/rules.ts";
import { listProbes } from "../../store/schedules/probes.ts";

/** Lists the last probe of each rule, the oldest rule first, then the last probes of the rules' escalation policies. */
export const readProbes = async (deps: TimedDeps, ws: WorkspaceId): Promise<ProbeView[]> => {
  const [rules, people, probes] = await Promise.all([listRules(deps, ws), loadPeople(deps, ws), listProbes(deps, ws)]);
  return listProbeViews(rules, people, probes, deps.now());
};
