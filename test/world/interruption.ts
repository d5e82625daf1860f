import type { Table } from "../../core/deps.ts";
import type { Sent } from "./world.ts";

/** Matches calls to a partition whose key has this ending. */
export const callTo =
  (kind: "Put" | "Update" | "Delete" | "Query", partition: string) =>
  ({ constructor, input }: Sent): boolean => {
    const pk = input.Item?.pk ?? input.Key?.pk ?? input.ExpressionAttributeValues?.[":pk"];
    return constructor.name === `${kind}Command` && pk?.endsWith(partition) === true;
  };

export const callWith =
  (value: string) =>
  ({ input }: Sent): boolean =>
    input.ExpressionAttributeValues?.[value] !== undefined;

const interrupt = () => {
  throw new Error("the invocation died");
};

/** Once armed, runs an action before the next matching call to the table; by default, the action kills the caller. */
export const createInterruption = (isIt: (call: Sent) => boolean) => {
  let next: (() => unknown) | undefined;
  return {
    beforeCall: async (call: Sent): Promise<void> => {
      if (next === undefined || !isIt(call)) return;
      const act = next;
      next = undefined;
      await act();
    },
    arm: (act: () => unknown = interrupt): void => {
      next = act;
    },
    isArmed: () => next !== undefined,
  };
};

/** Returns a table that calls `before` ahead of each call. Calls are numbered from 1. */
export const withHook = <Some extends Table>(table: Some, before: (call: Sent, nr: number) => unknown): Some => {
  let calls = 0;
  const send = async (command: never): Promise<unknown> => {
    calls += 1;
    await before(command, calls);
    return table.client.send(command);
  };
  return { ...table, client: { send: send as never } };
};
