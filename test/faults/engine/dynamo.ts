import { createRequire } from "node:module";
import type { Invocation } from "./kernel.ts";

/*
 * DynamoDB in this process and without its network: the actions and the checks are dynalite's, the store is two maps,
 * and every action is over when it returns, as one of DynamoDB's partitions would do them: one at a time.
 */

/** An attribute value as it is on the wire. */
export type Value = {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  NULL?: boolean;
  M?: Record<string, Value>;
  L?: Value[];
  SS?: string[];
  NS?: string[];
  BS?: string[];
};
export type Item = Record<string, Value>;

export type Request = {
  TableName?: string;
  Key?: Item;
  Item?: Item;
  ConsistentRead?: boolean;
  ScanIndexForward?: boolean;
  Limit?: number;
  ExclusiveStartKey?: Item;
  KeyConditions?: Record<string, { ComparisonOperator: string; AttributeValueList: Value[] }>;
  _projection?: { paths: unknown[] };
  RequestItems?: Record<string, { Keys: Item[]; ConsistentRead?: boolean }>;
  ReturnValuesOnConditionCheckFailure?: string;
};

export type Answer = { status: number; body: Record<string, unknown> };

type Callback = (error: unknown, result?: unknown) => void;
type Action = (store: unknown, data: Request, done: Callback) => void;
type Validations = {
  checkTypes: (data: Request, types: unknown) => Request;
  checkValidations: (data: Request, types: unknown, custom: unknown, store: unknown) => void;
};
type Fault = { statusCode: number; body: { __type: string } };

const require = createRequire(import.meta.url);
const validations = require("dynalite/validations") as Validations;
const { itemSize, mapPaths } = require("dynalite/db") as {
  itemSize: (item: Item) => number;
  mapPaths: (paths: unknown[], item: Item) => Item;
};
const load = (name: string) => ({
  run: require(`dynalite/actions/${name}`) as Action,
  ...(require(`dynalite/validations/${name}`) as { types: unknown; custom: unknown }),
});
const actions: Record<string, ReturnType<typeof load>> = {
  GetItem: load("getItem"),
  PutItem: load("putItem"),
  UpdateItem: load("updateItem"),
  DeleteItem: load("deleteItem"),
  Query: load("query"),
  BatchGetItem: load("batchGetItem"),
};

export const TABLE_NAME = "events";
const table = {
  TableName: TABLE_NAME,
  TableStatus: "ACTIVE",
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
  ],
};

const PAGE_BYTES = 1024 * 1024;

export type Snapshot = ReadonlyMap<string, ReadonlyMap<string, Item>>;
export type Place = { pk: string; sk: string };
/** `by`: the invocation that asked for it, where one did. */
export type Write = Place & { before: Item | undefined; after: Item | undefined; by: Invocation | undefined };

const placeOf = (key: Item | undefined): Place => ({ pk: key?.["pk"]?.S ?? "", sk: key?.["sk"]?.S ?? "" });

/** Where a request goes, for the story and for faults that choose their victims. */
export const placeOfRequest = (request: Request): Place => {
  const conditions = request as { ExpressionAttributeValues?: Record<string, Value> };
  if (request.Key !== undefined || request.Item !== undefined) return placeOf(request.Key ?? request.Item);
  const values = conditions.ExpressionAttributeValues;
  if (values !== undefined) return { pk: values[":pk"]?.S ?? "", sk: "" };
  const [batch] = Object.values(request.RequestItems ?? {});
  return { pk: placeOf(batch?.Keys[0]).pk, sk: `(${batch?.Keys.length ?? 0} keys)` };
};

const inRange = (sk: string, condition: { ComparisonOperator: string; AttributeValueList: Value[] } | undefined) => {
  if (condition === undefined) return true;
  const [low = "", high = ""] = condition.AttributeValueList.map(({ S }) => S ?? "");
  switch (condition.ComparisonOperator) {
    case "EQ":
      return sk === low;
    case "LT":
      return sk < low;
    case "LE":
      return sk <= low;
    case "GT":
      return sk > low;
    case "GE":
      return sk >= low;
    case "BETWEEN":
      return sk >= low && sk <= high;
    case "BEGINS_WITH":
      return sk.startsWith(low);
    default:
      throw new Error(`no key condition ${condition.ComparisonOperator}`);
  }
};

