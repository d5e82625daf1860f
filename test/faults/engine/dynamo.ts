import type { Request } from "../../../local/dynamodb/dynalite.ts";
import { createEngine, type ItemWrite as EngineWrite } from "../../../local/dynamodb/engine.ts";
import { readKey, type Key } from "../../../local/dynamodb/item.ts";
import { createMemoryStore, type Snapshot } from "../../../local/dynamodb/item-store.ts";
import { createPartitionLimit } from "../../world/partition-limit.ts";
import type { Invocation } from "./kernel.ts";

export type { Request, Snapshot };
import type { Item } from "../../../local/dynamodb/item.ts";
export type { Item, Value } from "../../../local/dynamodb/item.ts";

export type Answer = { status: number; body: Record<string, unknown> };

export const TABLE_NAME = "events";

/** A write to the table. `by`: the invocation that requested it; undefined for setup and checks. */
export type Write = EngineWrite & { by: Invocation | undefined };

export const keyOfRequest = (request: Request): Key => {
  const [first] = (request.TransactItems ?? []).flatMap((one) => Object.values(one));
  if (first !== undefined) return keyOfRequest(first);
  if (request.Key !== undefined || request.Item !== undefined) return readKey(request.Key ?? request.Item);
  const values = request.ExpressionAttributeValues;
  if (values !== undefined) return { pk: values[":pk"]?.S ?? "", sk: "" };
  const [batch] = Object.values(request.RequestItems ?? {});
  return { pk: readKey(batch?.Keys[0]).pk, sk: `(${batch?.Keys.length ?? 0} keys)` };
};

/** Creates a table whose partitions have AWS's throughput, measured by the clock `now`. */
export const createDynamo = (snapshot: Snapshot, onWrite: (write: Write) => void, now: () => number) => {
  const store = createMemoryStore(snapshot);
  let by: Invocation | undefined;
  const engine = createEngine({
    tableName: TABLE_NAME,
    store,
    onWrite: (write) => onWrite({ ...write, by }),
    // Requests that set up a scenario are not throttled.
    throttle: createPartitionLimit(now, () => by !== undefined),
  });
  return {
    /** Performs an operation. `stale`: a read returns the state before the last write. */
    perform: (operation: string, request: Request, invocation?: Invocation, stale = false): Answer => {
      by = invocation;
      const { status, body } = engine.execute(operation, request, { stale });
      return { status, body };
    },
    get: store.get,
    list: store.list,
    first: (pk: string): Item | undefined => {
      for (const item of store.walk(pk, { low: "", high: undefined, descending: false })) return item;
      return undefined;
    },
    partitions: store.partitions,
    snapshot: store.snapshot,
  };
};
export type Dynamo = ReturnType<typeof createDynamo>;
