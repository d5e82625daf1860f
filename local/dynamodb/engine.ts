import {
  type Checked,
  checkRequest,
  type Operation,
  operations,
  performWrite,
  projectItem,
  type Request,
} from "./dynalite.ts";
import { type Failure, createFailure, createValidationFailure, isFailure } from "./failure.ts";
import { type Item, countItemBytes, type Key, readKey, countReadUnits, countWriteUnits } from "./item.ts";
import { createStaleReads, type Previous } from "./stale-reads.ts";
import { compareKeys, type ItemStore } from "./item-store.ts";
import { isExcluded, type KeyCondition, listOperands, findSortKeyRange } from "./sort-key.ts";

/*
 * Simulates DynamoDB: one table with a partition key `pk` and a sort key `sk`. An `ItemStore` stores the table's items.
 * dynalite checks requests, evaluates conditions and makes the updates. This file adds what dynalite lacks or does
 * differently from AWS.
 * `ReturnValuesOnConditionCheckFailure` returns the item that refused the write.
 * A refused write costs units. Sizes count UTF-8 bytes, and an item has at most 400 KB.
 * `contains` on a set of binary values compares bytes, not their text.
 * An expression has at most 4 KB. A page ends at 1 MB, and a batch's answer ends at 16 MB.
 * Transactions of writes have no request tokens: a repeated transaction is a new transaction.
 * Requests are executed one at a time, as within a partition of DynamoDB. There are no indexes, and no item is deleted
 * when its time to live is over.
 */

const TRANSACTION = "TransactWriteItems";

export const isSupportedOperation = (name: string): boolean => operations.has(name) || name === TRANSACTION;

const EXPRESSION_MAX_BYTES = 4096;
const PAGE_BYTES = 1024 * 1024;
const BATCH_BYTES = 16 * 1024 * 1024;
const PK_MAX_BYTES = 2048;
const SK_MAX_BYTES = 1024;

export type Units = { readUnits: number; writeUnits: number };
export type EngineAnswer = Units & { status: number; body: Record<string, unknown> };

export type Throttle = {
  allows: (pk: string, kind: "read" | "write") => boolean;
  use: (pk: string, kind: "read" | "write", units: number) => void;
};
const unlimited: Throttle = { allows: () => true, use: () => {} };

export type ItemWrite = Key & { before: Item | undefined; after: Item | undefined };

type Table = {
  name: string;
  store: ItemStore;
  throttle: Throttle;
  onWrite: (write: ItemWrite) => void;
  previous: Previous;
};

const createAnswer = (body: Record<string, unknown>, units: Partial<Units>): EngineAnswer => ({
  status: 200,
  body,
  readUnits: 0,
  writeUnits: 0,
  ...units,
});

const checkExpressionSizes = (request: object): void => {
  for (const [name, text] of Object.entries(request))
    if (name.endsWith("Expression") && typeof text === "string" && Buffer.byteLength(text) > EXPRESSION_MAX_BYTES)
      throw createValidationFailure(
        `Invalid ${name}: Expression size has exceeded the maximum allowed size; expression size: ${Buffer.byteLength(text)}`,
      );
};

const checkKeySize = ({ pk, sk }: Key): void => {
  if (Buffer.byteLength(pk) > PK_MAX_BYTES)
    throw createValidationFailure(`Size of hashkey has exceeded the maximum size limit of ${PK_MAX_BYTES} bytes`);
  if (Buffer.byteLength(sk) > SK_MAX_BYTES)
    throw createValidationFailure(
      `Aggregated size of all range keys has exceeded the size limit of ${SK_MAX_BYTES} bytes`,
    );
};

const checkThrottle = ({ throttle }: Table, pk: string, kind: "read" | "write"): void => {
  if (!throttle.allows(pk, kind))
    throw createFailure("ThrottlingException", "Throughput exceeds the current capacity of your table or index.");
};

/** The result of a write that is not applied yet. `refused`: the failure if the write's condition is not met. */
/** What a write would change, and its answer; or the refusal with the stored item (`shown`) if the request asks for it. */
type WriteAttempt = Key & { before: Item | undefined; after: Item | undefined; units: number } & (
    | { body: Record<string, unknown> }
    | { refused: Failure; shown: { Item?: Item } }
  );

