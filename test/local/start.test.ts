import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { prepareDirectory, readPort, seedingFile, tableDirectory } from "../../local/checks.ts";
import { aDirectory, type SpawnedService, startLocalService } from "../support/local-service.ts";

/** Starts the service where it cannot start, and returns its output. */
const start = async (env: Record<string, string>) => {
  const child = spawn(process.execPath, ["local/start.ts"], { env: { ...process.env, ...env } });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const [code] = (await once(child, "close")) as [number];
  return { code, errors };
};

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

describe("a start that cannot be ends with one sentence and code 1, and leaves nothing half done:", () => {
  it("the port is in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    cleanups.push(() => taken.close());
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const dir = aDirectory();

    const { code, errors } = await start({ PORT: String(port), LOCAL_DIR: dir });

    expect(code).toBe(1);
    expect(errors).toBe(`Port ${port} is in use; stop what listens there, or set PORT to another.\n`);
    expect(readdirSync(dir)).toStrictEqual([]);
  });

  it("the port is no port", async () => {
    const { code, errors } = await start({ PORT: "99999", LOCAL_DIR: aDirectory() });

    expect(code).toBe(1);
    expect(errors).toBe('PORT must be a port number from 0 to 65535, not "99999".\n');
  });

  it("the directory cannot be written to", async () => {
    const file = join(aDirectory(), "a-file");
    writeFileSync(file, "");

    const { code, errors } = await start({ PORT: "0", LOCAL_DIR: join(file, "below") });

    expect(code).toBe(1);
    expect(errors).toBe(`LOCAL_DIR ${join(file, "below")} cannot be written to (ENOTDIR); choose another.\n`);
  });

  it("the template holds what cannot be run here", async () => {
    const dir = aDirectory();
    const file = join(dir, "template.json");
    writeFileSync(file, JSON.stringify({ Resources: { Bus: { Type: "AWS::Events::EventBus" } } }));

    const { code, errors } = await start({ PORT: "0", LOCAL_DIR: dir, LOCAL_TEMPLATE: file });

    expect(code).toBe(1);
    expect(errors).toBe("Bus: AWS::Events::EventBus is not known here\n");
  });

  it("the data is no database", async () => {
    const dir = aDirectory();
    mkdirSync(join(dir, "dynamodb"));
    writeFileSync(join(dir, "dynamodb/table.sqlite"), "nonsense".repeat(1_000));

    const { code, errors } = await start({ PORT: "0", LOCAL_DIR: dir });

    expect(code).toBe(1);
    expect(errors).toContain(`The table in ${dir} cannot be opened: `);
  });
});

it("shares its directory with nobody, and takes it over from a service that was killed", async () => {
  const dir = aDirectory();
  const running: SpawnedService = await startLocalService(dir);
  cleanups.push(() => running.kill("SIGKILL"));
  const { runtime } = running.session.processes;

  const second = await start({ PORT: "0", LOCAL_DIR: dir });

  expect(second.code).toBe(1);
  expect(second.errors).toBe(`Process ${runtime} is running on LOCAL_DIR ${dir}; stop it or choose another.\n`);
  expect(existsSync(join(dir, "session.json"))).toBe(true);

  // Not its group: the process that holds the table must notice by itself.
  process.kill(runtime, "SIGKILL");

  const third = await startLocalService(dir);
  cleanups.push(() => third.stop());
  expect(third.session.processes.runtime).not.toBe(runtime);
});

it("ends all of it when npm's own process gets a signal, and nobody else", async () => {
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

it.each([
  { seeding: true, kept: false },
  { seeding: false, kept: true },
])(
  "begins anew after a first start that was interrupted, and at no other time: $seeding",
  async ({ seeding, kept }) => {
    const dir = aDirectory();
    mkdirSync(tableDirectory(dir));
    if (seeding) writeFileSync(seedingFile(dir), "");

    await prepareDirectory(dir);

    expect(existsSync(tableDirectory(dir))).toBe(kept);
  },
);

it.each([
  [undefined, 3000],
  ["", 3000],
  ["8080", 8080],
])("PORT %j is %i", (text, port) => {
  expect(readPort(text)).toBe(port);
});
