import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { readOwn } from "../domain/basics/read-own.ts";
import { auditKey, auditPk, dueUpTo, eventKey, eventsPk, lostKey, seqOfEventKey } from "./keys.ts";
import { deleteItem, getItem, putItem, queryItems, updateItem } from "./table.ts";

/*
 * Every admitted event has the next number of its workspace. A number whose event never came (its request died, or
 * lost a race for a dedupeKey) is written down as lost, so that `total` and the pages count events and not numbers.
 */

const LostItem = v.object({
  numbers: v.optional(v.set(v.number())),
  /** Up to here every number has been looked for. */
  checked: v.optional(v.number()),
  /** The last number that was handed out when the sequence was audited last. */
  pending: v.optional(v.number()),
  /** When that was, in milliseconds. */
  at: v.optional(v.number()),
});

export type LostNumbers = { numbers: number[]; checked: number; pending: number; at: number };

/** The lost numbers of a workspace in ascending order. */
export const readLostNumbers = async (
  deps: Pick<Deps, "table">,
  ws: string,
  options?: { consistent?: boolean },
): Promise<LostNumbers> => {
  const item = await getItem(deps, lostKey(ws), LostItem, options);
  return {
    numbers: [...(item?.numbers ?? [])].sort((a, b) => a - b),
    checked: item?.checked ?? 0,
    pending: item?.pending ?? 0,
    at: item?.at ?? 0,
  };
};

/** Writes numbers down as lost; doing it again changes nothing. */
export const markLost = async (deps: Pick<Deps, "table">, ws: string, numbers: readonly number[]): Promise<void> => {
  await updateItem(deps, lostKey(ws), LostItem, {
    update: "ADD numbers :numbers",
    values: { ":numbers": new Set(numbers) },
  });
};

/** Takes a number back from the lost: its event came after all. */
export const unmarkLost = async (deps: Pick<Deps, "table">, ws: string, number: number): Promise<void> => {
  await updateItem(deps, lostKey(ws), LostItem, {
    update: "DELETE numbers :numbers",
    values: { ":numbers": new Set([number]) },
  });
};

type Progress = Pick<LostNumbers, "checked" | "pending" | "at">;

/** Notes how far the sequence has been audited, and says whether: not where another audit has gone on from `seen`. */
export const noteAudited = async (
  deps: Pick<Deps, "table">,
  ws: string,
  seen: Progress,
  next: Progress,
): Promise<boolean> => {
  const result = await updateItem(deps, lostKey(ws), LostItem, {
    update: "SET checked = :checked, pending = :pending, #at = :at",
    condition:
      seen.at === 0
        ? "attribute_not_exists(#at)"
        : "checked = :seenChecked AND pending = :seenPending AND #at = :seenAt",
    names: { "#at": "at" },
    values: {
      ":checked": next.checked,
      ":pending": next.pending,
      ":at": next.at,
      ...(seen.at === 0 ? {} : { ":seenChecked": seen.checked, ":seenPending": seen.pending, ":seenAt": seen.at }),
    },
  });
  return result.kind === "done";
};

const KeysPage = v.array(v.object({ sk: v.string() }));

/** The numbers from `from` to `to` under which an event is stored; strongly consistent unless a stale look will do. */
export const storedNumbers = async (
  deps: Pick<Deps, "table">,
  ws: string,
  { from, to }: { from: number; to: number },
  { consistent = true }: { consistent?: boolean } = {},
): Promise<Set<number>> => {
  const found = new Set<number>();
  let start: Record<string, unknown> | undefined;
  do {
    const page = await deps.table.client.send(
      new QueryCommand({
        TableName: deps.table.name,
        KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
        ExpressionAttributeValues: { ":pk": eventsPk(ws), ":from": eventKey(ws, from).sk, ":to": eventKey(ws, to).sk },
        ProjectionExpression: "sk",
        ConsistentRead: consistent,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    for (const key of readOwn("a page of keys", KeysPage, page.Items ?? [])) found.add(seqOfEventKey(key));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return found;
};

const AuditItem = v.object({ ws: v.string(), due: v.number() });
export type Audit = v.InferOutput<typeof AuditItem>;

/** Plans the next audit of a workspace's sequence. Every workspace has one from its creation on. */
export const scheduleAudit = (deps: Pick<Deps, "table">, audit: Audit): Promise<void> =>
  putItem(deps, auditKey(audit.due, audit.ws), audit);

export const removeAudit = (deps: Pick<Deps, "table">, audit: Audit): Promise<void> =>
  deleteItem(deps, auditKey(audit.due, audit.ws));

export const listDueAudits = (
  deps: Pick<Deps, "table">,
  shard: string,
  upTo: number,
  limit: number,
): Promise<Audit[]> => queryItems(deps, { pk: auditPk(shard), to: dueUpTo(upTo) }, AuditItem, { limit });
