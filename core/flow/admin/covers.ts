import type { AuditDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { notFoundRefusal, Refusal, refuseField } from "../../domain/basics/refusal.ts";
import { toIso } from "../../domain/basics/time.ts";
import { createCoverNotice } from "../../domain/event/notices.ts";
import type { Owners } from "../../domain/people/member.ts";
import { createNameFinder, type People, markUnreachable } from "../../domain/people/people.ts";
import {
  findCoverDeadline,
  listCoverCandidates,
  listLaterTakers,
  type Cover,
  type CoverInput,
  type CoverView,
  listUnsentNotices,
  listOnCallThroughout,
  type Reason,
  describeReason,
  judgeCoverStatus,
  toCoverView,
  findReasonNotToTakeCover,
} from "../../domain/shifts/cover.ts";
import { raisePeopleVersion } from "../../store/events/control.ts";
import { readOwners } from "../../store/people/read-members.ts";
import { loadPeople } from "../../store/people/people.ts";
import * as covers from "../../store/schedules/covers.ts";
import { requireRoomForOverride } from "../../store/schedules/on-call.ts";
import { createOwnIngest, type IngestDeps } from "../ingest/ingest-event.ts";
import { listUnreachable } from "../read/reach-of-people.ts";

type State = { people: People; owners: Owners };

const loadPeopleAndOwners = async (deps: TimedDeps, ws: WorkspaceId): Promise<State> => {
  const [people, owners] = await Promise.all([loadPeople(deps, ws), readOwners(deps, ws)]);
  return { people, owners };
};

/** Loads the people and the owners, and marks unreachable people among the groups' members and the overrides' people. */
const loadCoverState = async (deps: TimedDeps, ws: WorkspaceId, groupIds: Iterable<string>): Promise<State> => {
  const { people, owners } = await loadPeopleAndOwners(deps, ws);
  const overriding = [...people.overrides.values()].flat().map(({ userId }) => userId);
  const asked = [...groupIds].flatMap((groupId) => people.groups.get(groupId)?.memberIds ?? []);
  const unreachable = await listUnreachable(deps, ws, [...new Set([...asked, ...overriding])], people.members.size);
  return { people: markUnreachable(people, new Set(unreachable)), owners };
};

const toCoverViews = (deps: TimedDeps, state: State, caller: string, coverList: readonly Cover[]): CoverView[] =>
  coverList.map((cover) => toCoverView(cover, { ...state, now: deps.now(), caller }));

/** Lists a group's covers as `caller` sees them. Throws Refusal `not_found` for an unknown group. */
export const listGroupCovers = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  groupId: string,
  caller: string,
): Promise<CoverView[]> => {
  const state = await loadCoverState(deps, ws, [groupId]);
  if (!state.people.groups.has(groupId)) throw notFoundRefusal("group");
  const all = await covers.listCovers(deps, ws);
  return toCoverViews(
    deps,
    state,
    caller,
    all.filter((cover) => cover.groupId === groupId),
  );
};

/** Returns covers of the caller's own shifts, covers taken by the caller, and covers that the caller can take. */
export const listMyCovers = async (deps: TimedDeps, ws: WorkspaceId, caller: string): Promise<CoverView[]> => {
  const all = await covers.listCovers(deps, ws);
  const state = await loadCoverState(deps, ws, new Set(all.map(({ groupId }) => groupId)));
  return toCoverViews(deps, state, caller, all).filter(
    ({ userId, takenBy, canTake }) => canTake || userId === caller || takenBy?.userId === caller,
  );
};

/** Returns the person to cover: `userId`, the caller, or the only person on call. Refuses a person who is not on call. */
const findPersonOfShift = (
  people: People,
  groupId: string,
  { userId, ...span }: CoverInput,
  caller: string,
): string => {
  const onCall = listOnCallThroughout(people, groupId, span);
  const asked = userId ?? (onCall.includes(caller) ? caller : onCall.length === 1 ? onCall[0] : undefined);
  if (asked === undefined && onCall.length > 1)
    throw refuseField("userId", "required", "userId is required, because several people are on call at that time.");
  if (asked === undefined || !onCall.includes(asked))
    throw refuseField(
      "start",
      "not_on_call",
      "start and end must be within a time in which the person is on call in the group.",
    );
  return asked;
};

/** Throws a refusal that names the action, unless the caller is a manager. */
export type RequireManager = (action: string) => Promise<void>;

