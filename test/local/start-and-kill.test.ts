import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { aDirectory, type SpawnedService, startLocalService } from "../support/local-service.ts";
import { startWithFailure } from "../support/start-in-vain.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

it("the local service locks its directory, and takes it over from a service that was killed", async () => {
  const dir = aDirectory();
  const running: SpawnedService = await startLocalService(dir);
  cleanups.push(() => running.kill("SIGKILL"));
  const { runtime } = running.session.processes;

  const second = await startWithFailure({ PORT: "0", LOCAL_DIR: dir });

  expect(second.code).toBe(1);
  expect(second.errors).toBe(
    `Process ${runtime} is running on LOCAL_DIR ${dir}; stop that process or choose another directory.\n`,
  );
  expect(existsSync(join(dir, "session.json"))).toBe(true);

  // Only this process is killed, and not its group, because the process with the table must notice its end by itself.
  process.kill(runtime, "SIGKILL");

  const third = await startLocalService(dir);
  cleanups.push(() => third.stop());
  expect(third.session.processes.runtime).not.toBe(runtime);
});

it("the local service ends completely when npm's own process gets a signal, and other processes continue", async () => {
  const dir = aDirectory();
  const session = join(dir, "session.json");
  const env = { ...process.env, PORT: "0", LOCAL_DIR: dir, LOCAL_DEMO_DAYS: "0" };
  const npm = spawn("npm", ["start"], { env, stdio: "ignore" });
  cleanups.push(() => npm.kill("SIGKILL"));
  const ended = once(npm, "exit");
  await vi.waitUntil(() => existsSync(session), { timeout: 60_000 });
  const { processes } = JSON.parse(readFileSync(session, "utf8")) as { processes: { runtime: number } };

  npm.kill("SIGTERM");
  await ended;

  expect(existsSync(session)).toBe(false);
  expect(() => process.kill(processes.runtime, 0)).toThrow("ESRCH");
});
