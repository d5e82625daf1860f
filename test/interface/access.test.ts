import { readdirSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";
import type { Access } from "../../interface/access.ts";
import { functionName } from "../../lib/build.ts";
import { apiFunctions, fallback, routes, sharedFunctions, site } from "../../interface/routes.ts";
import { timers, voiceKeys, workers } from "../../lib/workers.ts";

/*
 * A function can call whatever is left in its bundle after tree shaking: every AWS command in our code, and the queues
 * that its handler asks `liveDeps` for. Its grants must be exactly that.
 */

const root = join(import.meta.dirname, "../..");
const functions: { entry: string; access: Access; queue?: string; delaysMessages?: boolean }[] = [
  ...apiFunctions(routes),
  fallback,
  site,
  ...workers,
  ...timers,
  voiceKeys,
];

const { outputFiles } = buildSync({
  absWorkingDir: root,
  entryPoints: functions.map(({ entry }) => ({ in: `functions/${entry}.ts`, out: functionName(entry) })),
  outdir: "out",
  write: false,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "cjs",
});
const bundles = new Map(outputFiles.map(({ path, text }) => [functionName(path).replace(/\.js$/, ""), text]));

const actionOf: Record<string, string> = {
  Get: "GetItem",
  BatchGet: "BatchGetItem",
  Query: "Query",
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  SendMessage: "sends",
  SendMessageBatch: "sends",
  ChangeMessageVisibility: "delays",
  GetSecretValue: "reads secret",
};

/** What is in a bundle but never reached, with the reason why it is not granted. */
const unreachable: Record<string, string[]> = {
  // It undoes a membership when the workspace is full, which a new one is not.
  "create-workspace": ["DeleteItem"],
};

const commandsOf = (text: string): string[] => {
  const commands = [...text.matchAll(/new \w+\.(\w+)Command\(/g)]
    .map(([, command]) => command!)
    // A transaction is made of commands, and needs their permissions.
    .filter((command) => command !== "TransactWrite");
  return [...new Set(commands.map((command) => actionOf[command] ?? command))].sort();
};

const queuesOf = (text: string): string[] => {
  const [, list = ""] = /liveDeps\(([^)]*)\)(?! {)/.exec(text.slice(text.lastIndexOf("var handler"))) ?? [];
  return [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name!).sort();
};

test.each(functions)("$entry may do what its code can do, and nothing else", (one) => {
  const { entry, access, queue, delaysMessages } = one;
  const text = bundles.get(functionName(entry)) ?? "";

  const sends = (access.sendsTo ?? []).length > 0;
  const reachable = commandsOf(text).filter((command) => unreachable[functionName(entry)]?.includes(command) !== true);
  expect(reachable).toEqual(
    [
      ...access.table,
      ...(sends ? ["sends"] : []),
      ...(delaysMessages === true ? ["delays"] : []),
      ...((access.readsSecrets ?? []).length > 0 || access.callsSlack === true ? ["reads secret"] : []),
    ].sort(),
  );
  // A function that delays its messages knows their queue without sending to it.
  const known = new Set<string>([...(access.sendsTo ?? []), ...(delaysMessages === true ? [queue ?? ""] : [])]);
  if (sends) expect(queuesOf(text)).toEqual([...known].sort());
});

test("every function's file is in a table, and every name is there once", () => {
  // Two routes may lead to one function.
  const entries = [...new Set(functions.map(({ entry }) => entry))];
  const names = entries.map(functionName);
  const files = readdirSync(join(root, "functions"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/^(http|sqs)\//.test(file))
    .map((file) => file.replace(/\.ts$/, ""));

  const served = Object.values(sharedFunctions).flat();
  expect(files.sort()).toEqual([...entries, ...served].sort());
  expect(new Set(names).size).toBe(names.length);
});
