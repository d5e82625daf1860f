import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { spawnService } from "../../local/spawn.ts";

declare module "vitest" {
  interface ProvidedContext {
    localDir: string;
  }
}

/** Starts the service of all browser tests. Nothing that it sends leaves the machine. */
export const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const dir = mkdtempSync(join(tmpdir(), "console-"));
  const service = await spawnService({ dir, env: { LOCAL_DEMO_DAYS: "1", LOCAL_PUSH: "stand-in" } });
  provide("localDir", dir);
  return async () => {
    await service.stop();
    rmSync(dir, { recursive: true, force: true });
  };
};
