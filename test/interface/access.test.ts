import { readdirSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";
import type { Access } from "../../interface/access.ts";
import { writeEntryFiles, toFunctionName, writePathsFile } from "../../lib/build.ts";
import { groupByFunction, fallback, routes, site } from "../../interface/routes.ts";
import { timers, voiceKeys, workers } from "../../lib/workers.ts";

/*
 * A function's permissions must be exactly those that its code can use: the AWS commands in its bundle after tree shaking.
 * A function may send to the queues that its handler requests from `liveDeps`.
 */

const root = join(import.meta.dirname, "../..");
const alone: { entry: string; access: Access; queue?: string; delaysMessages?: boolean }[] = [
  fallback,
  site,
  ...workers,
  ...timers,
  voiceKeys,
];
const functions = [...groupByFunction(routes), ...alone.map((one) => ({ ...one, name: toFunctionName(one.entry) }))];

const { outputFiles } = buildSync({
  absWorkingDir: root,
  entryPoints: [...writeEntryFiles()].map(([name, file]) => ({ in: file, out: name })),
  outdir: "out",
  write: false,
  bundle: true,
  alias: writePathsFile("everybody"),
  packages: "external",
  platform: "node",
  format: "cjs",
});
const bundles = new Map(outputFiles.map(({ path, text }) => [toFunctionName(path).replace(/\.js$/, ""), text]));

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

/** Commands that are in a bundle but never used, with the reason why they are not permitted. */
const unreachable: Record<string, string[]> = {
  // Other functions with a session read the caller's membership; this one does not.
  "get-web-push-key": ["GetItem"],
};

const listCommands = (text: string): string[] => {
  const commands = [...text.matchAll(/new \w+\.(\w+)Command\(/g)]
    .map(([, command]) => command!)
    // IAM has no permission for a transaction, only for the commands in it.
    .filter((command) => command !== "TransactWrite");
  return [...new Set(commands.map((command) => actionOf[command] ?? command))].sort();
};

const listQueues = (text: string): string[] => {
  const lists = [...text.matchAll(/liveDeps\(([^)]*)\)(?! {)/g)].map(([, list = ""]) => list);
  return [...new Set(lists.flatMap((list) => [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name!)))].sort();
};

test.each(functions)("the function $name has exactly the permissions that its code needs", (one) => {
  const { name, access } = one;
  const { queue, delaysMessages }: Partial<(typeof alone)[number]> = "entry" in one ? one : {};
  const text = bundles.get(name) ?? "";

  const sends = (access.sendsTo ?? []).length > 0;
  const reachable = listCommands(text).filter((command) => unreachable[name]?.includes(command) !== true);
  expect(reachable).toEqual(
    [
      ...access.table,
      ...(sends ? ["sends"] : []),
      ...(delaysMessages === true ? ["delays"] : []),
      ...((access.readsSecrets ?? []).length > 0 || access.callsSlack === true ? ["reads secret"] : []),
    ].sort(),
  );
  // To delay a received message, a function must know the message's queue, even if it may not send to this queue.
  const known = new Set<string>([...(access.sendsTo ?? []), ...(delaysMessages === true ? [queue ?? ""] : [])]);
  if (sends) expect(listQueues(text)).toEqual([...known].sort());
});

test("every function of the API has a unique name, and is in the file of its resource or in that of a public endpoint", async () => {
  const names = functions.map(({ name }) => name);
  const files = readdirSync(join(root, "functions"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/^(http|sqs)\//.test(file))
    .map((file) => file.replace(/\.ts$/, ""));

  const answering = groupByFunction(routes);
  const served = answering.filter(({ routes: [route] }) => route?.auth === "session");
  const doors = answering.filter((one) => !served.includes(one));
  const resources = new Set(served.map(({ resource }) => resource));
  expect(files.sort()).toEqual(
    [...resources, ...doors.map(({ name }) => `doors/${name}`), ...alone.map(({ entry }) => entry)].sort(),
  );
  for (const resource of resources) {
    const exported = served.filter((one) => one.resource === resource).map((one) => one.exported);
    expect(Object.keys(await import(`../../functions/${resource}.ts`)).sort()).toEqual(exported.sort());
  }
  expect(new Set(names).size).toBe(names.length);
});
