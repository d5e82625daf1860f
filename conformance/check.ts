import type { World } from "./world.ts";

/** A check of a statement about the interface. `section`: the section of the API reference; `holds`: the statement. */
export type Check = { section: string; holds: string; run: (world: World) => Promise<void> };

const SKIPPED = "Skipped";

/** Skips a check that cannot run, such as a check of pushes without a stand-in. */
export const skipCheck = (why: string): never => {
  throw Object.assign(new Error(why), { name: SKIPPED });
};

/** Returns whether the error means that a check was skipped, not that the check failed. */
export const isSkip = (error: unknown): boolean => error instanceof Error && error.name === SKIPPED;

/** Returns the checks of a section. `checks`: each check's function, by what the check proves. */
export const createSection = (name: string, checks: Readonly<Record<string, Check["run"]>>): Check[] =>
  Object.entries(checks).map(([holds, run]) => ({ section: name, holds, run }));
