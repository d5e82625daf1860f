import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";
import type { CreateTableCommandInput } from "@aws-sdk/client-dynamodb";
import { createFailure, createValidationFailure } from "./failure.ts";
import { type Item, countItemBytes, type Value } from "./item.ts";
import { cacheParsed, type Parser } from "./parse-once.ts";
import type { KeyCondition } from "./sort-key.ts";

/* Uses parts of dynalite: its checks of requests, its conditions and its updates. */

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
  /** The writes of a transaction. Each entry maps the kind of one write, such as `Put`, to the write. */
  TransactItems?: Record<string, Request>[];
  ReturnValuesOnConditionCheckFailure?: string;
  ReturnConsumedCapacity?: string;
  FilterExpression?: string;
  Select?: string;
};
type AttributePath = readonly (string | number)[];
type Expression = { type: string; name?: string; args: unknown[] };
export type Checked = Request & {
  KeyConditions?: Record<string, KeyCondition>;
  _projection?: { paths: AttributePath[] };
  _condition?: { expression: Expression };
};

type DynaliteCallback = (error: unknown, result?: Record<string, unknown>) => void;
export type Operation = {
  name: string;
  run: (store: object, data: Checked, done: DynaliteCallback) => void;
  types: object;
  custom: unknown;
};

const require = createRequire(import.meta.url);
const validations: {
  checkTypes: (data: object, types: object) => Checked;
  checkValidations: (data: Checked, types: object, custom: unknown, store: object) => void;
} = require("dynalite/validations/index.js");
const database: {
  mapPath: (path: AttributePath, item: Item) => Value | undefined;
  mapPaths: (paths: AttributePath[], item: Item) => Item;
} = require("dynalite/db/index.js");
// dynalite's functions for sizes, units and indexes take much of a write's time. The engine does not need them: it has no
// indexes, and counts sizes and units itself.
Object.assign(database, {
  addConsumedCapacity: () => undefined,
  createKey: () => "",
  itemSize: () => 0,
  updateIndexes: (_store: object, _table: object, _before: unknown, _after: unknown, done: () => void) => done(),
});

for (const name of ["conditionParser", "updateParser"]) {
  const parser: Parser = require(`dynalite/db/${name}.js`);
  cacheParsed(parser);
}

/** Loads dynalite's code for one operation, such as `GetItem`. */
const loadOperation = (name: string): Operation => {
  const file = name.charAt(0).toLowerCase() + name.slice(1);
  const run: Operation["run"] = require(`dynalite/actions/${file}.js`);
  const { types, custom }: Pick<Operation, "types" | "custom"> = require(`dynalite/validations/${file}.js`);
  return { name, run, types, custom };
};
export const operations: ReadonlyMap<string, Operation> = new Map(
  ["GetItem", "Query", "Scan", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem"].map((name) => [
    name,
    loadOperation(name),
  ]),
);

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

const ITEM_MAX_BYTES = 400 * 1024;

export type ItemSlot = { get: () => Item | undefined; set: (item: Item | undefined) => void };
const nowhere: ItemSlot = { get: () => undefined, set: () => {} };

/** Creates a store of one item with the interface that dynalite expects. `slot`: reads and changes the item. */
const createSlotStore = (tableName: string, slot: ItemSlot) => {
  const items = {
    lock: (_key: string, held: (release: (done: DynaliteCallback) => DynaliteCallback) => void) => held((done) => done),
    get: (_key: string, done: (error: unknown, item?: Item) => void) => {
      const item = slot.get();
      if (item === undefined) done({ name: "NotFoundError" });
      else done(null, item);
    },
    put: (_key: string, item: Item, done: DynaliteCallback) => {
      if (countItemBytes(item) > ITEM_MAX_BYTES) {
        done(createValidationFailure("Item size has exceeded the maximum allowed size"));
        return;
      }
      slot.set(item);
      done(null);
    },
    del: (_key: string, done: DynaliteCallback) => {
      if (slot.get() !== undefined) slot.set(undefined);
      done(null);
    },
  };
  return {
    options: { maxItemSize: Infinity },
    getTable: (name: string, ...rest: unknown[]) => {
      const done = rest.at(-1);
      if (typeof done !== "function") return;
      if (name === tableName) done(null, { TableName: tableName, TableStatus: "ACTIVE", ...tableKeys });
      else done(createFailure("ResourceNotFoundException", "Requested resource not found"));
    },
    getItemDb: () => items,
  };
};

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
/** Returns whether the value is a list of texts, not empty and each only once, as required for a set. */
const isSet = (texts: unknown): boolean =>
  Array.isArray(texts) && texts.length > 0 && texts.every(isText) && new Set(texts).size === texts.length;
/** Returns whether the item has only values that dynalite would accept unchanged. */
const isPlainItem = (item: unknown): boolean => isObject(item) && Object.values(item).every(isPlainValue);
/** Returns true if dynalite certainly accepts the value unchanged. Returns false for fractions, bytes and sets of numbers. */
const isPlainValue = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const [[type, content] = [], more] = Object.entries(value);
  if (more !== undefined) return false;
  if (type === "S") return isText(content);
  if (type === "N") return isText(content) && /^(?:0|-?[1-9]\d{0,20})$/.test(content);
  if (type === "M") return isPlainItem(content);
  if (type === "L") return Array.isArray(content) && content.every(isPlainValue);
  if (type === "SS") return isSet(content);
  return (type === "BOOL" && typeof content === "boolean") || (type === "NULL" && content === true);
};