/** Computes what a write changes, without storing it. `mustReturnOld`: the answer to a refused write has the stored item. */
const attemptWrite = (table: Table, operation: Operation, request: Checked, mustReturnOld: boolean): WriteAttempt => {
  const key = readKey(request.Key ?? request.Item);
  checkKeySize(key);
  checkThrottle(table, key.pk, "write");
  const before = table.store.get(key);
  let after = before;
  const setItem = (item: Item | undefined): void => {
    after = item;
  };
  try {
    const body = performWrite(table.name, operation, request, { get: () => before, set: setItem });
    return { ...key, before, after, units: countWriteUnits(before, after), body };
  } catch (error) {
    if (!isFailure(error) || !error.body.__type.endsWith("#ConditionalCheckFailedException")) throw error;
    const shown = mustReturnOld && before !== undefined ? { Item: before } : {};
    return { ...key, before, after: before, units: countWriteUnits(before, request.Item), refused: error, shown };
  }
};

/** Stores what a write changes, and keeps the previous item for eventually consistent reads. */
const applyWrite = ({ store, previous, onWrite }: Table, { pk, sk, before, after }: WriteAttempt): void => {
  if (after === before) return;
  previous.keep({ pk, sk }, before);
  store.set({ pk, sk }, after);
  onWrite({ pk, sk, before, after });
};

/** Performs a write outside a transaction. `mustReturnOld`: a refused write returns the item that refused the write. */
const writeItem = (table: Table, operation: Operation, request: Checked, mustReturnOld: boolean): EngineAnswer => {
  const tried = attemptWrite(table, operation, request, mustReturnOld);
  const units = { readUnits: 0, writeUnits: tried.units };
  table.throttle.use(tried.pk, "write", tried.units);
  if ("refused" in tried)
    return { ...units, status: tried.refused.statusCode, body: { ...tried.refused.body, ...tried.shown } };
  applyWrite(table, tried);
  return { ...units, status: 200, body: tried.body };
};

const TRANSACTION_MAX = 100;
const writeOperations: Readonly<Record<string, string>> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
};

