import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { prepareDirectory, parsePort, seedingFilePath, tableDirectoryPath } from "../../local/checks.ts";
import { makeDirectory } from "../support/local-service.ts";
import { startAndFail } from "../support/start-and-fail.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

describe("the local service", () => {
  it("prints one sentence, exits with code 1 and leaves nothing incomplete if the port is in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    cleanups.push(() => taken.close());
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const dir = makeDirectory();

    const { code, errors } = await startAndFail({ PORT: String(port), LOCAL_DIR: dir });

    expect(code).toBe(1);
    expect(errors).toBe(`Port ${port} is in use; stop the program that listens there, or set PORT to another port.\n`);
    expect(readdirSync(dir)).toStrictEqual([]);
  });

  it.each([
    ["PORT is greater than 65535", { PORT: "99999" }, 'PORT must be a port number from 0 to 65535, not "99999".\n'],
    [
      "LOCAL_SSO is unknown",
      { PORT: "0", LOCAL_SSO: "yes" },
      'LOCAL_SSO must be "beside" or "only" or not be set, not "yes".\n',
    ],
  ])("prints one sentence and exits with code 1 if %s", async (_, env, sentence) => {
    expect(await startAndFail({ ...env, LOCAL_DIR: makeDirectory() })).toMatchObject({ code: 1, errors: sentence });
  });

  it("prints one sentence and exits with code 1 if the directory cannot be written to", async () => {
    const file = join(makeDirectory(), "a-file");
    writeFileSync(file, "");

    const { code, errors } = await startAndFail({ PORT: "0", LOCAL_DIR: join(file, "below") });

    expect(code).toBe(1);
    expect(errors).toBe(`LOCAL_DIR ${join(file, "below")} cannot be written to (ENOTDIR); choose another directory.\n`);
  });

  it("prints one sentence and exits with code 1 if the template contains a resource that cannot be run locally", async () => {
    const dir = makeDirectory();
    const file = join(dir, "template.json");
    writeFileSync(file, JSON.stringify({ Resources: { Bus: { Type: "AWS::Events::EventBus" } } }));

    const { code, errors } = await startAndFail({ PORT: "0", LOCAL_DIR: dir, LOCAL_TEMPLATE: file });

    expect(code).toBe(1);
    expect(errors).toBe("Bus: AWS::Events::EventBus is not supported here\n");
  });

  it("prints one sentence and exits with code 1 if the data file is not a database", async () => {
    const dir = makeDirectory();
    mkdirSync(join(dir, "dynamodb"));
    writeFileSync(join(dir, "dynamodb/table.sqlite"), "nonsense".repeat(1_000));

    const { code, errors } = await startAndFail({ PORT: "0", LOCAL_DIR: dir });

    expect(code).toBe(1);
    expect(errors).toContain(`The table in ${dir} cannot be opened: `);
  });
});

it.each([
  ["deletes its data at a start if its first start was interrupted", true, false],
  ["keeps its data at a start if its first start was completed", false, true],
])("the local service %s", async (_, seeding, kept) => {
  const dir = makeDirectory();
  mkdirSync(tableDirectoryPath(dir));
  if (seeding) writeFileSync(seedingFilePath(dir), "");

  await prepareDirectory(dir);

  expect(existsSync(tableDirectoryPath(dir))).toBe(kept);
});

it.each([
  ["3000 if PORT is not set", undefined, 3000],
  ["3000 if PORT is empty", "", 3000],
  ["the value of PORT", "8080", 8080],
])("the port of the local service is %s", (_, text, port) => {
  expect(parsePort(text)).toBe(port);
});
