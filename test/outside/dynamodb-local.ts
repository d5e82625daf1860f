import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readArguments } from "../../tools/command-line.ts";
import { findFreePort } from "../../tools/free-port.ts";

readArguments("npm run test:dynamodb-local    runs the table's tests on AWS's DynamoDB Local (Java 17)", {});

/*
 * Runs the tests that depend on conditions and queries against AWS's own DynamoDB Local (Java 17). DynamoDB Local is not a
 * dependency, because its licence requires an AWS account: a person who runs this command chooses to use it. DynamoDB
 * Local is part of an npm package, of which nothing else is used.
 */

const PACKAGE = "amplify-dynamodb-simulator@2.9.30";
const START_TIMEOUT_MS = 30_000;

const root = join(import.meta.dirname, "../..");
const home = join(root, ".local", "dynamodb-local");
const emulator = join(home, "package", "emulator");

const fetchEmulator = (): void => {
  if (existsSync(emulator)) return;
  mkdirSync(home, { recursive: true });
  const packed = execFileSync("npm", ["pack", PACKAGE, "--silent", "--pack-destination", home], { encoding: "utf8" });
  execFileSync("tar", ["xzf", join(home, packed.trim().split("\n").at(-1) ?? ""), "-C", home]);
};

const isUp = async (url: string): Promise<boolean> => {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
};

fetchEmulator();
const port = await findFreePort();
const java = spawn(
  "java",
  [
    "-Djava.library.path=./DynamoDBLocal_lib",
    "-jar",
    "DynamoDBLocal.jar",
    "-inMemory",
    "-sharedDb",
    "-port",
    String(port),
    "-disableTelemetry",
  ],
  { cwd: emulator, stdio: ["ignore", "ignore", "inherit"] },
);
const url = `http://127.0.0.1:${port}`;
for (let waited = 0; !(await isUp(url)); waited += 200) {
  if (java.exitCode !== null) throw new Error(`DynamoDB Local ended with ${java.exitCode}; it needs Java 17 or newer`);
  if (waited > START_TIMEOUT_MS) throw new Error("DynamoDB Local did not start");
  await sleep(200);
}
// Leaves out the long tests, which run for months of virtual time and make no other kinds of requests.
const tests = spawn("vitest", ["run", "--project=!long", "--testTimeout=180000", "test/core/store", "test/core/flow"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, DYNAMODB_LOCAL_URL: url },
});
tests.once("exit", (code) => {
  java.kill();
  process.exitCode = code ?? 1;
});
