import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import db, { type Store } from "dynalite/db/index.js";
import validations from "dynalite/validations/index.js";
import * as v from "valibot";
import { Item, itemSize, readUnits, writeUnits } from "./item-size.ts";

/*
 * DynamoDB as AWS answers, made of dynalite. What dynalite lacks or has otherwise is mended here:
 * - `ReturnValuesOnConditionCheckFailure` gives the item that refused the write, as it was when it did;
 * - a refused write costs units, and sizes count UTF-8;
 * - `contains` on a set of binary values compares bytes, not what they are as text;
 * - a query closes its iterator when it is done.
 * There are no transactions, and nothing is deleted when its time to live is over.
 */

const Input = v.looseObject({
  TableName: v.optional(v.string()),
  Key: v.optional(Item),
  Item: v.optional(Item),
  ConsistentRead: v.optional(v.boolean(), false),
  ReturnValues: v.optional(v.string()),
  ReturnValuesOnConditionCheckFailure: v.optional(v.string()),
  ReturnConsumedCapacity: v.optional(v.picklist(["TOTAL", "NONE"]), "NONE"),
  ProjectionExpression: v.optional(v.string()),
  FilterExpression: v.optional(v.string()),
  Select: v.optional(v.string()),
  RequestItems: v.optional(
    v.record(v.string(), v.looseObject({ Keys: v.array(Item), ConsistentRead: v.optional(v.boolean(), false) })),
  ),
});
type Input = v.InferOutput<typeof Input>;

const Output = v.looseObject({
  Item: v.optional(Item),
  Attributes: v.optional(Item),
  Items: v.optional(v.array(Item)),
  Responses: v.optional(v.record(v.string(), v.array(Item))),
  UnprocessedKeys: v.optional(v.record(v.string(), v.looseObject({ Keys: v.array(Item) }))),
  ConsumedCapacity: v.optional(v.unknown()),
});
type Output = v.InferOutput<typeof Output>;

const Failure = v.object({ statusCode: v.number(), body: v.looseObject({ __type: v.string() }) });

export type Units = { readUnits: number; writeUnits: number };
export type EngineAnswer = Units & { status: number; body: Record<string, unknown> };

const readOperations = ["GetItem", "Query", "BatchGetItem"] as const;
const writeOperations = ["PutItem", "UpdateItem", "DeleteItem"] as const;
const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  names.some((known) => known === name);
export const isOperation = (name: string): boolean => isOneOf(readOperations, name) || isOneOf(writeOperations, name);

type Action = (store: Store, input: object, callback: (error: unknown, output?: unknown) => void) => void;
const load = createRequire(import.meta.url);

const actionOf = (operation: string) => {
  const name = operation.charAt(0).toLowerCase() + operation.slice(1);
  const run: Action = load(`dynalite/actions/${name}.js`);
  const { types, custom }: { types: object; custom: unknown } = load(`dynalite/validations/${name}.js`);
  return { run, types, custom };
};

