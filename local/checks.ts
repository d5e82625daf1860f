import { accessSync, constants, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { CONNECT_REGIONS, isGovCloud } from "../lib/voice-region.ts";
import { readJsonFile } from "./files.ts";

/** The error that the service cannot start. The message is a sentence for the person at the terminal. */
export class StartError extends Error {}

/** Returns the port, by default 3000. Throws a StartError if the text is not a port number. */
export const parsePort = (text: string | undefined): number => {
  const port = text === undefined || text === "" ? 3000 : Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new StartError(`PORT must be a port number from 0 to 65535, not "${text}".`);
};

/** Parses LOCAL_TICK_SECONDS, which replaces the periods of all schedules. Returns ms; undefined if the variable is not set. */
export const parseTickMs = (text: string | undefined): number | undefined => {
  if (text === undefined || text === "") return undefined;
  const seconds = Number(text);
  if (seconds > 0) return seconds * 1000;
  throw new StartError(`LOCAL_TICK_SECONDS must be a number above 0, not "${text}".`);
};

const DEMO_DAYS_MAX = 30;

/** Reads for how many days the demo workspace has events. The default is 7; with 0, there is no demo. */
export const readDemoDays = (text: string | undefined): number => {
  if (text === undefined || text === "") return 7;
  const days = Number(text);
  if (Number.isInteger(days) && days >= 0 && days <= DEMO_DAYS_MAX) return days;
  throw new StartError(`LOCAL_DEMO_DAYS must be a whole number from 0 to ${DEMO_DAYS_MAX}, not "${text}".`);
};

/** Reads LOCAL_CALLS_REGION, the region of calls. Returns undefined if calls use the stage's region. */
export const parseCallsRegion = (text: string | undefined): string | undefined => {
  if (text === undefined || text === "") return undefined;
  // GovCloud regions are in another partition.
  const regions = CONNECT_REGIONS.filter((region) => !isGovCloud(region));
  if (regions.includes(text)) return text;
  throw new StartError(`LOCAL_CALLS_REGION must be one of ${regions.join(", ")}, not "${text}".`);
};

const Session = v.object({ meters: v.object({ url: v.string() }), processes: v.object({ runtime: v.number() }) });
const Health = v.object({ pid: v.number() });

/** Returns whether pushes go to the stand-in (`LOCAL_PUSH=stand-in`). Throws for any other text. */
export const parseLocalPush = (text: string | undefined): boolean => {
  if (text === undefined || text === "") return false;
  if (text === "stand-in") return true;
  throw new StartError(`LOCAL_PUSH must be "stand-in" or not be set, not "${text}".`);
};

/** Parses LOCAL_SSO. Returns undefined if the variable is not set. Throws a StartError for an unknown value. */
export const parseSingleSignOn = (text: string | undefined): "beside" | "only" | undefined => {
  if (text === undefined || text === "") return undefined;
  if (text === "beside" || text === "only") return text;
  throw new StartError(`LOCAL_SSO must be "beside" or "only" or not be set, not "${text}".`);
};

export const sessionFilePath = (dir: string): string => join(dir, "session.json");

/** Returns whether the service that wrote the session still runs: whether its port answers with its process id. */
const isServiceRunning = async ({ meters, processes }: v.InferOutput<typeof Session>): Promise<boolean> => {
  try {
    const response = await fetch(new URL("/health", meters.url), { signal: AbortSignal.timeout(5000) });
    return v.parse(Health, await response.json()).pid === processes.runtime;
  } catch {
    return false;
  }
};

export const tableDirectoryPath = (dir: string): string => join(dir, "dynamodb");

/** Returns the path of a file that exists only during the first seeding. */
export const seedingFilePath = (dir: string): string => join(dir, "seeding");

/** Creates the directory if it does not exist, and removes an old session. Throws if the directory is in use or not writable. */
export const prepareDirectory = async (dir: string): Promise<void> => {
  try {
    mkdirSync(dir, { recursive: true });
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new StartError(`LOCAL_DIR ${dir} cannot be written to (${code}); choose another directory.`);
  }
  const session = readJsonFile(sessionFilePath(dir), Session);
  if (session !== undefined && (await isServiceRunning(session)))
    throw new StartError(
      `Process ${session.processes.runtime} is running on LOCAL_DIR ${dir}; stop that process or choose another directory.`,
    );
  rmSync(sessionFilePath(dir), { force: true });
  // After an interrupted first seeding, the table can be deleted, because nobody has used it.
  if (existsSync(seedingFilePath(dir))) rmSync(tableDirectoryPath(dir), { recursive: true, force: true });
};
