import * as v from "valibot";
import type { AuditDeps, TableDeps, TimedDeps } from "../../deps.ts";
import { WorkspaceId } from "../../domain/basics/ids.ts";
import type { MemberOfGroup } from "../../domain/people/group.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import { sha256 } from "../../domain/basics/digest.ts";
import { fromIso, toIso } from "../../domain/basics/time.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import { COVERS_MAX } from "../../domain/on-call/limits.ts";
import type { DutyGroup } from "../../domain/on-call/index.ts";
import { type DutyChanges, removeOverrides, addOverrides } from "../../domain/on-call/duty-moves.ts";
import type { OnCallOverride } from "../../domain/on-call/views.ts";
import { endsAfter } from "../../domain/on-call/override.ts";
import { findCoverDeadline, Cover, judgeCoverStatus, listCoverChanges } from "../../domain/shifts/cover.ts";
import type { AuditContent } from "../../domain/workspace/audit.ts";
import { toTtl } from "../claims.ts";
import { writeRecorded } from "../configuration/audit-trail.ts";
import { createDueLister } from "../due-lister.ts";
import { raisePeopleVersion } from "../events/control.ts";
import { coverKey, coversPk, dueCoverKey, dueCoversPk, overrideKey } from "../keys.ts";
import { deleteItem, deleteWrite, getItem, putItem, putWrite, queryItems, updateItem, updateWrite } from "../table.ts";

/* One transaction changes a cover and its overrides, and writes a due marker, by which the sweeper notifies after a crash. */

/** How long covers are stored after their end. */
const KEPT_MS = 28 * DAY_MS;

/** `due`: when people must be notified, in milliseconds. */
const DueCoverItem = v.object({ ws: WorkspaceId, id: v.string(), due: v.number() });
export type DueCover = v.InferOutput<typeof DueCoverItem>;

export const listDueCovers = /* @__PURE__ */ createDueLister(dueCoversPk, DueCoverItem);
export const putDueCover = (deps: TableDeps, due: DueCover): Promise<void> =>
  putItem(deps, dueCoverKey(due.due, due.ws, due.id), due);
export const removeDueCover = (deps: TableDeps, { due, ws, id }: DueCover): Promise<void> =>
  deleteItem(deps, dueCoverKey(due, ws, id));

/** Lists the covers, sorted by start. */
export const listCovers = async (deps: TableDeps, ws: WorkspaceId): Promise<Cover[]> =>
  (await queryItems(deps, { pk: coversPk(ws) }, Cover)).sort(
    (a, b) => a.start.localeCompare(b.start) || a.id.localeCompare(b.id),
  );

export const readCover = (deps: TableDeps, ws: WorkspaceId, id: string): Promise<Cover | undefined> =>
  getItem(deps, coverKey(ws, id), Cover);

/** Returns a due marker with its write. After a crash, the sweeper finds the marker and notifies people. */
const createDueMarker = (deps: AuditDeps, ws: WorkspaceId, id: string) => {
  const due = { ws, id, due: deps.now() };
  // The condition is always true, because a repeated request finds its own marker and must not fail.
  return {
    due,
    write: putWrite(deps, dueCoverKey(due.due, ws, id), due, {
      condition: "attribute_exists(pk) OR attribute_not_exists(pk)",
    }),
  };
};

const toAuditedCover = ({ groupId, userId, start, end, inReturn, takenBy }: Cover, state: Cover["state"]) => ({
  group: groupId,
  userId,
  start,
  end,
  ...(inReturn === undefined ? {} : { inReturn }),
  ...(takenBy === undefined ? {} : { takenBy }),
  state,
});

const buildCoverAudit = (before: Cover | undefined, after: Cover, onCall?: DutyChanges): AuditContent => ({
  action: before === undefined ? "created" : "updated",
  target: { kind: "cover", id: after.id },
  before: before === undefined ? null : toAuditedCover(before, before.state),
  after: toAuditedCover(after, after.state),
  ...(onCall === undefined ? {} : { onCall }),
});

const ID_DIGITS = 26;

/** Derives a cover's id from its shift. `earlierCovers`: how many covers this shift had before. */
const deriveCoverId = async ({ groupId, userId, start, end }: NewCover, earlierCovers: number): Promise<string> => {
  const hash = await sha256(JSON.stringify([groupId, userId, start, end, earlierCovers]));
  return `cov_${Buffer.from(hash).toString("hex").slice(0, ID_DIGITS)}`;
};

type NewCover = Omit<Cover, "id">;

/** Stores a new cover, or returns the person's open cover for the same time. Throws Refusal `limit_reached` above the limit. */
export const addCover = (
  deps: AuditDeps,
  ws: WorkspaceId,
  newCover: NewCover,
): Promise<{ kind: "created"; cover: Cover; due: DueCover } | { kind: "exists"; cover: Cover }> =>
  retryChange({ item: "the covers of a group" }, async () => {
    const { groupId, userId, start, end } = newCover;
    const others = (await listCovers(deps, ws)).filter(
      (other) => other.groupId === groupId && endsAfter(other, deps.now()),
    );
    const same = others.filter((other) => other.userId === userId && other.start === start && other.end === end);
    const open = same.find((other) => judgeCoverStatus(other, deps.now()) === "open");
    if (open !== undefined) return { kind: "exists", cover: open };
    if (others.length >= COVERS_MAX)
      throw new Refusal("limit_reached", `A group has at most ${COVERS_MAX} covers that have not ended.`);
    const cover: Cover = { ...newCover, id: await deriveCoverId(newCover, same.length) };
    const { declined: _declined, told: _told, ...stored } = cover;
    const lastEnd = Math.max(fromIso(end) ?? 0, fromIso(cover.inReturn?.end ?? "") ?? 0);
    const { due, write } = createDueMarker(deps, ws, cover.id);
    const item = putWrite(deps, coverKey(ws, cover.id), { ...stored, ttl: toTtl(lastEnd + KEPT_MS) });
    const written = await writeRecorded(deps, ws, buildCoverAudit(undefined, cover), item, write);
    return written.kind === "refused" ? AGAIN : { kind: "created", cover, due };
  });