/** Runs one task after the other for each key, and tasks of different keys side by side. */
const createQueues = () => {
  const tails = new Map<string, Promise<unknown>>();
  return async <Result>(key: string, task: () => Promise<Result>): Promise<Result> => {
    const before = tails.get(key) ?? Promise.resolve();
    const mine = before.then(task, task);
    const tail = mine.catch(() => {});
    tails.set(key, tail);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
};

/** An expression as dynalite has parsed it. */
const Expression = v.object({
  type: v.string(),
  name: v.optional(v.string()),
  args: v.array(v.unknown()),
});
const Path = v.array(v.union([v.string(), v.number()]));
const Bytes = v.object({ B: v.string() });
const ByteSet = v.object({ BS: v.array(v.string()) });

const decided = (holds: boolean) => ({ type: "=", args: [{ BOOL: true }, { BOOL: holds }] });

/** dynalite compares bytes as UTF-8 text, where all that is not UTF-8 is the same. */
const withExactContains = (expression: unknown, item: Item): unknown => {
  const parsed = v.safeParse(Expression, expression);
  if (!parsed.success) return expression;
  const { name, args } = parsed.output;
  if (name !== "contains") return { ...parsed.output, args: args.map((argument) => withExactContains(argument, item)) };
  const path = v.safeParse(Path, args[0]);
  const wanted = v.safeParse(Bytes, args[1]);
  const found = path.success ? v.safeParse(ByteSet, db.mapPath(path.output, item)) : undefined;
  if (!wanted.success || found?.success !== true) return expression;
  return decided(found.output.BS.includes(wanted.output.B));
};

const Conditional = v.looseObject({ _condition: v.looseObject({ expression: v.unknown() }) });

/** dynalite leaves the iterator of a query open: each would hold on to a snapshot of the database. */
const closingStreams =
  (store: Store) =>
  (options: object): Readable => {
    const read = async function* (): AsyncGenerator {
      const iterator = store.db.values(options);
      try {
        for (let batch = await iterator.nextv(100); batch.length > 0; batch = await iterator.nextv(100)) yield* batch;
      } finally {
        await iterator.close();
      }
    };
    return Readable.from(read());
  };

type TableDefinition = {
  TableName: string;
  AttributeDefinitions: readonly { AttributeName: string; AttributeType: string }[];
  KeySchema: readonly { AttributeName: string; KeyType: string }[];
};

/** Opens the data under `path` (in memory without one). Rejects while another process has it open. */
export const openEngine = async (path: string | undefined) => {
  const store = db.create({ createTableMs: 0, ...(path === undefined ? {} : { path }) });
  await store.db.open();
  store.db.createValueStream = closingStreams(store);
  // What is in the cache or in memory is there in microseconds; a detour through the thread pool takes longer.
  const readNow = store.db.getSync.bind(store.db);
  store.db.get = (key, callback) => callback(null, readNow(key));
  const actions = new Map<string, ReturnType<typeof actionOf>>();
  const oneByOne = createQueues();

  const run = async (operation: string, given: object, item?: Item): Promise<Output> => {
    const action = actions.get(operation) ?? actionOf(operation);
    actions.set(operation, action);
    const input = validations.checkTypes(given, action.types);
    validations.checkValidations(input, action.types, action.custom, store);
    const conditional = v.safeParse(Conditional, input);
    if (conditional.success && item !== undefined)
      Object.assign(input, {
        _condition: {
          ...conditional.output._condition,
          expression: withExactContains(conditional.output._condition.expression, item),
        },
      });
    const output = await new Promise<unknown>((resolve, reject) => {
      action.run(store, input, (error, result) => {
        if (error === null || error === undefined) resolve(result);
        else reject(error instanceof Error ? error : new Error("dynalite failed", { cause: error }));
      });
    });
    // dynalite's objects have no prototype; the schemas need one.
    return v.parse(Output, { ...(typeof output === "object" ? output : {}) });
  };

  const readItem = async (table: string, key: Item): Promise<Item | undefined> => {
    const { Item: found } = await run("GetItem", { TableName: table, Key: key });
    return found;
  };

  const statusOf = async (name: string): Promise<string | undefined> => {
    const found = await promisify(store.tableDb.get)(name);
    const table = v.safeParse(v.object({ TableStatus: v.string() }), found);
    return table.success ? table.output.TableStatus : undefined;
  };

  let keyNames: readonly string[] = [];
  const keyOf = ({ Key, Item: item = {} }: Input): Item => {
    if (Key !== undefined) return Key;
    return Object.fromEntries(Object.entries(item).filter(([name]) => keyNames.includes(name)));
  };

  const answered = (status: number, body: Record<string, unknown>, units: Partial<Units>): EngineAnswer => ({
    status,
    body,
    readUnits: 0,
    writeUnits: 0,
    ...units,
  });

  const write = async (operation: string, input: Input, given: object): Promise<EngineAnswer> => {
    const { TableName: table = "" } = input;
    const key = keyOf(input);
    return oneByOne(`${table} ${JSON.stringify(key)}`, async () => {
      const before = await readItem(table, key);
      try {
        const output = await run(operation, given, before ?? {});
        const updated = () => (input.ReturnValues === "ALL_NEW" ? output.Attributes : readItem(table, key));
        const after = operation === "UpdateItem" ? await updated() : input.Item;
        return answered(200, output, { writeUnits: writeUnits(before, after) });
      } catch (error) {
        const failure = v.safeParse(Failure, error);
        if (!failure.success || !failure.output.body.__type.endsWith("#ConditionalCheckFailedException")) throw error;
        const { statusCode, body } = failure.output;
        const shown = input.ReturnValuesOnConditionCheckFailure === "ALL_OLD" && before !== undefined;
        return answered(statusCode, shown ? { ...body, Item: before } : body, {
          writeUnits: writeUnits(before, input.Item),
        });
      }
    });
  };

  const unitsOfBatch = ({ RequestItems = {} }: Input, { Responses = {}, UnprocessedKeys = {} }: Output): number =>
    Object.entries(RequestItems).reduce((total, [table, { Keys, ConsistentRead }]) => {
      const found = Responses[table] ?? [];
      const missing = Keys.length - found.length - (UnprocessedKeys[table]?.Keys.length ?? 0);
      const sizes = [...found.map(itemSize), ...Array.from({ length: missing }, () => 0)];
      return sizes.reduce((units, size) => units + readUnits(size, ConsistentRead), total);
    }, 0);

  const read = async (operation: string, input: Input, given: object): Promise<EngineAnswer> => {
    // What is left out of the answer was read all the same, and is paid for.
    if ([input.ProjectionExpression, input.FilterExpression, input.Select].some((part) => part !== undefined))
      throw new Error("reads that leave a part out are not measured here");
    const output = await run(operation, given);
    if (operation === "BatchGetItem") return answered(200, output, { readUnits: unitsOfBatch(input, output) });
    const bytes = [output.Item ?? [], output.Items ?? []].flat().reduce((total, item) => total + itemSize(item), 0);
    return answered(200, output, { readUnits: readUnits(bytes, input.ConsistentRead) });
  };

  const withCapacity = (input: Input, answer: EngineAnswer): EngineAnswer => {
    if (answer.status !== 200 || input.ReturnConsumedCapacity === "NONE") return answer;
    const units = answer.readUnits + answer.writeUnits;
    const tables = Object.keys(input.RequestItems ?? {});
    const capacity = (table: string | undefined) => ({ TableName: table, CapacityUnits: units });
    const shown = input.RequestItems === undefined ? capacity(input.TableName) : tables.map(capacity);
    return { ...answer, body: { ...answer.body, ConsumedCapacity: shown } };
  };

  return {
    /** Makes a table, or finds it as it is. */
    createTable: async (table: TableDefinition): Promise<void> => {
      keyNames = table.KeySchema.map(({ AttributeName }) => AttributeName);
      const name = table.TableName;
      if ((await statusOf(name)) === "ACTIVE") return;
      // One that is still being made was left so by a process that was killed; nothing was ever written to it.
      await promisify(store.tableDb.del)(name);
      await run("CreateTable", { ...table, BillingMode: "PAY_PER_REQUEST" });
      while ((await statusOf(name)) !== "ACTIVE") await sleep(1);
    },
    execute: async (operation: string, given: object): Promise<EngineAnswer> => {
      try {
        const input = v.parse(Input, given);
        const work = isOneOf(writeOperations, operation) ? write : read;
        return withCapacity(input, await work(operation, input, given));
      } catch (error) {
        const failure = v.safeParse(Failure, error);
        if (failure.success) return answered(failure.output.statusCode, failure.output.body, {});
        const message = error instanceof Error ? error.message : String(error);
        const type = error instanceof v.ValiError ? "ValidationException" : "InternalServerError";
        return answered(
          type === "ValidationException" ? 400 : 500,
          { __type: `com.amazon.coral.service#${type}`, message },
          {},
        );
      }
    },
    close: () => store.db.close(),
  };
};
export type Engine = Awaited<ReturnType<typeof openEngine>>;
