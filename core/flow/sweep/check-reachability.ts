import type { Deps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { fromIso, computeStartOfNextInterval } from "../../domain/basics/time.ts";
import { isInShadow, SHADOW_CHECK_MS } from "../../domain/workspace/control.ts";
import { MINUTE_MS } from "../../domain/basics/units.ts";
import type { Device } from "../../domain/device/device.ts";
import { createShadowNotice, createUnconfirmedShiftNotice } from "../../domain/event/notices.ts";
import {
  createReachabilityCheck,
  listComingShifts,
  computeNextReachabilityCheckTime,
  decideNextCheckStep,
  type ComingShift,
  type ReachabilityCheck,
} from "../../domain/shifts/reachability-check.ts";
import { toRole } from "../../domain/people/member.ts";
import { createNameFinder, isOnCall, type People } from "../../domain/people/people.ts";
import { includesRole } from "../../domain/people/role.ts";
import type { ReachabilityCheckMessage } from "../../queue/messages.ts";
import { sendMessages } from "../../queue/send.ts";
import { readDevices } from "../../store/people/devices.ts";
import { readOwners } from "../../store/people/read-members.ts";
import { loadPeople } from "../../store/people/people.ts";
import {
  listDueChecks,
  listReachabilityChecks,
  setCheckAsked,
  setCheckNotified,
  setCheckProven,
  putReachabilityCheck,
  putDueCheck,
  removeReachabilityCheck,
  removeDueCheck,
  type DueCheck,
} from "../../store/schedules/reachability-checks.ts";
import { readWorkspace } from "../../store/people/read-workspace.ts";
import { createOwnIngest } from "../ingest/ingest-event.ts";
import { checkProbes } from "./check-probes.ts";
import { checkSwitch } from "./check-switch.ts";
import { processEachDueItem, type Sweep } from "./due-items.ts";

export type ReachabilityDeps = Pick<Deps, "table" | "now" | "newId" | "log"> & {
  queues: Pick<Deps["queues"], "events" | "pushes">;
};

const AT_ONCE = 10;
const FAILED_PAUSE_MS = 30_000;

const isSameShift = (left: Pick<ComingShift, "groupId" | "userId" | "start">, right: typeof left): boolean =>
  left.groupId === right.groupId && left.userId === right.userId && left.start === right.start;

/** Returns whether the check's shift is still planned or, after its start, whether the person is on call. */
const isCheckValid = (people: People, coming: readonly ComingShift[], check: ReachabilityCheck, now: number): boolean =>
  check.start > now ? coming.some((shift) => isSameShift(shift, check)) : isOnCall(people, check, now);

/** Returns the people of the previous shift and the managers or, if neither exist, the unreachable person. */
const listPeopleToNotify = async (
  deps: ReachabilityDeps,
  ws: WorkspaceId,
  people: People,
  { before, userId }: ReachabilityCheck,
): Promise<string[]> => {
  const owners = await readOwners(deps, ws);
  const managers = [...people.members.values()].filter((member) => includesRole(toRole(member, owners), "manager"));
  const all = new Set([...before.filter((id) => people.members.has(id)), ...managers.map((member) => member.userId)]);
  all.delete(userId);
  return all.size === 0 ? [userId] : [...all];
};

const notifyOfUnconfirmedShift = async (
  deps: ReachabilityDeps,
  ws: WorkspaceId,
  people: People,
  check: ReachabilityCheck,
): Promise<void> => {
  const { groupId, userId } = check;
  const findName = createNameFinder(people);
  const notice = createUnconfirmedShiftNotice(
    {
      groupId,
      userId,
      start: check.start,
      ways: [...new Set(check.ways)],
      name: findName(userId),
      group: people.groups.get(groupId)?.group.name ?? groupId,
      before: check.before.map(findName),
    },
    await listPeopleToNotify(deps, ws, people, check),
  );
  const made = await createOwnIngest(deps)({ workspaceId: ws, ...notice });
  // Another sweep is creating the notice about this check. The next check of the shift finds out whether the notice was created.
  if (made === undefined) return;
  await setCheckNotified(deps, ws, check);
  deps.log.warn("shift.unconfirmed", { workspaceId: ws, groupId, userId, eventId: made.eventId });
};

/** Performs the next step of a reachability check. Idempotent, because a repeated attempt or notice has the same id. */
const performReachabilityCheck = async (
  deps: ReachabilityDeps,
  ws: WorkspaceId,
  people: People,
  check: ReachabilityCheck,
  devices: readonly Device[],
): Promise<void> => {
  const step = decideNextCheckStep(check, devices, deps.now());
  const { groupId, userId, start, since } = check;
  switch (step.kind) {
    case "proven":
      await setCheckProven(deps, ws, check);
      return deps.log.info("shift.confirmed", { workspaceId: ws, groupId, userId });
    case "try": {
      const message: ReachabilityCheckMessage = { kind: "proof", ws, groupId, userId, start, since, way: step.way };
      await sendMessages(deps.queues.pushes, [{ message }]);
      return setCheckAsked(deps, ws, check);
    }
    case "tell":
      return notifyOfUnconfirmedShift(deps, ws, people, check);
    case "wait":
      return undefined;
  }
};

/** Begins checks of new shifts, and removes checks of past shifts. Returns unconfirmed checks with the people's devices. */
const collectReachabilityChecks = async (
  deps: ReachabilityDeps,
  ws: WorkspaceId,
  people: People,
  minutesBefore: number,
): Promise<{ check: ReachabilityCheck; devices: readonly Device[] }[]> => {
  const now = deps.now();
  const known = await listReachabilityChecks(deps, ws);
  const coming = [...people.groups.keys()].flatMap((groupId) => {
    const span = { from: now, to: now + minutesBefore * MINUTE_MS };
    return listComingShifts(groupId, people.duty(groupId).group, span);
  });
  const kept = known.filter((check) => isCheckValid(people, coming, check, now));
  await mapLimit(
    known.filter((check) => !kept.includes(check)),
    AT_ONCE,
    (check) => removeReachabilityCheck(deps, ws, check),
  );
  const fresh = coming.filter((shift) => !kept.some((check) => isSameShift(check, shift)));
  const open = kept.filter(({ provenAt }) => provenAt === undefined);
  const userIds = [...fresh, ...open].map(({ userId }) => userId);
  const devicesOf = await readDevices(deps, ws, userIds, { consistent: true });
  const findDevices = ({ userId }: { userId: string }) => devicesOf.get(userId) ?? [];
  const begun = fresh.map((shift) => createReachabilityCheck(shift, findDevices(shift), now));
  await mapLimit(begun, AT_ONCE, (check) => putReachabilityCheck(deps, ws, check));
  return [...open, ...begun].map((check) => ({ check, devices: findDevices(check) }));
};

/** Removes all reachability checks, because old confirmations must not count if the workspace enables checks again. */
const endReachabilityChecks = async (deps: ReachabilityDeps, ws: WorkspaceId): Promise<void> => {
  await mapLimit(await listReachabilityChecks(deps, ws), AT_ONCE, (check) => removeReachabilityCheck(deps, ws, check));
};

/** Checks shifts that begin soon. Returns the time of the next check, or undefined if the workspace has disabled the checks. */
const checkShifts = async (
  deps: ReachabilityDeps,
  ws: WorkspaceId,
  minutesBefore: number | undefined,
): Promise<number | undefined> => {
  if (minutesBefore === undefined) {
    await endReachabilityChecks(deps, ws);
    return undefined;
  }
  const people = await loadPeople(deps, ws);
  const open = await collectReachabilityChecks(deps, ws, people, minutesBefore);
  await mapLimit(open, AT_ONCE, ({ check, devices }) => performReachabilityCheck(deps, ws, people, check, devices));
  return computeNextReachabilityCheckTime(
    open.map(({ check }) => check),
    [...people.groups.keys()].map((groupId) => people.duty(groupId).group),
    minutesBefore,
    deps.now(),
  );
};

/** Creates the notice of a shadow's end (`until`, ms) when due. Returns the next check's time, equal in concurrent sweeps. */
const checkShadowEnd = async (deps: ReachabilityDeps, ws: WorkspaceId, until: number): Promise<number> => {
  const now = deps.now();
  const notice = createShadowNotice(until, now);
  if (notice !== undefined) await createOwnIngest(deps)({ workspaceId: ws, ...notice });
  return computeStartOfNextInterval(now, SHADOW_CHECK_MS);
};

/** Checks the dead man's switch; in a shadow, also the shadow's end; outside, shifts and probes. Schedules the next check. */
const runChecksOfWorkspace = async (deps: ReachabilityDeps, check: DueCheck): Promise<void> => {
  const { ws } = check;
  const { proveShifts, shadow } = (await readWorkspace(deps, ws)) ?? {};
  const shadowUntil = fromIso(shadow?.until ?? "") ?? 0;
  const checkShiftsOfWorkspace = () => checkShifts(deps, ws, proveShifts?.minutesBefore);
  const nextRound = (await checkSwitch(deps, ws)) ?? Infinity;
  const other = isInShadow({ shadowUntil }, deps.now())
    ? await checkShadowEnd(deps, ws, shadowUntil)
    : Math.min((await checkShiftsOfWorkspace()) ?? Infinity, (await checkProbes(deps, ws)) ?? Infinity);
  const due = Math.min(nextRound, other);
  if (due === check.due) return;
  if (due < Infinity) await putDueCheck(deps, { ws, due });
  await removeDueCheck(deps, check);
};

/** Runs the due checks of a shard's workspaces: of shifts, probes, shadows and dead man's switches. */
export const runDueChecks = async (deps: ReachabilityDeps, sweep: Sweep, shard: string): Promise<void> =>
  processEachDueItem(deps, sweep, { list: listDueChecks, shard, pauseMs: FAILED_PAUSE_MS }, ({ item }) =>
    runChecksOfWorkspace(deps, item),
  );
