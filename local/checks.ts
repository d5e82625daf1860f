import { accessSync, constants, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { CONNECT_REGIONS, isOfGovernment } from "../lib/voice-region.ts";
import { readJsonFile } from "./files.ts";

/** Stops a start. The message is one sentence for the person who started the service. */
export class StartError extends Error {}

export const readPort = (text: string | undefined): number => {
  const port = text === undefined || text === "" ? 3000 : Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new StartError(`PORT must be a port number from 0 to 65535, not "${text}".`);
};

/** LOCAL_TICK_SECONDS in milliseconds: the period of every schedule, instead of the one in the template. */
export const readTickMs = (text: string | undefined): number | undefined => {
  if (text === undefined || text === "") return undefined;
  const seconds = Number(text);
  if (seconds > 0) return seconds * 1000;
  throw new StartError(`LOCAL_TICK_SECONDS must be a number above 0, not "${text}".`);
};

const DEMO_DAYS_MAX = 30;

/** The number of days for which the demo workspace has events. A week by default; 0 for runs that need none. */
export const readDemoDays = (text: string | undefined): number => {
  if (text === undefined || text === "") return 7;
  const days = Number(text);
  if (Number.isInteger(days) && days >= 0 && days <= DEMO_DAYS_MAX) return days;
  throw new StartError(`LOCAL_DEMO_DAYS must be a whole number from 0 to ${DEMO_DAYS_MAX}, not "${text}".`);
};

/** The region in which LOCAL_CALLS_REGION has calls made; undefined for that of everything else. */
export const readCallsRegion = (text: string | undefined): string | undefined => {
  if (text === undefined || text === "") return undefined;
  // GovCloud is another partition than this machine's.
  const regions = CONNECT_REGIONS.filter((region) => !isOfGovernment(region));
  if (regions.includes(text)) return text;
  throw new StartError(`LOCAL_CALLS_REGION must be one of ${regions.join(", ")}, not "${text}".`);
};

const Session = v.object({
  meters: v.object({ url: v.string() }),
  processes: v.object({ runtime: v.number() }),
});
const Health = v.object({ pid: v.number() });

/** Whether LOCAL_PUSH keeps all pushes on this machine. */
export const readNothingLeaves = (text: string | undefined): boolean => {
  if (text === undefined || text === "") return false;
  if (text === "stand-in") return true;
  throw new StartError(`LOCAL_PUSH must be "stand-in" or not be set, not "${text}".`);
};

/** LOCAL_SSO: whether people sign in by an identity provider, beside passwords or only so. */
export const readSingleSignOn = (text: string | undefined): "beside" | "only" | undefined => {
  if (text === undefined || text === "") return undefined;
  if (text === "beside" || text === "only") return text;
  throw new StartError(`LOCAL_SSO must be "beside" or "only" or not be set, not "${text}".`);
};

export const sessionFile = (dir: string): string => join(dir, "session.json");

/** Whether the service that wrote the session still runs: its own port answers with its process id. */
const isAlive = async ({ meters, processes }: v.InferOutput<typeof Session>): Promise<boolean> => {
  try {
    const response = await fetch(new URL("/health", meters.url), { signal: AbortSignal.timeout(5000) });
    return v.parse(Health, await response.json()).pid === processes.runtime;
  } catch {
    return false;
  }
};

/** The directory of the table's data. */
export const tableDirectory = (dir: string): string => join(dir, "dynamodb");

/** A file that exists from the beginning of the first seeding to its end. */
export const seedingFile = (dir: string): string => join(dir, "seeding");

/** Makes the directory ready: writable, with no other service running on it, and without a dead service's session. */
export const prepareDirectory = async (dir: string): Promise<void> => {
  try {
    mkdirSync(dir, { recursive: true });
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new StartError(`LOCAL_DIR ${dir} cannot be written to (${code}); choose another.`);
  }
  const session = readJsonFile(sessionFile(dir), Session);
  if (session !== undefined && (await isAlive(session)))
    throw new StartError(
      `Process ${session.processes.runtime} is running on LOCAL_DIR ${dir}; stop it or choose another.`,
    );
  rmSync(sessionFile(dir), { force: true });
  // A service that was never ready has shown nobody a key or a URL, so nobody has data in its table.
  if (existsSync(seedingFile(dir))) rmSync(tableDirectory(dir), { recursive: true, force: true });
};