const CHECKED_MAX = 2000;
const checkedRequests = new Map<string, Checked>();
const emptyStore = createSlotStore("", nowhere);

/** Checks a request whose items were replaced by {}. Caches the result, because dynalite is slow. */
const checkEmptied = ({ name, types }: Operation, request: Request): Checked => {
  const key = JSON.stringify([name, request]);
  const known = checkedRequests.get(key);
  if (known !== undefined) return known;
  const data = validations.checkTypes(request, types);
  validations.checkValidations(data, types, undefined, emptyStore);
  if (checkedRequests.size >= CHECKED_MAX) checkedRequests.clear();
  checkedRequests.set(key, data);
  return data;
};

/** Checks a request with its items by dynalite, and returns dynalite's form of the request. */
const checkWholeRequest = ({ types, custom }: Operation, request: Request): Checked => {
  const data = validations.checkTypes(request, types);
  validations.checkValidations(data, types, custom, emptyStore);
  return data;
};

/** Checks a request, and returns dynalite's form of the request. Throws a Failure if AWS would refuse the request. */
export const checkRequest = (operation: Operation, request: Request): Checked => {
  const { Key, Item, ExclusiveStartKey, ExpressionAttributeValues, RequestItems } = request;
  const all = Object.entries({ Key, Item, ExclusiveStartKey, ExpressionAttributeValues });
  const items = all.filter(([, item]) => item !== undefined);
  if (RequestItems !== undefined || !items.every(([, item]) => isPlainItem(item)))
    return checkWholeRequest(operation, request);
  const empty = { ...request, ...Object.fromEntries(items.map(([name]) => [name, {}])) };
  const data = { ...checkEmptied(operation, empty), ...(ExpressionAttributeValues && { ExpressionAttributeValues }) };
  validations.checkValidations(data, {}, operation.custom, emptyStore);
  return Object.assign(data, Object.fromEntries(items.map(([name, item]) => [name, { ...item }])));
};

const isExpression = (value: unknown): value is Expression =>
  typeof value === "object" && value !== null && "type" in value && "args" in value && Array.isArray(value.args);
const isPath = (value: unknown): value is AttributePath => Array.isArray(value);
/** Returns the bytes of a binary value in base64, or undefined for another value. */
const readBinary = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "B" in value ? value.B : undefined;

/** Returns the operand or, for a path, the item's value at that path; undefined if the result is neither a map nor a list. */
const findComparedDocument = (operand: unknown, item: Item): unknown => {
  const found = isPath(operand) ? database.mapPath(operand, item) : operand;
  if (typeof found !== "object" || found === null) return undefined;
  return ("M" in found && found.M !== undefined) || ("L" in found && found.L !== undefined) ? found : undefined;
};

/** Replaces comparisons that dynalite gets wrong (those of maps, lists and sets of bytes) by their correct results. */
const replaceWrongComparisons = (expression: Expression, item: Item): Expression => {
  const { name, type, args } = expression;
  const [one, other] = [findComparedDocument(args[0], item), findComparedDocument(args[1], item)];
  if (type === "=" && one !== undefined && other !== undefined)
    return {
      type: "=",
      args: [{ BOOL: true }, { BOOL: isDeepStrictEqual(structuredClone(one), structuredClone(other)) }],
    };
  if (name !== "contains")
    return { ...expression, args: args.map((arg) => (isExpression(arg) ? replaceWrongComparisons(arg, item) : arg)) };
  const [path, wanted] = [args[0], readBinary(args[1])];
  const set = isPath(path) ? database.mapPath(path, item)?.BS : undefined;
  if (wanted === undefined || set === undefined) return expression;
  return { type: "=", args: [{ BOOL: true }, { BOOL: set.some((bytes) => bytes === wanted) }] };
};

/** Evaluates a write's condition, changes the item in `slot`, and returns the answer. Throws Failure if the write is refused. */
export const performWrite = (
  tableName: string,
  { run }: Operation,
  data: Checked,
  slot: ItemSlot,
): Record<string, unknown> => {
  if (data._condition !== undefined)
    data._condition.expression = replaceWrongComparisons(data._condition.expression, slot.get() ?? {});
  let outcome: { error: unknown; result: Record<string, unknown> | undefined } | undefined;
  run(createSlotStore(tableName, slot), data, (error, result) => {
    outcome = { error, result };
  });
  if (outcome === undefined) throw new Error("dynalite has not answered");
  if (outcome.error !== null && outcome.error !== undefined) throw outcome.error;
  return outcome.result ?? {};
};

/** Returns the attributes of the item that a projection selects; without a projection, the whole item. */
export const projectItem = (item: Item, projection: Checked["_projection"]): Item =>
  projection === undefined ? item : database.mapPaths(projection.paths, item);
