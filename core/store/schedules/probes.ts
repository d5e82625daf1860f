import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { ProbedPerson, ProbePlan, StoredProbe } from "../../domain/event/probe.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import { toTtl } from "../claims.ts";
import { probeKey, probePlanKey, probesPk } from "../keys.ts";
import { getItem, putItem, putItemIf, queryItems, updateItem } from "../table.ts";
import type { Seconds } from "../../domain/basics/seconds.ts";

/* The plan of the next probes has its own partition, because earlier versions could not read a plan among the probes. */

/** How long a probe is stored: longer than any pause between two probes. */
const KEPT_MS = 60 * DAY_MS;
const computeProbeTtl = (at: number): Seconds => toTtl(at + KEPT_MS);

const Item = /* @__PURE__ */ v.union([StoredProbe, ProbedPerson]);

export type Probes = { rules: Map<string, StoredProbe>; people: Map<string, ProbedPerson> };

export const listProbes = async (deps: TableDeps, ws: WorkspaceId): Promise<Probes> => {
  const probes: Probes = { rules: new Map(), people: new Map() };
  for (const item of await queryItems(deps, { pk: probesPk(ws) }, Item))
    if ("ruleId" in item) probes.rules.set(item.ruleId, item);
    else probes.people.set(item.userId, item);
  return probes;
};

export const readProbe = (deps: TableDeps, ws: WorkspaceId, ruleId: string): Promise<StoredProbe | undefined> =>
  getItem(deps, probeKey(ws, ruleId), StoredProbe);

/** Stores a rule's probe after it was accepted or matched, unless a later probe or this probe's match is already stored. */
export const putProbe = async (deps: TableDeps, ws: WorkspaceId, probe: StoredProbe): Promise<void> => {
  const item = { ...probe, ttl: computeProbeTtl(probe.acceptedAt) };
  await putItemIf(deps, probeKey(ws, probe.ruleId), item, StoredProbe, {
    condition: "attribute_not_exists(pk) OR acceptedAt < :at OR (eventId = :event AND attribute_not_exists(matchedAt))",
    values: { ":at": probe.acceptedAt, ":event": probe.eventId },
  });
};

export const readProbedPerson = (deps: TableDeps, ws: WorkspaceId, userId: string): Promise<ProbedPerson | undefined> =>
  getItem(deps, probeKey(ws, userId), ProbedPerson);

/** Stores that a person is about to get a silent push. Replaces the person's previous push. */
export const putProbedPerson = (deps: TableDeps, ws: WorkspaceId, person: ProbedPerson): Promise<void> =>
  putItem(deps, probeKey(ws, person.userId), { ...person, ttl: computeProbeTtl(person.askedAt) });

/** Sets a field of a person's last silent push, unless the field is set. Changes nothing if a later push was stored. */
const changeProbedPerson = async (
  deps: TableDeps,
  ws: WorkspaceId,
  { userId, id }: Pick<ProbedPerson, "userId" | "id">,
  [name, value]: [name: "sentAt" | "fault" | "confirmedAt", value: number | string],
): Promise<void> => {
  await updateItem(deps, probeKey(ws, userId), ProbedPerson, {
    update: name === "sentAt" ? "SET #name = :value REMOVE fault" : "SET #name = :value",
    condition: "#id = :id AND attribute_not_exists(#name)",
    names: { "#name": name, "#id": "id" },
    values: { ":value": value, ":id": id },
  });
};

type ProbePushRef = Pick<ProbedPerson, "userId" | "id">;

export const setProbeSent = (deps: TimedDeps, ws: WorkspaceId, push: ProbePushRef): Promise<void> =>
  changeProbedPerson(deps, ws, push, ["sentAt", deps.now()]);

export const setProbeFault = (deps: TableDeps, ws: WorkspaceId, push: ProbePushRef, fault: string): Promise<void> =>
  changeProbedPerson(deps, ws, push, ["fault", fault]);

export const setProbeConfirmed = (deps: TimedDeps, ws: WorkspaceId, push: ProbePushRef): Promise<void> =>
  changeProbedPerson(deps, ws, push, ["confirmedAt", deps.now()]);

/** Sets the time at which a workspace's next probes are scheduled, in milliseconds. */
export const setProbesDue = async (deps: TimedDeps, ws: WorkspaceId, dueAt: number): Promise<void> => {
  await updateItem(deps, probePlanKey(ws), ProbePlan, {
    update: "SET #at = :at, since = if_not_exists(since, :now)",
    names: { "#at": "at" },
    values: { ":at": dueAt, ":now": deps.now() },
  });
};

export const readProbePlan = (deps: TableDeps, ws: WorkspaceId): Promise<ProbePlan | undefined> =>
  getItem(deps, probePlanKey(ws), ProbePlan);

/** Replaces the plan of probes. If the stored plan's time is not `seen`, stores only the reported failures, and returns false. */
export const replaceProbePlan = async (
  deps: TableDeps,
  ws: WorkspaceId,
  seen: number | undefined,
  plan: ProbePlan,
): Promise<boolean> => {
  const isSeen = { condition: "#at = :seen", names: { "#at": "at" }, values: { ":seen": seen } };
  const { kind } = await putItemIf(deps, probePlanKey(ws), plan, ProbePlan, isSeen);
  if (kind === "done") return true;
  await updateItem(deps, probePlanKey(ws), ProbePlan, {
    update: "SET red = :red",
    condition: "attribute_exists(pk)",
    values: { ":red": plan.red },
  });
  return false;
};