/** Asks members to cover a shift, or returns the open cover. Throws `invalid_input`, `limit_reached`, `role_required`. */
export const requestCover = async (
  deps: EditDeps,
  ws: WorkspaceId,
  groupId: string,
  input: CoverInput,
  caller: string,
  requireManager: RequireManager,
): Promise<{ kind: "created" | "exists"; cover: CoverView }> => {
  const state = await loadCoverState(deps, ws, [groupId]);
  const { people } = state;
  const group = people.groups.get(groupId);
  if (group === undefined) throw notFoundRefusal("group");
  if (findCoverDeadline(input) <= deps.now())
    throw refuseField("start", "invalid", "start and inReturn.start must be in the future.");
  const outside = input.to?.find((userId) => !group.memberIds.includes(userId));
  if (outside !== undefined) throw refuseField("to", "unknown_reference", '"to" must name members of the group.');
  if (input.userId !== undefined && input.userId !== caller) await requireManager("Asking for cover for somebody else");
  const userId = findPersonOfShift(people, groupId, input, caller);
  if (userId !== caller) await requireManager("Asking for cover for somebody else");
  const { userId: _userId, ...rest } = input;
  const added = await covers.addCover(deps, ws, {
    groupId,
    userId,
    ...rest,
    state: "open",
    createdAt: toIso(deps.now()),
    createdBy: caller,
    asked: listCoverCandidates({ groupId, userId, ...rest }, state),
    declined: new Set(),
    overrideIds: [],
    told: new Set(),
  });
  return { kind: added.kind, cover: await finishCoverChange(deps, state, caller, added) };
};

const refuseClosedCover = (cover: Cover, now: number, why?: string): Refusal => {
  const state = judgeCoverStatus(cover, now);
  return new Refusal("cover_closed", why ?? `The cover is ${state}.`, {
    members: { state, ...(cover.takenBy === undefined ? {} : { takenBy: cover.takenBy }) },
  });
};

const createCannotCoverRefusal = (reason: Reason): Refusal =>
  new Refusal("cannot_cover", describeReason(reason), { members: { reason } });

const loadCover = async (deps: TimedDeps, ws: WorkspaceId, id: string): Promise<Cover> => {
  const cover = await covers.readCover(deps, ws, id);
  if (cover === undefined) throw notFoundRefusal("cover");
  return cover;
};

type EditDeps = AuditDeps & IngestDeps;

const loadCoverAndState = async (deps: TimedDeps, ws: WorkspaceId, id: string) => {
  const cover = await loadCover(deps, ws, id);
  return { cover, state: await loadCoverState(deps, ws, [cover.groupId]) };
};

/** Sends the notices that a change made due, and returns the cover as the caller sees it. A failed notice is only logged. */
const finishCoverChange = async (
  deps: EditDeps,
  state: State,
  caller: string,
  { cover, due }: { cover: Cover; due?: covers.DueCover },
): Promise<CoverView> => {
  if (due !== undefined) await tryToNotifyOfCover(deps, due, state);
  return toCoverView(cover, { ...state, now: deps.now(), caller });
};

/** Puts the caller on call for the shift. Idempotent. Throws `not_found`, `cover_closed`, `cannot_cover`, `limit_reached`. */
export const takeCover = async (deps: EditDeps, ws: WorkspaceId, id: string, caller: string): Promise<CoverView> => {
  const { cover, state } = await loadCoverAndState(deps, ws, id);
  const isTakenByCaller = (version: Cover): boolean => version.state === "taken" && version.takenBy === caller;
  if (isTakenByCaller(cover)) return finishCoverChange(deps, state, caller, { cover });
  if (judgeCoverStatus(cover, deps.now()) !== "open") throw refuseClosedCover(cover, deps.now());
  const reason = findReasonNotToTakeCover(cover, caller, state);
  if (reason !== undefined) throw createCannotCoverRefusal(reason);
  requireRoomForOverride(state.people.overrides.get(cover.groupId) ?? [], deps.now());
  const taken = await covers.takeCover(deps, ws, cover, caller, state.people.duty(cover.groupId).group);
  if (taken !== undefined) return finishCoverChange(deps, state, caller, taken);
  const now = await loadCover(deps, ws, id);
  if (isTakenByCaller(now)) return finishCoverChange(deps, state, caller, { cover: now });
  throw refuseClosedCover(now, deps.now());
};

