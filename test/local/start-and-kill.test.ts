import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import {
  makeDirectory,
  newEvent,
  type SpawnedService,
  startLocalService,
  useWorkspace,
} from "../support/local-service.ts";
import { startAndFail } from "../support/start-and-fail.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

it("the local service locks its directory, and takes it over from a service that was killed", async () => {
  const dir = makeDirectory();
  const running: SpawnedService = await startLocalService(dir);
  cleanups.push(() => running.kill("SIGKILL"));
  const { runtime } = running.session.processes;

  const second = await startAndFail({ PORT: "0", LOCAL_DIR: dir });

  expect(second.code).toBe(1);
  expect(second.errors).toBe(
    `Process ${runtime} is running on LOCAL_DIR ${dir}; stop that process or choose another directory.\n`,
  );
  expect(existsSync(join(dir, "session.json"))).toBe(true);

  // Kills one process and not its group: the process with the table must notice by itself that the other has ended.
  process.kill(runtime, "SIGKILL");

  const third = await startLocalService(dir);
  cleanups.push(() => third.stop());
  expect(third.session.processes.runtime).not.toBe(runtime);
});

it("the local service that restarts after a kill keeps its advanced clock, and delivers earlier and new events", async () => {
  const dir = makeDirectory();
  const killed = await startLocalService(dir);
  cleanups.push(() => killed.kill("SIGKILL"));
  const advanceSeconds = 5 * 24 * 3600;
  await useWorkspace(killed, "Acme").tell("night.shift", [0], ["phone"]);
  await killed.control("POST", "/clock", { advanceSeconds });
  await killed.control("PUT", "/faults", { sqs: "down" });
  const before = await useWorkspace(killed, "Acme").send(newEvent("night.shift"));
  expect(before.status).toBe(201);
  await killed.kill("SIGKILL");

  const service = await startLocalService(dir);
  cleanups.push(() => service.stop());
  const acme = useWorkspace(service, "Acme");
  const after = await acme.send(newEvent("night.shift"));

  expect(after.status).toBe(201);
  expect(service.output()).toContain("The functions' clock is 432000 s ahead");
  // Advances the clock, so that the sweeper finds the event without a wait.
  expect(await service.control("POST", "/clock", { advanceSeconds: 120 })).toEqual({
    aheadSeconds: advanceSeconds + 120,
  });
  await service.control("POST", "/tick");
  for (const { body } of [before, after]) {
    const { eventId } = body as { eventId: string };
    const readStatuses = async () => (await acme.readEvent(eventId)).notifications.map(({ status }) => status);
    await expect.poll(readStatuses, { timeout: 60_000 }).toEqual(["SENT"]);
  }
}, 120_000);

it("the local service ends completely when npm's own process gets a signal, and other processes continue", async () => {
  const dir = makeDirectory();
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