/** Changes a cover's state. Returns undefined if the state has changed meanwhile. `oldDuty`, `newDuty`: the schedules. */
const changeCover = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  cover: Cover,
  next: Pick<Cover, "state" | "takenBy" | "overrideIds">,
  overrides: ReturnType<typeof putWrite | typeof deleteWrite>[],
  { oldDuty, newDuty }: { oldDuty: DutyGroup; newDuty: DutyGroup },
): Promise<{ cover: Cover; due: DueCover } | undefined> => {
  const changedAt = toIso(deps.now());
  const changedBy = deps.table.author.userId;
  const after: Cover = { ...cover, ...next, changedAt, changedBy };
  const { due, write } = createDueMarker(deps, ws, cover.id);
  const written = await writeRecorded(
    deps,
    ws,
    buildCoverAudit(cover, after, listCoverChanges(cover, oldDuty, newDuty, deps.now())),
    updateWrite(deps, coverKey(ws, cover.id), {
      update: `SET #state = :state, overrideIds = :ids, changedAt = :at, changedBy = :who${next.takenBy === undefined ? "" : ", takenBy = :taker"}`,
      // A cover never returns to an earlier state, so an equal state means no change.
      condition: "#state = :was",
      names: { "#state": "state" },
      values: {
        ":was": cover.state,
        ":state": next.state,
        ":ids": next.overrideIds,
        ":at": changedAt,
        ":who": changedBy,
        ...(next.takenBy === undefined ? {} : { ":taker": next.takenBy }),
      },
    }),
    write,
    ...overrides,
  );
  if (written.kind === "refused") return undefined;
  await raisePeopleVersion(deps, ws);
  return { cover: after, due };
};

/** Lets a person take a cover, and adds its overrides. Returns undefined if the cover is not open. `duty`: the old schedule. */
export const takeCover = (deps: AuditDeps, ws: WorkspaceId, cover: Cover, takenBy: string, duty: DutyGroup) => {
  const { id: coverId, groupId, userId, start, end, inReturn } = cover;
  const [createdAt, createdBy] = [toIso(deps.now()), takenBy];
  const createOverride = (who: string, insteadOf: string, span: { start: string; end: string }): OnCallOverride => ({
    id: deps.newId("ovr"),
    groupId,
    userId: who,
    insteadOf,
    coverId,
    start: span.start,
    end: span.end,
    createdAt,
    createdBy,
  });
  const made = [
    createOverride(takenBy, userId, { start, end }),
    ...(inReturn === undefined ? [] : [createOverride(userId, takenBy, inReturn)]),
  ];
  const writes = made.map((override) => putWrite(deps, overrideKey(ws, groupId, override.id), { ...override }));
  const next = { state: "taken", takenBy, overrideIds: made.map(({ id }) => id) } as const;
  return changeCover(deps, ws, cover, next, writes, { oldDuty: duty, newDuty: addOverrides(duty, made) });
};

/** Ends a cover and its overrides in one transaction. Returns undefined if the cover has changed. `duty`: the old schedule. */
export const withdrawCover = (deps: AuditDeps, ws: WorkspaceId, cover: Cover, duty: DutyGroup) =>
  changeCover(
    deps,
    ws,
    cover,
    { state: "withdrawn", takenBy: cover.takenBy, overrideIds: [] },
    cover.overrideIds.map((id) => deleteWrite(deps, overrideKey(ws, cover.groupId, id), {})),
    { oldDuty: duty, newDuty: removeOverrides(duty, cover.overrideIds) },
  );

/** Stores that a person declines an open cover. Returns undefined if the cover is no longer open. */
export const declineCover = async (
  deps: TableDeps,
  ws: WorkspaceId,
  id: string,
  userId: string,
): Promise<Cover | undefined> => {
  const declined = await updateItem(deps, coverKey(ws, id), Cover, {
    update: "ADD declined :who",
    condition: "#state = :open",
    names: { "#state": "state" },
    values: { ":who": new Set([userId]), ":open": "open" },
  });
  return declined.kind === "done" ? declined.item : undefined;
};

/** Stores that a cover's notices of a kind were sent. */
export const setNoticesSent = async (deps: TableDeps, ws: WorkspaceId, id: string, kind: string): Promise<void> => {
  await updateItem(deps, coverKey(ws, id), Cover, {
    update: "ADD told :name",
    condition: "attribute_exists(pk)",
    values: { ":name": new Set([kind]) },
  });
};

/** Withdraws the covers of a person who leaves a group, except covers that are over. */
export const withdrawCoversOf = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  { groupId, userId }: MemberOfGroup,
  duty: DutyGroup,
): Promise<void> => {
  for (const cover of await listCovers(deps, ws)) {
    const isTheirs = cover.groupId === groupId && [cover.userId, cover.takenBy].includes(userId);
    const isOver = Math.max(findCoverDeadline(cover), fromIso(cover.end) ?? 0) <= deps.now();
    if (isTheirs && !isOver && cover.state !== "withdrawn") await withdrawCover(deps, ws, cover, duty);
  }
};

export const deleteCovers = async (deps: TimedDeps, ws: WorkspaceId, groupId: string): Promise<void> => {
  for (const cover of await listCovers(deps, ws))
    if (cover.groupId === groupId) await deleteItem(deps, coverKey(ws, cover.id));
};