/** Withdraws a cover, even a taken one, before its first shift. Idempotent. Throws `cover_closed`, `role_required`. */
export const withdrawCover = async (
  deps: EditDeps,
  ws: WorkspaceId,
  id: string,
  caller: string,
  requireManager: RequireManager,
): Promise<CoverView> => {
  const { cover, state } = await loadCoverAndState(deps, ws, id);
  if (![cover.userId, cover.takenBy, cover.createdBy].includes(caller))
    await requireManager("Withdrawing somebody else's cover");
  if (cover.state === "withdrawn") return finishCoverChange(deps, state, caller, { cover });
  if (findCoverDeadline(cover) <= deps.now()) throw refuseClosedCover(cover, deps.now());
  const { group } = state.people.duty(cover.groupId);
  const others = listLaterTakers(cover, group, deps.now()).map(createNameFinder(state.people)).join(" and ");
  const why = `This shift was passed on, so ${others} would lose it. First withdraw the cover by which ${others} took it.`;
  if (others !== "") throw refuseClosedCover(cover, deps.now(), why);
  const withdrawn = await covers.withdrawCover(deps, ws, cover, group);
  if (withdrawn !== undefined) return finishCoverChange(deps, await loadPeopleAndOwners(deps, ws), caller, withdrawn);
  // Another request has changed the cover, so the caller must decide again.
  throw refuseClosedCover(await loadCover(deps, ws, id), deps.now());
};

/** Notes that the caller will not take the shift. Throws Refusal `not_found`, `cover_closed`, `cannot_cover`. */
export const declineCover = async (deps: EditDeps, ws: WorkspaceId, id: string, caller: string): Promise<CoverView> => {
  const { cover, state } = await loadCoverAndState(deps, ws, id);
  if (judgeCoverStatus(cover, deps.now()) !== "open") throw refuseClosedCover(cover, deps.now());
  const reason = cover.asked.includes(caller) ? undefined : findReasonNotToTakeCover(cover, caller, state);
  if (reason !== undefined) throw createCannotCoverRefusal(reason);
  const declined = await covers.declineCover(deps, ws, id, caller);
  if (declined === undefined) throw refuseClosedCover(await loadCover(deps, ws, id), deps.now());
  return finishCoverChange(deps, state, caller, { cover: declined });
};

/** Sends the due notices of a cover, each once. Stores the next notice's time before it removes the due marker. Idempotent. */
export const notifyOfCover = async (deps: IngestDeps, due: covers.DueCover, state?: State): Promise<void> => {
  const { ws, id } = due;
  const cover = await covers.readCover(deps, ws, id);
  if (cover === undefined) return covers.removeDueCover(deps, due);
  // The request that changed the cover may have died before raising the version of the people.
  if (cover.changedAt !== undefined) await raisePeopleVersion(deps, ws);
  const { people, owners } = state ?? (await loadPeopleAndOwners(deps, ws));
  const news = listUnsentNotices(cover, { people, owners });
  const onCall = listOnCallThroughout(people, cover.groupId, cover);
  const findName = (userId: string | null | undefined): string => people.members.get(userId ?? "")?.name || "Somebody";
  for (const one of news.filter((each) => each.due <= deps.now())) {
    const { groupId, start, end, inReturn, note } = cover;
    const notice = createCoverNotice(one, {
      coverId: id,
      groupId,
      group: people.groups.get(groupId)?.group.name ?? groupId,
      start,
      end,
      inReturn,
      note,
      of: findName(cover.userId),
      onCall: onCall.includes(cover.userId) ? [] : onCall.map(findName),
      taker: findName(cover.takenBy),
      by: findName(cover.changedBy ?? cover.createdBy),
    });
    // Another sweep is creating the notice; the next sweep checks whether the notice was created.
    if ((await createOwnIngest(deps)({ workspaceId: ws, ...notice })) === undefined) return;
    await covers.setNoticesSent(deps, ws, id, one.name);
  }
  const next = Math.min(...news.map((each) => each.due).filter((at) => at > due.due && at > deps.now()));
  if (next < Infinity) await covers.putDueCover(deps, { ws, id, due: next });
  await covers.removeDueCover(deps, due);
};

const tryToNotifyOfCover = async (deps: IngestDeps, due: covers.DueCover, state: State): Promise<void> => {
  try {
    await notifyOfCover(deps, due, state);
  } catch (error) {
    deps.log.error("cover.not_notified", error, { workspaceId: due.ws });
  }
};
