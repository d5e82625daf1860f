import type { RecordingTable, Table } from "../../core/deps.ts";
import { keyPatterns, workspaceKeys, type KeyKind } from "../../core/store/key-patterns.ts";
import { matchesPattern } from "../../local/template/model.ts";

type Kinds = readonly (KeyKind | "workspace")[];
type Keyed = { pk: string };
type Write = { Key?: Keyed; Item?: Keyed };
type Input = Write & {
  RequestItems?: Record<string, { Keys?: Keyed[] }>;
  TransactItems?: Record<string, Write>[];
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
};

const listQueriedKeys = ({
  KeyConditionExpression: condition = "",
  ExpressionAttributeValues: values = {},
}: Input): string[] => [...condition.matchAll(/pk = (:\w+)/g)].map(([, name = ""]) => String(values[name]));

const listKeys = (input: Input): string[] => [
  ...[
    input,
    ...Object.values(input.RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys.map((Key) => ({ Key }))),
    ...(input.TransactItems ?? []).flatMap((one) => Object.values(one)),
  ].flatMap(({ Key, Item }: Write) => [Key, Item].flatMap((one) => (one === undefined ? [] : [one.pk]))),
  ...listQueriedKeys(input),
];

const isKeyOfKinds = (kinds: Kinds, pk: string): boolean =>
  kinds.some((kind) =>
    kind === "workspace"
      ? matchesPattern(workspaceKeys.like, pk) && !matchesPattern(workspaceKeys.unlike, pk)
      : keyPatterns[kind].some((pattern) => matchesPattern(pattern, pk)),
  );

/** Returns a table that refuses calls with keys of other kinds, as IAM does. `denied`: collects the refused keys. */
export const limitToKinds = (table: RecordingTable, kinds: Kinds, denied: string[]): RecordingTable => {
  const send: Table["client"]["send"] = async (command: { input: object }) => {
    const keys = listKeys(command.input);
    if (keys.length === 0) throw new Error("a call to the table has no key");
    const foreign = keys.filter((pk) => !isKeyOfKinds(kinds, pk));
    if (foreign.length === 0) return table.client.send(command as never);
    denied.push(...foreign);
    const refusal = new Error(`not authorized on ${foreign.join(", ")}`);
    throw Object.assign(refusal, { name: "AccessDeniedException" });
  };
  return { ...table, client: { send } };
};
