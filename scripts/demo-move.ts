import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { toIso } from "../core/domain/basics/time.ts";
import { DAY_MS } from "../core/domain/basics/units.ts";
import type { SpawnedService } from "../local/spawn.ts";
import { createDemoExport, findPersonOnCall } from "./demo-export.ts";
import { openDemoWorkspace } from "./demo-workspace.ts";
import { waitForValue } from "./wait-for.ts";

/* `npm run demo -- --move`: a company moves from Opsgenie. Imports, replays, corrects and applies the company's export. */

const WORKSPACE = "Acme";
const ALERTS = join(import.meta.dirname, "../setup/main.ts");
const SET_UP = "set-up.yaml";
const OF_OPSGENIE = "/v1/events/from/opsgenie/v2";
const REPLAY = ["replay", "opsgenie", "export", "--set-up", SET_UP, "--report", "replay.md"];

const Secrets = v.pipe(v.string(), v.parseJson(), v.array(v.object({ name: v.string(), key: v.string() })));
const Person = v.object({ person: v.string() });
const Comparison = v.object({
  items: v.array(
    v.object({
      pages: v.array(v.unknown()),
      people: v.array(v.object({ verdict: v.string(), theirs: v.nullable(Person), ours: v.nullable(Person) })),
    }),
  ),
});
const Pushes = v.object({ messages: v.array(v.object({ token: v.string() })) });

type PrintLine = (line: string) => void;

/** Returns a function that runs the program `alerts` in the folder. The function throws unless the exit status is `code`. */
const createProgramRunner =
  (folder: string, env: Record<string, string>, print: PrintLine) =>
  (code: number, ...args: string[]): void => {
    print(`   $ npm run alerts -- ${args.join(" ")}`);
    const { stdout, stderr, status } = spawnSync(process.execPath, [ALERTS, ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
      encoding: "utf8",
    });
    for (const line of `${stdout}${stderr}`.trimEnd().split("\n")) print(`   | ${line}`);
    if (status !== code) throw new Error(`${args.join(" ")} exited with ${status}`);
  };

/** Writes an export of Opsgenie, and converts the export to a setup file that notifies the same people as Opsgenie. */
const makeSetupFile = (folder: string, runAlerts: ReturnType<typeof createProgramRunner>, print: PrintLine): void => {
  for (const [path, text] of createDemoExport(Date.now())) {
    const file = join(folder, "export", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  print("1. Make a setup file from the export. Nothing is sent anywhere.");
  runAlerts(0, "import", "opsgenie", "export", "--out", SET_UP);

  print("\n2. Replay the alerts of the last two weeks: would the file have notified the same people?");
  runAlerts(1, ...REPLAY);
  const [, draft = ""] = /```yaml\n([^]*?)\n```/.exec(readFileSync(join(folder, "replay.md"), "utf8")) ?? [];
  print(
    '   For one recipient of one alert, "same" is the same person as in Opsgenie, and "nobody" is a lost notification.',
  );
  print("   The report names the cause of those lost, and drafts the change to the file:");
  for (const line of draft.split("\n")) print(`   | ${line}`);

  print("\n3. Add the drafted rule to the file, and replay again.");
  const [, rule = ""] = draft.split("rules:\n");
  const setUp = readFileSync(join(folder, SET_UP), "utf8");
  writeFileSync(join(folder, SET_UP), setUp.replace("rules:\n", `rules:\n${rule}\n`));
  runAlerts(0, ...REPLAY);
};

/** Shows a move from Opsgenie to the service. `dir`: where the files are written; `say`: prints a line. */
export const showMove = async (service: SpawnedService, dir: string, print: PrintLine): Promise<void> => {
  const { root, ask } = openDemoWorkspace(service, WORKSPACE);
  const { id, members } = service.workspace(WORKSPACE);
  const folder = join(dir, "move");
  const env = { BASE_URL: service.session.baseUrl, WORKSPACE_ID: id, SESSION_TOKEN: members[0]?.token ?? "" };
  const runAlerts = createProgramRunner(folder, env, print);
  const readPushes = async () => v.parse(Pushes, await service.control("GET", "/inbox")).messages;

  print(`${WORKSPACE} moves from Opsgenie. Its people are ${members.map(({ name }) => name).join(", ")}.\n`);
  makeSetupFile(folder, runAlerts, print);

  print("\n4. Apply the file to the workspace, and let people register their phones.");
  runAlerts(0, "apply", SET_UP, "--keys-file", "keys.json");
  print('   The group "Nobody" has no members. It is for rules that notify nobody in Opsgenie, too.');
  const postAs = async (path: string, token: string, body: object): Promise<void> => {
    const { status } = await service.call("POST", path, { as: token, body });
    if (status >= 300) throw new Error(`POST ${path} answered ${status}`);
  };
  for (const { name, token } of members)
    await postAs(`${root}/devices`, token, { token: `phone-${name}`, platform: "ios" });
  print("   Each person's app has registered a phone, such as phone-Bob.");

  const keys = v.parse(Secrets, readFileSync(join(folder, "keys.json"), "utf8"));
  const key = keys.find(({ name }) => name === "Shop")?.key ?? "";
  const sendAlert = (message: string, alias: string) =>
    postAs(`${OF_OPSGENIE}/alerts`, key, { message, alias, priority: "P2" });

  print("\n5. Begin a shadow: the shop sends its alerts to both services, and only Opsgenie pages.");
  await ask(v.unknown(), "PUT", `${root}/shadow`, { until: toIso(Date.now() + DAY_MS) });
  const readFirstComparisonWithPages = async () =>
    (await ask(Comparison, "GET", `${root}/shadow`)).items.find(({ pages }) => pages.length > 0);
  await sendAlert("Payments are declined", "payments");
  await waitForValue("the plan of the event", readFirstComparisonWithPages);
  const username = findPersonOnCall(Date.now());
  print(`   "Payments are declined": ${username} acknowledges it in Opsgenie, whose webhook reports that.`);
  await postAs(`${OF_OPSGENIE}/incumbent`, key, { action: "Acknowledge", alert: { alias: "payments", username } });
  const { people = [] } = (await readFirstComparisonWithPages()) ?? {};
  for (const { verdict, theirs, ours } of people)
    print(`   | ${verdict}: ${theirs?.person ?? "nobody"} in Opsgenie, ${ours?.person ?? "nobody"} here`);
  print(`   Pushes sent here: ${(await readPushes()).length}.`);

  print("\n6. End the shadow. From the next alert on, this service pages.");
  await ask(v.unknown(), "DELETE", `${root}/shadow`);
  const sentAt = Date.now();
  await sendAlert("Checkout is slow", "checkout");
  const { token } = await waitForValue("a push", async () => (await readPushes())[0]);
  print(`   "Checkout is slow": pushed to ${token} after ${Date.now() - sentAt} ms.`);
};