/** Performs all writes of a transaction or none, for twice the units. */
const transactItems = (table: Table, { TransactItems = [] }: Request): EngineAnswer => {
  if (TransactItems.length === 0 || TransactItems.length > TRANSACTION_MAX)
    throw createValidationFailure(`Member must have length less than or equal to ${TRANSACTION_MAX}`);
  const tried = TransactItems.flatMap((one) => Object.entries(one)).map(([kind, given]) => {
    const operation = operations.get(writeOperations[kind] ?? "");
    if (operation === undefined) throw new Error(`transactions with ${kind} are not supported here`);
    checkExpressionSizes(given);
    const showOld = given.ReturnValuesOnConditionCheckFailure === "ALL_OLD";
    const data = checkRequest(operation, given);
    if (data.TableName !== table.name) throw createFailure("ResourceNotFoundException", "Requested resource not found");
    return attemptWrite(table, operation, data, showOld);
  });
  if (new Set(tried.map(({ pk, sk }) => JSON.stringify([pk, sk]))).size < tried.length)
    throw createValidationFailure("Transaction request cannot include multiple operations on one item");
  for (const { pk, units } of tried) table.throttle.use(pk, "write", 2 * units);
  const units = { writeUnits: 2 * tried.reduce((sum, one) => sum + one.units, 0) };
  if (!tried.some((one) => "refused" in one)) {
    table.store.together(() => {
      for (const one of tried) applyWrite(table, one);
    });
    return createAnswer({}, units);
  }
  const CancellationReasons = tried.map((one) =>
    "refused" in one
      ? { Code: "ConditionalCheckFailed", Message: "The conditional request failed", ...one.shown }
      : { Code: "None" },
  );
  const { statusCode, body } = createFailure(
    "TransactionCanceledException",
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${CancellationReasons.map(({ Code }) => Code).join(", ")}]`,
  );
  return { ...createAnswer({ ...body, CancellationReasons }, units), status: statusCode };
};

const getItem = (table: Table, request: Checked, missesRecentWrites: boolean): EngineAnswer => {
  const key = readKey(request.Key);
  checkThrottle(table, key.pk, "read");
  const item = table.previous.asSeen(key, table.store.get(key), missesRecentWrites);
  const units = countReadUnits(item === undefined ? 0 : countItemBytes(item), request.ConsistentRead === true);
  table.throttle.use(key.pk, "read", units);
  return createAnswer(item === undefined ? {} : { Item: item }, { readUnits: units });
};

type ItemWalk = {
  pk: string;
  condition: KeyCondition | undefined;
  descending: boolean;
  start: string | undefined;
  stale: boolean;
};
/** Yields a partition's items that meet the condition, in order of sort keys, after the key `start`. */
const walkItems = function* ({ store, previous }: Table, { pk, condition, descending, start, stale }: ItemWalk) {
  const { low, high } = findSortKeyRange(condition);
  const from = !descending && start !== undefined && compareKeys(start, low) > 0 ? start : low;
  const to = descending && start !== undefined ? start : high;
  const isWantedSortKey = (sk: string) => sk !== start && !isExcluded(condition, sk);
  // On AWS, stale reads may also return deleted items; in this simulation, they do not.
  for (const item of store.walk(pk, { low: from, high: to, descending })) {
    const { sk } = readKey(item);
    const seen = previous.asSeen({ pk, sk }, item, stale);
    if (seen !== undefined && isWantedSortKey(sk)) yield { sk, item: seen };
  }
};

const queryItems = (table: Table, request: Checked, missesRecentWrites: boolean): EngineAnswer => {
  const [pk = ""] = listOperands(request.KeyConditions?.["pk"]);
  checkThrottle(table, pk, "read");
  if (request.FilterExpression !== undefined || request.Select !== undefined)
    throw new Error("queries that filter or count are not supported here");
  const start = request.ExclusiveStartKey === undefined ? undefined : readKey(request.ExclusiveStartKey).sk;
  const descending = request.ScanIndexForward === false;
  const found: Item[] = [];
  let bytes = 0;
  let last: string | undefined;
  let more = false;
  for (const { sk, item } of walkItems(table, {
    pk,
    condition: request.KeyConditions?.["sk"],
    descending,
    start,
    stale: missesRecentWrites,
  })) {
    if (bytes > PAGE_BYTES) more = true;
    if (more || found.length === request.Limit) break;
    bytes += countItemBytes(item);
    found.push(projectItem(item, request._projection));
    last = sk;
  }
  const units = countReadUnits(bytes, request.ConsistentRead === true);
  table.throttle.use(pk, "read", units);
  // As on AWS, a page that reaches its limit says that there may be more items, even if no more items exist.
  const goesOn = last !== undefined && (more || found.length === request.Limit);
  const next = goesOn ? { LastEvaluatedKey: { pk: { S: pk }, sk: { S: last } } } : {};
  return createAnswer({ Items: found, Count: found.length, ScannedCount: found.length, ...next }, { readUnits: units });
};

/** Returns a page of all items. Scans are not throttled, because only the operator's tool scans. */
const scanItems = ({ store }: Table, request: Checked): EngineAnswer => {
  if (request.FilterExpression !== undefined || request.Select !== undefined || request.Limit !== undefined)
    throw new Error("scans that filter, count or stop are not supported here");
  const found: Item[] = [];
  let bytes = 0;
  let next = {};
  const start = request.ExclusiveStartKey === undefined ? undefined : readKey(request.ExclusiveStartKey);
  for (const item of store.all(start)) {
    if (bytes > PAGE_BYTES) {
      const { pk, sk } = readKey(found.at(-1));
      next = { LastEvaluatedKey: { pk: { S: pk }, sk: { S: sk } } };
      break;
    }
    bytes += countItemBytes(item);
    found.push(item);
  }
  const units = countReadUnits(bytes, request.ConsistentRead === true);
  return createAnswer({ Items: found, Count: found.length, ScannedCount: found.length, ...next }, { readUnits: units });
};

const batchGetItems = (table: Table, request: Checked, missesRecentWrites: boolean): EngineAnswer => {
  const { name, store, throttle, previous } = table;
  const { Keys = [], ConsistentRead = false } = request.RequestItems?.[name] ?? {};
  const found: Item[] = [];
  const left: Item[] = [];
  let bytes = 0;
  let units = 0;
  for (const asked of Keys) {
    const key = readKey(asked);
    if (bytes > BATCH_BYTES || !throttle.allows(key.pk, "read")) {
      left.push(asked);
      continue;
    }
    const item = previous.asSeen(key, store.get(key), missesRecentWrites);
    const size = item === undefined ? 0 : countItemBytes(item);
    bytes += size;
    units += countReadUnits(size, ConsistentRead);
    throttle.use(key.pk, "read", countReadUnits(size, ConsistentRead));
    if (item !== undefined) found.push(item);
  }
  if (left.length === Keys.length) checkThrottle(table, readKey(Keys[0]).pk, "read");
  const UnprocessedKeys = left.length === 0 ? {} : { [name]: { Keys: left, ConsistentRead } };
  return createAnswer({ Responses: { [name]: found }, UnprocessedKeys }, { readUnits: units });
};

/** Checks and performs an operation by its name. Throws a Failure if AWS would refuse the operation. */
const performOperation = (table: Table, name: string, request: Request, missesRecentWrites: boolean): EngineAnswer => {
  if (name === TRANSACTION) return transactItems(table, request);
  const operation = operations.get(name);
  if (operation === undefined) throw createFailure("UnknownOperationException", `Not supported locally: ${name}.`);
  checkExpressionSizes(request);
  // ReturnValuesOnConditionCheckFailure is read before the checks, because dynalite removes members that it does not know.
  const showOld = request.ReturnValuesOnConditionCheckFailure === "ALL_OLD";
  const data = checkRequest(operation, request);
  const names = data.RequestItems === undefined ? [data.TableName] : Object.keys(data.RequestItems);
  if (names.some((one) => one !== table.name))
    throw createFailure("ResourceNotFoundException", "Requested resource not found");
  if (name === "GetItem") return getItem(table, data, missesRecentWrites);
  if (name === "Query") return queryItems(table, data, missesRecentWrites);
  if (name === "Scan") return scanItems(table, data);
  if (name === "BatchGetItem") return batchGetItems(table, data, missesRecentWrites);
  return writeItem(table, operation, data, showOld);
};

type EngineOptions = Pick<Table, "store"> &
  Partial<Pick<Table, "throttle" | "onWrite">> & {
    tableName: string;
    /** The clock that decides when every read begins to see a write. */
    now?: () => number;
  };

/** Creates a table of DynamoDB. `store`: the store of the table's items; `onWrite`: called after each write. */
export const createEngine = ({
  tableName,
  store,
  throttle = unlimited,
  onWrite = () => {},
  now = () => 0,
}: EngineOptions) => {
  const table: Table = { name: tableName, store, throttle, onWrite, previous: createStaleReads(now) };
  return {
    /** Executes a request; the answer may be a refusal. `stale`: eventually consistent reads miss the last write. */
    execute: (name: string, request: Request, { stale = false }: { stale?: boolean } = {}): EngineAnswer => {
      try {
        const consistent = [request, ...Object.values(request.RequestItems ?? {})].some(
          (one) => one.ConsistentRead === true,
        );
        const answer = performOperation(table, name, request, stale && !consistent);
        const CapacityUnits = answer.readUnits + answer.writeUnits;
        const capacity = { TableName: tableName, CapacityUnits };
        if (answer.status !== 200 || (request.ReturnConsumedCapacity ?? "NONE") === "NONE") return answer;
        const isOne = request.RequestItems === undefined && request.TransactItems === undefined;
        const shown = isOne ? capacity : [capacity];
        return { ...answer, body: { ...answer.body, ConsumedCapacity: shown } };
      } catch (error) {
        if (isFailure(error)) return { ...createAnswer({ ...error.body }, {}), status: error.statusCode };
        throw error;
      }
    },
    close: store.close,
  };
};
export type Engine = ReturnType<typeof createEngine>;
