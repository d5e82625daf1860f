import { createRequire } from "node:module";
import type { CreateTableCommandInput } from "@aws-sdk/client-dynamodb";
import { type Item, itemSize, type Place, placeOf, readUnits, type Value, writeUnits } from "./item.ts";
import { parseOnce, type Parser } from "./parse-once.ts";
import { compareKeys, type Shelf } from "./shelf.ts";

/*
 * DynamoDB as AWS answers: one table with a partition key `pk` and a sort key `sk`, on whatever shelf its items lie. Of
 * dynalite are the checks of requests, the decisions on conditions and the updates. What it lacks or has otherwise:
 * - `ReturnValuesOnConditionCheckFailure` gives the item that refused the write;
 * - a refused write costs units; sizes count UTF-8, and an item has 400 KB at most by them;
 * - `contains` on a set of binary values compares bytes, not what they are as text;
 * - an expression has 4 KB at most; a page ends at 1 MB, a batch's answer at 16 MB.
 * Every request is over when `execute` returns, as one of DynamoDB's partitions would do them: one at a time. There are no
 * transactions and no indexes, and nothing is deleted when its time to live is over.
 */

export type Request = {
  TableName?: string;
  Key?: Item;
  Item?: Item;
  ConsistentRead?: boolean;
  ScanIndexForward?: boolean;
  Limit?: number;
  ExclusiveStartKey?: Item;
  ExpressionAttributeValues?: Item;
  RequestItems?: Record<string, { Keys: Item[]; ConsistentRead?: boolean }>;
  ReturnValuesOnConditionCheckFailure?: string;
  ReturnConsumedCapacity?: string;
  FilterExpression?: string;
  Select?: string;
};
type KeyCondition = { ComparisonOperator: string; AttributeValueList: Value[] };
type Path = readonly (string | number)[];
type Expression = { type: string; name?: string; args: unknown[] };
/** A request as dynalite has checked it, its expressions parsed. */
type Checked = Request & {
  KeyConditions?: Record<string, KeyCondition>;
  _projection?: { paths: Path[] };
  _condition?: { expression: Expression };
};

type Callback = (error: unknown, result?: Record<string, unknown>) => void;
type Operation = {
  run: (store: object, data: Checked, done: Callback) => void;
  types: object;
  custom: unknown;
};
type Failure = { statusCode: number; body: { __type: string; message?: string } };

const require = createRequire(import.meta.url);
const validations: {
  checkTypes: (data: object, types: object) => Checked;
  checkValidations: (data: Checked, types: object, custom: unknown, store: object) => void;
} = require("dynalite/validations/index.js");
const {
  mapPath,
  mapPaths,
}: {
  mapPath: (path: Path, item: Item) => Value | undefined;
  mapPaths: (paths: Path[], item: Item) => Item;
} = require("dynalite/db/index.js");

for (const name of ["conditionParser", "updateParser"]) {
  const parser: Parser = require(`dynalite/db/${name}.js`);
  parseOnce(parser);
}

