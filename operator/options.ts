import type { Deps, AuditDeps } from "../core/deps.ts";
import { isId, type WorkspaceId } from "../core/domain/basics/ids.ts";
import { createOperatorAuthor } from "../core/domain/workspace/audit.ts";
import { readWorkspace } from "../core/store/people/read-workspace.ts";
import type { Clients } from "./clients.ts";
import { OperatorError, readStageOutputs, type StageOutputs } from "./stage.ts";

/** The value of each option, and `password`, which comes only from the environment. */
export type Options = Readonly<Record<string, string | undefined>>;

export type Command = {
  does: string;
  /** The command's required options besides `--stage`, with their descriptions. */
  needs: Readonly<Record<string, string>>;
  takes?: Readonly<Record<string, string>>;
  run: (clients: Clients, options: Options) => Promise<unknown>;
};

export const requireOption = (options: Options, name: string): string => {
  const value = options[name];
  if (value === undefined || value === "") throw new OperatorError(`--${name} is missing.`);
  return value;
};

/** Reads an option that must be a whole number of at least 1. Throws OperatorError if the value is invalid. */
export const requireCount = (options: Options, name: string): number => {
  const value = requireOption(options, name);
  if (!/^[1-9]\d{0,11}$/.test(value)) throw new OperatorError(`--${name} must be a whole number of at least 1.`);
  return Number(value);
};

/** Reads the outputs of the stage that `--stage` names. */
export const openStage = (clients: Clients, options: Options): Promise<StageOutputs> =>
  readStageOutputs(clients.cloudFormation, requireOption(options, "stage"));

/** Returns dependencies on the stage's table. `--table` selects another table, such as a restored table. */
export const openTable = async (clients: Clients, options: Options): Promise<AuditDeps> => ({
  table: {
    name: options["table"] ?? (await openStage(clients, options))("TableName"),
    client: clients.dynamo,
    author: createOperatorAuthor(clients.newId("req")),
  },
  now: clients.now,
  newId: clients.newId,
});

export const anotherTable = { table: "a table to use instead of the stage's own, such as a restored table" };

export const requireWorkspace = async (deps: Pick<Deps, "table">, options: Options): Promise<WorkspaceId> => {
  const ws = requireOption(options, "workspace");
  if (!isId("ws", ws) || (await readWorkspace(deps, ws)) === undefined)
    throw new OperatorError(`There is no workspace ${ws}.`);
  return ws;
};

export const requireOneOf = <Value extends string>(options: Options, name: string, values: readonly Value[]): Value => {
  const given = requireOption(options, name);
  const value = values.find((one) => one === given);
  if (value === undefined) throw new OperatorError(`--${name} must be one of ${values.join(", ")}.`);
  return value;
};

/** Returns whether an option is set. Throws an OperatorError for any other value than `yes`. */
export const isYes = (options: Options, name: string): boolean => {
  const value = options[name];
  if (value !== undefined && value !== "yes") throw new OperatorError(`--${name} must be yes, or left out.`);
  return value === "yes";
};
