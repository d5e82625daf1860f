import { DAY_MS } from "../core/domain/basics/units.ts";
import { CommandError, type World } from "./command.ts";
import { chooseExportPaths } from "./import/export-files.ts";
import { importExport } from "./import/import-export.ts";
import { countItems, type Remark } from "./import/report.ts";
import { renderPlan } from "./plan.ts";
import { applyCommand, planCommand } from "./sync.ts";

/** Imports exports and applies setup files in the console. Browsers load this module, so it must not use Node's own modules. */

/** `path`: the file's path, with folders if the user chose a folder. */
export type ChosenFile = { path: string; text: () => Promise<string> };

export type BrowserImport = {
  yaml: string;
  report: string;
  people: string;
  contacts: string;
  counts: ReturnType<typeof countItems>;
  remarks: readonly Remark[];
};

/** Imports the chosen files that an importer reads; throws if no importer reads any of the files. `now`: in ms since 1970. */
export const importChosenFiles = async (
  service: string,
  files: readonly ChosenFile[],
  now: number,
): Promise<BrowserImport> => {
  const known = new Set(chooseExportPaths(files.map(({ path }) => path)));
  const chosen = files.filter(({ path }) => known.has(path));
  const read = await Promise.all(chosen.map(async ({ path, text }) => ({ path, text: await text() })));
  const imported = importExport(service, read, Math.floor(now / DAY_MS) * DAY_MS);
  const { remarks, found } = imported.draft;
  if (found.length === 0)
    throw new CommandError(remarks.map(({ what, why }) => `${what}: ${why}`).join("\n") || "The export is empty.");
  const { yaml, report, people, contacts, compared } = imported;
  const onCall = compared.flatMap(({ schedule, differences }): Remark[] =>
    differences.length === 0
      ? []
      : [{ kind: "warning", what: schedule, why: "The people on call differ from the export: see the report." }],
  );
  return { yaml, report, people, contacts, counts: countItems(found, remarks), remarks: [...onCall, ...remarks] };
};

/** `fetch`: sends requests with the credentials of the signed-in person. */
export type BrowserConnection = Pick<World, "fetch" | "now"> & { baseUrl: string; workspaceId: string };

const SET_UP = "set-up.yaml";
const KEYS = "keys.json";

const createWorld = ({ baseUrl, workspaceId, ...connection }: BrowserConnection, setUpText: string): World => ({
  ...connection,
  env: { BASE_URL: baseUrl, WORKSPACE_ID: workspaceId, SESSION_TOKEN: "of the reader's session" },
  print: () => undefined,
  tell: () => undefined,
  progress: () => () => undefined,
  sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  readText: (path) => (path === SET_UP ? setUpText : undefined),
  writeText: () => undefined,
  writeSecret: () => undefined,
});

/** `changes`: the number of entries that change. */
export type BrowserPlan = { warnings: readonly string[]; lines: readonly string[]; changes: number };

/** Returns the plan of a setup file. Throws a CommandError if the file has faults or does not fit this workspace. */
export const planSetUp = async (connection: BrowserConnection, text: string): Promise<BrowserPlan> => {
  const { report } = await planCommand.run(createWorld(connection, text), SET_UP, {}, []);
  const { changes, same, duty, told, warnings } = report;
  return { warnings, lines: [...renderPlan({ changes, same, extra: [] }), ...duty, ...told], changes: changes.length };
};

export type ApplyHooks = { step: (line: string) => void; progress: World["progress"]; keep: (keys: string) => void };

/** Plans and applies a setup file. After an interruption, a new plan has the remaining changes. */
export const applySetUp = async (connection: BrowserConnection, text: string, hooks: ApplyHooks): Promise<void> => {
  const { step: print, progress, keep } = hooks;
  const world: World = { ...createWorld(connection, text), print, progress, writeSecret: (_, keys) => keep(keys) };
  await applyCommand.run(world, SET_UP, { "keys-file": KEYS }, []);
};

/** Returns the message of an error that the user can fix; undefined for other errors. */
export const readFixableMessage = (error: unknown): string | undefined =>
  error instanceof CommandError ? error.message : undefined;