const operationOf = (name: string): Operation => {
  const file = name.charAt(0).toLowerCase() + name.slice(1);
  const run: Operation["run"] = require(`dynalite/actions/${file}.js`);
  const { types, custom }: Pick<Operation, "types" | "custom"> = require(`dynalite/validations/${file}.js`);
  return { run, types, custom };
};
const operations = new Map(
  ["GetItem", "Query", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem"].map((name) => [name, operationOf(name)]),
);
export const isOperation = (name: string): boolean => operations.has(name);

const ITEM_MAX_BYTES = 400 * 1024;
const EXPRESSION_MAX_BYTES = 4096;
const PAGE_BYTES = 1024 * 1024;
const BATCH_BYTES = 16 * 1024 * 1024;

const TYPE = "com.amazonaws.dynamodb.v20120810#";
const failure = (type: string, message: string): Failure => ({
  statusCode: 400,
  body: { __type: TYPE + type, message },
});
const invalid = (message: string): Failure => ({
  statusCode: 400,
  body: { __type: "com.amazon.coral.validate#ValidationException", message },
});
const isFailure = (error: unknown): error is Failure =>
  typeof error === "object" && error !== null && "statusCode" in error && "body" in error;

const isExpression = (value: unknown): value is Expression =>
  typeof value === "object" && value !== null && "type" in value && "args" in value && Array.isArray(value.args);
const isPath = (value: unknown): value is Path => Array.isArray(value);
const bytesOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "B" in value ? value.B : undefined;

/** dynalite compares bytes as UTF-8 text, where all that is not UTF-8 is the same. */
const withExactContains = (expression: Expression, item: Item): Expression => {
  const { name, args } = expression;
  if (name !== "contains")
    return { ...expression, args: args.map((one) => (isExpression(one) ? withExactContains(one, item) : one)) };
  const [path, wanted] = [args[0], bytesOf(args[1])];
  const set = isPath(path) ? mapPath(path, item)?.BS : undefined;
  if (wanted === undefined || set === undefined) return expression;
  return { type: "=", args: [{ BOOL: true }, { BOOL: set.some((bytes) => bytes === wanted) }] };
};

const checkExpressions = (given: object): void => {
  for (const [name, text] of Object.entries(given))
    if (name.endsWith("Expression") && typeof text === "string" && Buffer.byteLength(text) > EXPRESSION_MAX_BYTES)
      throw invalid(
        `Invalid ${name}: Expression size has exceeded the maximum allowed size; expression size: ${Buffer.byteLength(text)}`,
      );
};

const PK_MAX_BYTES = 2048;
const SK_MAX_BYTES = 1024;
const checkKey = ({ pk, sk }: Place): void => {
  if (Buffer.byteLength(pk) > PK_MAX_BYTES)
    throw invalid(`Size of hashkey has exceeded the maximum size limit of ${PK_MAX_BYTES} bytes`);
  if (Buffer.byteLength(sk) > SK_MAX_BYTES)
    throw invalid(`Aggregated size of all range keys has exceeded the size limit of ${SK_MAX_BYTES} bytes`);
};

const operandsOf = (condition: KeyCondition | undefined): string[] =>
  (condition?.AttributeValueList ?? []).map(({ S = "" }) => S);

/** The sort keys that a condition may hold for. */
const spanOf = (condition: KeyCondition | undefined): { low: string; high: string | undefined } => {
  const operator = condition?.ComparisonOperator ?? "";
  const [first = "", second] = operandsOf(condition);
  if (operator === "EQ") return { low: first, high: first };
  if (operator === "LT" || operator === "LE") return { low: "", high: first };
  if (operator === "BETWEEN") return { low: first, high: second };
  if (operator === "BEGINS_WITH") return { low: first, high: `${first}\u{10FFFF}` };
  return { low: first, high: undefined };
};
const isExcluded = (condition: KeyCondition | undefined, sk: string): boolean => {
  const operator = condition?.ComparisonOperator;
  const [first] = operandsOf(condition);
  return (
    ((operator === "LT" || operator === "GT") && sk === first) ||
    (operator === "BEGINS_WITH" && !sk.startsWith(first ?? ""))
  );
};

export type Units = { readUnits: number; writeUnits: number };
export type EngineAnswer = Units & { status: number; body: Record<string, unknown> };

/** What a partition can bear at the moment. */
export type Throttle = {
  allows: (pk: string, kind: "read" | "write") => boolean;
  use: (pk: string, kind: "read" | "write", units: number) => void;
};
const unlimited: Throttle = { allows: () => true, use: () => {} };

export type Write = Place & { before: Item | undefined; after: Item | undefined };

type Options = {
  tableName: string;
  shelf: Shelf;
  throttle?: Throttle;
  onWrite?: (write: Write) => void;
  /** The time by which a write is so old that every read sees it. */
  now?: () => number;
};

/** How long a read that need not be consistent may miss a write. */
const STALE_MS = 1000;

/** The keys of the one table that there is. */
export const tableKeys = {
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
  ],
} satisfies Pick<CreateTableCommandInput, "AttributeDefinitions" | "KeySchema">;

