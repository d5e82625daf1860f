import * as v from "valibot";
import { AGAIN, attempt } from "../../domain/basics/attempt.ts";
import type { Recording, TableDeps } from "../../deps.ts";
import { sha256 } from "../../domain/basics/digest.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import { AUDIT_MS, AuditContent, type AuditEntry, vias } from "../../domain/workspace/audit.ts";
import { ttlOf } from "../claims.ts";
import { Deflated, deflate } from "../codec.ts";
import { trailAfter, trailHeadKey, trailKey, trailPk, trailRange, workspaceOfKey } from "../keys.ts";
import { batchGetItems, getItem, putWrite, queryItems, type Refusals, type Write, writeTogether } from "../table.ts";

/*
 * The audit trail of a workspace. An entry and its change are one transaction, so neither exists without the other.
 * The head names the last entry; each entry has the digest of the previous one, so a missing or changed one is
 * noticed. Of two concurrent changes, the second finds a changed head, and is repeated after the first.
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
    content: Deflated(AuditContent),
    previous: v.object({ at: v.number(), digest: v.string() }),
    digest: v.string(),
  }),
  v.transform(({ content, ...entry }): AuditEntry => ({ ...entry, ...content })),
);

/** The digest that an entry must have: of its content, and of the digest of the previous entry. */
export const digestOf = async (entry: Omit<AuditEntry, "digest">): Promise<string> => {
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

/** Each try that fails only because of the head means that another change was made, so this many were made meanwhile. */
const TRIES = 50;

/**
 * Makes a change of the configuration, by one write or several, together with its entry. If a write's own
 * condition fails, it is refused with the stored item.
 */
export const writeRecorded = async (
  deps: Recording,
  ws: WorkspaceId,
  content: AuditContent,
  ...writes: readonly Write[]
): Promise<{ kind: "done" } | { kind: "refused"; refusals: Refusals }> => {
  const { author } = deps.table;
  const id = deps.newId("aud");
  const error = () =>
    new Refusal("busy", "The configuration of this workspace is changing too often right now. Try again.", {
      retryAfterSeconds: 1,
    });
  return attempt({ of: "the trail", tries: TRIES, error }, async () => {
    const head = (await getItem(deps, trailHeadKey(ws), Head)) ?? START;
    // Never before the previous entry, whatever this instance's clock says: the keys sort by time.
    const at = Math.max(deps.now(), head.at);
    const unsealed = {
      id,
      ...author,
      ...content,
      seq: head.seq + 1,
      at,
      previous: { at: head.at, digest: head.digest },
    };
    const digest = await digestOf(unsealed);
    const { seq, previous } = unsealed;
    const key = trailKey(ws, at, seq);
    const same = { condition: "#seq = :seq", names: { "#seq": "seq" }, values: { ":seq": head.seq } };
    const ttl = ttlOf(at + AUDIT_MS);
    const sealed = [
      putWrite(deps, key, { id, ...author, seq, at, content: deflate(content), previous, digest, ttl }),
      putWrite(deps, trailHeadKey(ws), { seq, at, digest }, head === START ? {} : same),
    ];
    const written = await writeTogether(deps, [...writes, ...sealed]);
    if (written.kind === "done") return written;
    // The client repeats a transaction whose answer was lost, and is refused because of its own first try.
    const isThere = (await getItem(deps, key, EntryItem))?.digest === digest;
    if (isThere) return { kind: "done" };
    const refusals = written.refusals.slice(0, writes.length);
    return refusals.some((refusal) => refusal !== undefined) ? { kind: "refused", refusals } : AGAIN;
  });
};

/** Entries between two times (milliseconds), both included, the newest first. `below`: only with lower numbers. */
export const listEntries = (
  deps: TableDeps,
  ws: WorkspaceId,
  { from, to, below, limit }: { from: number; to: number; below?: number | undefined; limit?: number },
): Promise<AuditEntry[]> =>
  queryItems(deps, { pk: trailPk(ws), ...trailRange(from, to, below) }, EntryItem, {
    descending: true,
    ...(limit === undefined ? {} : { limit }),
  });

/** The entries after one (none: `seq` is 0), the oldest first, at most `limit`. The keys sort as the numbers do. */
export const listEntriesAfter = (
  deps: TableDeps,
  ws: WorkspaceId,
  { at, seq }: Pick<Head, "at" | "seq">,
  limit: number,
): Promise<AuditEntry[]> => queryItems(deps, { pk: trailPk(ws), ...trailAfter(at, seq) }, EntryItem, { limit });

const HeadItem = v.object({ pk: v.string(), seq: v.number() });

/** How many entries the trails of some workspaces have, by workspace; eventually consistent. */
export const countEntries = async (deps: TableDeps, wss: readonly WorkspaceId[]): Promise<Map<string, number>> => {
  const heads = await batchGetItems(deps, wss.map(trailHeadKey), HeadItem, { consistent: false });
  return new Map(heads.map((head) => [workspaceOfKey(head), head.seq]));
};

export const readHead = async (deps: TableDeps, ws: WorkspaceId): Promise<Head> =>
  (await getItem(deps, trailHeadKey(ws), Head)) ?? START;
