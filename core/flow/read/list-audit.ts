import type { TableDeps, TimedDeps } from "../../deps.ts";
import { LISTS_MAX_BYTES, takeItemsThatFit } from "../../domain/basics/fitting.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { AUDIT_SEARCHED_MAX } from "../../domain/basics/limits.ts";
import { toIso } from "../../domain/basics/time.ts";
import {
  AUDIT_MS,
  type AuditEntry,
  type AuditFilter,
  type AuditView,
  findGroupOfAuditEntry,
  matchesAuditFilter,
} from "../../domain/workspace/audit.ts";
import { readNames } from "../../store/names.ts";
import { listEntries } from "../../store/configuration/audit-trail.ts";

/** The time (in milliseconds) and number of the last entry on a page. */
export type AuditPosition = { at: number; seq: number };

/** A time after every entry, even after an entry from an instance with a faster clock. */
const ANY_TIME_MS = 9_999_999_999_999;
const ENTRIES_AT_ONCE = 200;

/** Adds the current names of people and groups, because the trail contains only ids. */
export const readAuditViews = async (
  deps: TableDeps,
  ws: WorkspaceId,
  entries: readonly AuditEntry[],
): Promise<AuditView[]> => {
  const ids = entries.flatMap((entry) => [
    entry.userId ?? "",
    entry.target.id,
    findGroupOfAuditEntry(entry) ?? "",
    ...(entry.onCall?.changes ?? []).flatMap((change) => [...change.before, ...change.after]),
  ]);
  const names = await readNames(deps, ws, ids);
  const addNameToId = (id: string) => ({ id, name: names.get(id) ?? "" });
  const findName = (entry: AuditEntry): string =>
    entry.target.name ?? names.get(findGroupOfAuditEntry(entry) ?? entry.target.id) ?? "";
  return entries.map((entry) => {
    const { id, at, userId, via, action, target, before, after, onCall, requestId } = entry;
    return {
      id,
      at: toIso(at),
      actor: userId === null ? null : addNameToId(userId),
      via,
      action,
      target: { kind: target.kind, id: target.id, name: findName(entry) },
      before,
      after,
      onCall:
        onCall === undefined
          ? null
          : {
              changes: onCall.changes.map((change) => ({
                ...change,
                before: change.before.map(addNameToId),
                after: change.after.map(addNameToId),
              })),
              more: onCall.more,
            },
      requestId,
    };
  });
};

/** Lists a page of the audit trail. `next`: the start of the next page, if any. With a filter, a page may have fewer entries. */
export const listAudit = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  filter: AuditFilter,
  { limit, after }: { limit: number; after: AuditPosition | undefined },
): Promise<{ items: AuditView[]; next: AuditPosition | undefined }> => {
  const from = Math.max(filter.from ?? 0, deps.now() - AUDIT_MS);
  const found: AuditEntry[] = [];
  let room = LISTS_MAX_BYTES;
  let last = after;
  const readPage = async (next: AuditPosition | undefined) => ({ items: await readAuditViews(deps, ws, found), next });
  for (let searched = 0; searched < AUDIT_SEARCHED_MAX; searched += ENTRIES_AT_ONCE) {
    const to = last?.at ?? filter.to ?? ANY_TIME_MS;
    if (to < from) return readPage(undefined);
    const entries = await listEntries(deps, ws, { from, to, below: last?.seq, limit: ENTRIES_AT_ONCE });
    for (const entry of entries) {
      if (matchesAuditFilter(entry, filter)) {
        room = takeItemsThatFit([entry], room).left;
        if (found.length === limit || (room === 0 && found.length > 0)) return readPage(last);
        found.push(entry);
      }
      last = { at: entry.at, seq: entry.seq };
    }
    if (entries.length < ENTRIES_AT_ONCE) return readPage(undefined);
  }
  return readPage(last);
};