export const createEngine = ({
  tableName,
  shelf,
  throttle = unlimited,
  onWrite = () => {},
  now = () => 0,
}: Options) => {
  const table = { TableName: tableName, TableStatus: "ACTIVE", ...tableKeys };
  /** What a read that need not be consistent may still see of an item: how it was before the last write. */
  const former = new Map<string, Map<string, { item: Item | undefined; at: number }>>();

  const set = (place: Place, after: Item | undefined): void => {
    const before = shelf.get(place);
    const formerly = former.get(place.pk) ?? new Map<string, { item: Item | undefined; at: number }>();
    former.set(place.pk, formerly.set(place.sk, { item: before, at: now() }));
    shelf.set(place, after);
    onWrite({ ...place, before, after });
  };

  /** The place that dynalite's write is at. */
  let current: Place = { pk: "", sk: "" };
  const items = {
    lock: (_key: string, held: (release: (done: Callback) => Callback) => void) => held((done) => done),
    get: (_key: string, done: (error: unknown, item?: Item) => void) => {
      const item = shelf.get(current);
      if (item === undefined) done({ name: "NotFoundError" });
      else done(null, item);
    },
    put: (_key: string, item: Item, done: Callback) => {
      if (itemSize(item) > ITEM_MAX_BYTES) {
        done(invalid("Item size has exceeded the maximum allowed size"));
        return;
      }
      set(current, item);
      done(null);
    },
    del: (_key: string, done: Callback) => {
      if (shelf.get(current) !== undefined) set(current, undefined);
      done(null);
    },
  };
  const store = {
    options: { maxItemSize: Infinity },
    getTable: (name: string, ...rest: unknown[]) => {
      const done = rest.at(-1);
      if (typeof done !== "function") return;
      if (name === tableName) done(null, table);
      else done(failure("ResourceNotFoundException", "Requested resource not found"));
    },
    getItemDb: () => items,
  };

  const answered = (body: Record<string, unknown>, units: Partial<Units>): EngineAnswer => ({
    status: 200,
    body,
    readUnits: 0,
    writeUnits: 0,
    ...units,
  });
  const checkThrottle = (pk: string, kind: "read" | "write"): void => {
    if (!throttle.allows(pk, kind))
      throw failure("ThrottlingException", "Throughput exceeds the current capacity of your table or index.");
  };

  /** How an item looks to a read that may be stale. */
  const asSeen = ({ pk, sk }: Place, item: Item | undefined, stale: boolean): Item | undefined => {
    const formerly = stale ? former.get(pk)?.get(sk) : undefined;
    return formerly !== undefined && now() - formerly.at <= STALE_MS ? formerly.item : item;
  };
  const look = (place: Place, stale: boolean): Item | undefined => asSeen(place, shelf.get(place), stale);

  const perform = ({ run }: Operation, data: Checked): Record<string, unknown> => {
    let outcome: { error: unknown; result: Record<string, unknown> | undefined } | undefined;
    run(store, data, (error, result) => {
      outcome = { error, result };
    });
    if (outcome === undefined) throw new Error("dynalite has not answered");
    if (outcome.error !== null && outcome.error !== undefined) throw outcome.error;
    return outcome.result ?? {};
  };

  const write = (operation: Operation, data: Checked, showOld: boolean): EngineAnswer => {
    current = placeOf(data.Key ?? data.Item);
    checkKey(current);
    checkThrottle(current.pk, "write");
    const before = shelf.get(current);
    if (data._condition !== undefined)
      data._condition.expression = withExactContains(data._condition.expression, before ?? {});
    const units = { readUnits: 0, writeUnits: writeUnits(before, data.Item) };
    try {
      const body = perform(operation, data);
      units.writeUnits = writeUnits(before, shelf.get(current));
      return { ...units, status: 200, body };
    } catch (error) {
      if (!isFailure(error) || !error.body.__type.endsWith("#ConditionalCheckFailedException")) throw error;
      const shown = showOld && before !== undefined ? { Item: before } : {};
      return { ...units, status: error.statusCode, body: { ...error.body, ...shown } };
    } finally {
      throttle.use(current.pk, "write", units.writeUnits);
    }
  };

  const get = (data: Checked, stale: boolean): EngineAnswer => {
    const place = placeOf(data.Key);
    checkThrottle(place.pk, "read");
    const item = look(place, stale);
    const units = readUnits(item === undefined ? 0 : itemSize(item), data.ConsistentRead === true);
    throttle.use(place.pk, "read", units);
    return answered(item === undefined ? {} : { Item: item }, { readUnits: units });
  };

  const walk = function* (
    pk: string,
    condition: KeyCondition | undefined,
    descending: boolean,
    start: string | undefined,
    stale: boolean,
  ) {
    const { low, high } = spanOf(condition);
    const from = !descending && start !== undefined && compareKeys(start, low) > 0 ? start : low;
    const to = descending && start !== undefined ? start : high;
    const wanted = (sk: string) => sk !== start && !isExcluded(condition, sk);
    // What has been deleted since lies nowhere any more, and is left out: only what stands is seen as it was.
    for (const item of shelf.walk(pk, { low: from, high: to, descending })) {
      const { sk } = placeOf(item);
      const seen = asSeen({ pk, sk }, item, stale);
      if (seen !== undefined && wanted(sk)) yield { sk, item: seen };
    }
  };

  const query = (data: Checked, stale: boolean): EngineAnswer => {
    const [pk = ""] = operandsOf(data.KeyConditions?.["pk"]);
    checkThrottle(pk, "read");
    if (data.FilterExpression !== undefined || data.Select !== undefined)
      throw new Error("queries that filter or count are not known here");
    const start = data.ExclusiveStartKey === undefined ? undefined : placeOf(data.ExclusiveStartKey).sk;
    const found: Item[] = [];
    let bytes = 0;
    let last: string | undefined;
    let more = false;
    for (const { sk, item } of walk(pk, data.KeyConditions?.["sk"], data.ScanIndexForward === false, start, stale)) {
      if (bytes > PAGE_BYTES) more = true;
      if (more || found.length === data.Limit) break;
      bytes += itemSize(item);
      found.push(data._projection === undefined ? item : mapPaths(data._projection.paths, item));
      last = sk;
    }
    const units = readUnits(bytes, data.ConsistentRead === true);
    throttle.use(pk, "read", units);
    // A page that is full by its limit says that there may be more, also where there is not.
    const goesOn = last !== undefined && (more || found.length === data.Limit);
    const next = goesOn ? { LastEvaluatedKey: { pk: { S: pk }, sk: { S: last } } } : {};
    return answered({ Items: found, Count: found.length, ScannedCount: found.length, ...next }, { readUnits: units });
  };

  const batchGet = (data: Checked, stale: boolean): EngineAnswer => {
    const { Keys = [], ConsistentRead = false } = data.RequestItems?.[tableName] ?? {};
    const found: Item[] = [];
    const left: Item[] = [];
    let bytes = 0;
    let units = 0;
    for (const key of Keys) {
      const place = placeOf(key);
      if (bytes > BATCH_BYTES || !throttle.allows(place.pk, "read")) {
        left.push(key);
        continue;
      }
      const item = look(place, stale);
      const size = item === undefined ? 0 : itemSize(item);
      bytes += size;
      units += readUnits(size, ConsistentRead);
      throttle.use(place.pk, "read", readUnits(size, ConsistentRead));
      if (item !== undefined) found.push(item);
    }
    if (left.length === Keys.length) checkThrottle(placeOf(Keys[0]).pk, "read");
    const UnprocessedKeys = left.length === 0 ? {} : { [tableName]: { Keys: left, ConsistentRead } };
    return answered({ Responses: { [tableName]: found }, UnprocessedKeys }, { readUnits: units });
  };

  const work = (name: string, given: Request, stale: boolean): EngineAnswer => {
    const operation = operations.get(name);
    if (operation === undefined) throw failure("UnknownOperationException", `There is no ${name} here.`);
    checkExpressions(given);
    // dynalite takes what it does not know out of the request.
    const showOld = given.ReturnValuesOnConditionCheckFailure === "ALL_OLD";
    const data = validations.checkTypes(given, operation.types);
    validations.checkValidations(data, operation.types, operation.custom, store);
    const names = data.RequestItems === undefined ? [data.TableName] : Object.keys(data.RequestItems);
    if (names.some((one) => one !== tableName))
      throw failure("ResourceNotFoundException", "Requested resource not found");
    if (name === "GetItem") return get(data, stale);
    if (name === "Query") return query(data, stale);
    if (name === "BatchGetItem") return batchGet(data, stale);
    return write(operation, data, showOld);
  };

  return {
    /** Does one request. `stale`: a read that need not be consistent sees the state before the last write. */
    execute: (name: string, given: Request, { stale = false }: { stale?: boolean } = {}): EngineAnswer => {
      try {
        const consistent = [given, ...Object.values(given.RequestItems ?? {})].some(
          (one) => one.ConsistentRead === true,
        );
        const answer = work(name, given, stale && !consistent);
        const CapacityUnits = answer.readUnits + answer.writeUnits;
        const capacity = { TableName: tableName, CapacityUnits };
        if (answer.status !== 200 || (given.ReturnConsumedCapacity ?? "NONE") === "NONE") return answer;
        const shown = given.RequestItems === undefined ? capacity : [capacity];
        return { ...answer, body: { ...answer.body, ConsumedCapacity: shown } };
      } catch (error) {
        if (isFailure(error)) return { ...answered({ ...error.body }, {}), status: error.statusCode };
        throw error;
      }
    },
    close: shelf.close,
  };
};
export type Engine = ReturnType<typeof createEngine>;
