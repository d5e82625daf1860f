import * as v from "valibot";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { AuditDeps, TableDeps } from "../../deps.ts";
import { sha256 } from "../../domain/basics/digest.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import { AUDIT_MS, AuditContent, type AuditEntry, vias } from "../../domain/workspace/audit.ts";
import { toTtl } from "../claims.ts";
import { deflatedSchema, deflate } from "../codec.ts";
import { trailRangeAfter, trailHeadKey, trailKey, trailPk, trailRange, parseWorkspaceId } from "../keys.ts";
import { batchGetItems, getItem, putWrite, queryItems, type Refusals, type Write, writeTogether } from "../table.ts";

/*
 * An audit entry and its change are written in one transaction, so the audit trail never misses a change. Each entry contains the
 * previous entry's digest, and an item (the head) names the last entry: a missing or changed entry is detected.
 */

const Head = v.object({ seq: v.number(), at: v.number(), digest: v.string() });
type Head = v.InferOutput<typeof Head>;
const START: Head = { seq: 0, at: 0, digest: "" };

const EntryItem = v.pipe(
  v.object({
    id: v.string(),
    seq: v.number(),
    at: v.number(),
    userId: v.nullable(v.string()),
    via: v.picklist(vias),
    requestId: v.string(),
    content: deflatedSchema(AuditContent),
    previous: v.object({ at: v.number(), digest: v.string() }),
    digest: v.string(),
  }),
  v.transform(({ content, ...entry }): AuditEntry => ({ ...entry, ...content })),
);

/** Returns the digest of an entry's content and of the previous entry's digest. */
export const computeDigest = async (entry: Omit<AuditEntry, "digest">): Promise<string> => {
  const { id, seq, at, userId, via, requestId, action, target, before, after, onCall, previous } = entry;
  const said = [
    previous.at,
    previous.digest,
    id,
    seq,
    at,
    userId,
    via,
    requestId,
    action,
    target.kind,
    target.id,
    target.name,
    before,
    after,
    ...(onCall === undefined ? [] : [onCall]),
  ];
  return Buffer.from(await sha256(JSON.stringify(said))).toString("base64url");
};

/** The maximum number of attempts of a write; each concurrent change can make one attempt fail. */
const TRIES = 50;

/** Writes a change together with its audit entry. Returns `refused` with the stored items if a condition of the change fails. */
export const writeRecorded = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  content: AuditContent,
  ...writes: readonly Write[]
): Promise<{ kind: "done" } | { kind: "refused"; refusals: Refusals }> => {
  const { author } = deps.table;
  const id = deps.newId("aud");
  const createBusyRefusal = () =>
    new Refusal("busy", "The configuration of this workspace is changing too often right now. Try again.", {
      retryAfterSeconds: 1,
    });
  return retryChange({ item: "the trail", tries: TRIES, error: createBusyRefusal }, async () => {
    const head = (await getItem(deps, trailHeadKey(ws), Head)) ?? START;
    // Keys are sorted by time, so an entry must not be earlier than the previous entry, even if this instance's clock is slow.
    const at = Math.max(deps.now(), head.at);
    const unsealed = {
      id,
      ...author,
      ...content,
      seq: head.seq + 1,
      at,
      previous: { at: head.at, digest: head.digest },
    };
    const digest = await computeDigest(unsealed);
    const { seq, previous } = unsealed;
    const key = trailKey(ws, at, seq);
    const same = { condition: "#seq = :seq", names: { "#seq": "seq" }, values: { ":seq": head.seq } };
    const ttl = toTtl(at + AUDIT_MS);
    const sealed = [
      putWrite(deps, key, { id, ...author, seq, at, content: deflate(content), previous, digest, ttl }),
      putWrite(deps, trailHeadKey(ws), { seq, at, digest }, head === START ? {} : same),
    ];
    const written = await writeTogether(deps, [...writes, ...sealed]);
    if (written.kind === "done") return written;
    // After a lost answer, the SDK repeats the transaction, which fails because the first attempt changed the head.
    const isThere = (await getItem(deps, key, EntryItem))?.digest === digest;
    if (isThere) return { kind: "done" };
    const refusals = written.refusals.slice(0, writes.length);
    return refusals.some((refusal) => refusal !== undefined) ? { kind: "refused", refusals } : AGAIN;
  });
};

/** Lists audit entries, newest first. Times are inclusive, in milliseconds. `below`: only entries with lower numbers. */
export const listEntries = (
  deps: TableDeps,
  ws: WorkspaceId,
  { from, to, below, limit }: { from: number; to: number; below?: number | undefined; limit?: number },
): Promise<AuditEntry[]> =>
  queryItems(deps, { pk: trailPk(ws), ...trailRange(from, to, below) }, EntryItem, {
    descending: true,
    ...(limit === undefined ? {} : { limit }),
  });

/** Lists at most `limit` audit entries after the entry with this time and number (both 0: all entries), the oldest first. */
export const listEntriesAfter = (
  deps: TableDeps,
  ws: WorkspaceId,
  { at, seq }: Pick<Head, "at" | "seq">,
  limit: number,
): Promise<AuditEntry[]> => queryItems(deps, { pk: trailPk(ws), ...trailRangeAfter(at, seq) }, EntryItem, { limit });

const HeadItem = v.object({ pk: v.string(), seq: v.number() });

/** Returns how many audit entries each workspace has, by workspace id. Eventually consistent. */
export const countEntries = async (deps: TableDeps, ids: readonly WorkspaceId[]): Promise<Map<string, number>> => {
  const heads = await batchGetItems(deps, ids.map(trailHeadKey), HeadItem, { consistent: false });
  return new Map(heads.map((head) => [parseWorkspaceId(head), head.seq]));
};

/** Returns the number, time and digest of the last audit entry, or `START` if the trail is empty. */
export const readTrailHead = async (deps: TableDeps, ws: WorkspaceId): Promise<Head> =>
  (await getItem(deps, trailHeadKey(ws), Head)) ?? START;
