import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, suggestFix, readConfig, refuseUnknownNames } from "./config.ts";
import { ConfigError, type Context } from "./context.ts";

const FILE = "stages.json";
const DEFAULT_STAGE = "dev";

const isSettings = (value: unknown): value is Context =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parses the settings of each stage by its name. Throws a ConfigError if the text is not a JSON object. */
const parseStages = (text: string): Context => {
  let stages: unknown;
  try {
    stages = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`${FILE} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isSettings(stages))
    throw new ConfigError(`${FILE} must hold an object: the settings of each stage by its name.`);
  return stages;
};

/** Returns the settings of one stage. Throws a ConfigError if the settings are missing or invalid. */
const findStageSettings = (stages: Context, stage: string): Context => {
  const found = Object.hasOwn(stages, stage) ? stages[stage] : undefined;
  if (found === undefined)
    throw new ConfigError(`${FILE} has no stage "${stage}"${suggestFix(stage, Object.keys(stages))}`);
  if (!isSettings(found)) throw new ConfigError(`${FILE}, "${stage}": the settings must be an object.`);
  if (Object.hasOwn(found, "stage"))
    throw new ConfigError(
      `${FILE}, "${stage}": remove the setting "stage". The name of the stage is the key of its settings.`,
    );
  if (Object.hasOwn(found, "firstDeployment"))
    throw new ConfigError(
      `${FILE}, "${stage}": "firstDeployment" is for one run: write it on the command line, as -c firstDeployment=true.`,
    );
  try {
    refuseUnknownNames(Object.keys(found));
    readConfig({ ...found, stage });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${FILE}, "${stage}": ${error.message}`);
  }
  return found;
};

/**
 * Returns the settings of the context's `stage` (default `dev`), each from the context or else from the file's content (`text`).
 * Throws a ConfigError with one sentence that names the stage, the setting and the correct value.
 */
export const readStageSettings = (context: Context, text: string): Config => {
  const { stage = DEFAULT_STAGE } = context;
  const name = readConfig({ stage }).stage;
  return readConfig({ ...findStageSettings(parseStages(text), name), ...context, stage: name });
};

export const readStagesFile = (): string => readFileSync(join(import.meta.dirname, "..", FILE), "utf8");