export const createDynamo = (snapshot: Snapshot, onWrite: (write: Write) => void = () => {}) => {
  const partitions = new Map<string, Map<string, Item>>();
  for (const [pk, items] of snapshot) partitions.set(pk, new Map(items));
  /** The last state that an eventually consistent read may still see. */
  const former = new Map<string, Item | undefined>();

  const get = ({ pk, sk }: Place) => partitions.get(pk)?.get(sk);
  const set = ({ pk, sk }: Place, after: Item | undefined) => {
    const before = get({ pk, sk });
    former.set(`${pk}|${sk}`, before);
    const items = partitions.get(pk) ?? new Map<string, Item>();
    partitions.set(pk, items);
    if (after === undefined) items.delete(sk);
    else items.set(sk, after);
    onWrite({ pk, sk, before, after, by });
  };

  let current: Place = { pk: "", sk: "" };
  let by: Invocation | undefined;
  const itemDb = {
    lock: (_key: string, held: (release: (done: Callback) => Callback) => void) => held((done) => done),
    get: (_key: string, done: Callback) => {
      const item = get(current);
      if (item === undefined) done({ name: "NotFoundError" });
      else done(null, item);
    },
    put: (_key: string, item: Item, done: Callback) => {
      set(current, item);
      done(null);
    },
    del: (_key: string, done: Callback) => {
      if (get(current) !== undefined) set(current, undefined);
      done(null);
    },
  };
  const store = {
    options: { maxItemSize: 400 * 1024 },
    getTable: (_name: string, ...rest: unknown[]) => (rest.at(-1) as Callback)(null, table),
    getItemDb: () => itemDb,
  };

  const query = (data: Request): Record<string, unknown> => {
    const pk = data.KeyConditions?.["pk"]?.AttributeValueList[0]?.S ?? "";
    const condition = data.KeyConditions?.["sk"];
    const items = partitions.get(pk) ?? new Map<string, Item>();
    const descending = data.ScanIndexForward === false;
    const start = data.ExclusiveStartKey === undefined ? undefined : placeOf(data.ExclusiveStartKey).sk;
    const sks = [...items.keys()]
      .filter((sk) => inRange(sk, condition))
      .filter((sk) => start === undefined || (descending ? sk < start : sk > start))
      .sort((a, b) => (a < b ? -1 : 1));
    if (descending) sks.reverse();
    const found: Item[] = [];
    let bytes = 0;
    let last: string | undefined;
    for (const sk of sks) {
      if (found.length === data.Limit || bytes > PAGE_BYTES) break;
      const item = items.get(sk)!;
      bytes += itemSize(item);
      found.push(data._projection === undefined ? item : mapPaths(data._projection.paths, item));
      last = sk;
    }
    const more = found.length === data.Limit || found.length < sks.length;
    return {
      Items: found,
      Count: found.length,
      ScannedCount: found.length,
      ...(more && last !== undefined ? { LastEvaluatedKey: { pk: { S: pk }, sk: { S: last } } } : {}),
    };
  };

  const batchGet = (data: Request): Record<string, unknown> => ({
    Responses: {
      [TABLE_NAME]: (data.RequestItems?.[TABLE_NAME]?.Keys ?? []).flatMap((key) => get(placeOf(key)) ?? []),
    },
    UnprocessedKeys: {},
  });

  const refused = (error: unknown, showOld: boolean): Answer => {
    if (typeof error !== "object" || error === null || !("statusCode" in error)) throw error;
    const { statusCode, body } = error as Fault;
    const item = get(current);
    const shown = body.__type.endsWith("ConditionalCheckFailedException") && showOld && item !== undefined;
    return { status: statusCode, body: shown ? { ...body, Item: item } : body };
  };

  /** Does one request as it stands on the wire. */
  const perform = (operation: string, request: Request, invocation?: Invocation): Answer => {
    by = invocation;
    const action = actions[operation];
    if (action === undefined) throw new Error(`no operation ${operation}`);
    current = placeOf(request.Key ?? request.Item);
    // The checks take what they do not know out of the request.
    const showOld = request.ReturnValuesOnConditionCheckFailure === "ALL_OLD";
    try {
      const data = validations.checkTypes(request, action.types);
      validations.checkValidations(data, action.types, action.custom, store);
      if (operation === "Query") return { status: 200, body: query(data) };
      if (operation === "BatchGetItem") return { status: 200, body: batchGet(data) };
      let answer: Answer | undefined;
      action.run(store, data, (error, result) => {
        answer =
          error === null || error === undefined
            ? { status: 200, body: result as Record<string, unknown> }
            : refused(error, showOld);
      });
      if (answer === undefined) throw new Error(`${operation} is not over`);
      return answer;
    } catch (error) {
      return refused(error, showOld);
    }
  };

  /** An eventually consistent read that sees the state before the last write. */
  const performStale = (operation: string, request: Request): Answer => {
    const before = (key: Item) => {
      const { pk, sk } = placeOf(key);
      return former.has(`${pk}|${sk}`) ? former.get(`${pk}|${sk}`) : get({ pk, sk });
    };
    if (operation === "GetItem") {
      const item = before(request.Key ?? {});
      return { status: 200, body: item === undefined ? {} : { Item: item } };
    }
    const keys = request.RequestItems?.[TABLE_NAME]?.Keys ?? [];
    return {
      status: 200,
      body: { Responses: { [TABLE_NAME]: keys.flatMap((key) => before(key) ?? []) }, UnprocessedKeys: {} },
    };
  };

  return {
    perform,
    performStale,
    get,
    /** The items of a partition, in the order of their sort keys. */
    list: (pk: string): Item[] =>
      [...(partitions.get(pk) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item),
    partitions: (): string[] => [...partitions.keys()],
    snapshot: (): Snapshot => new Map([...partitions].map(([pk, items]) => [pk, new Map(items)])),
  };
};
export type Dynamo = ReturnType<typeof createDynamo>;
