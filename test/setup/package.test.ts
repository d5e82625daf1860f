import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { startServedApp } from "../support/filled-app.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const dir = mkdtempSync(join(tmpdir(), "installed-"));
const { served } = await startServedApp();
const [workspace] = served.session.workspaces;

const env = {
  PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
  HOME: dir,
  BASE_URL: served.baseUrl,
  WORKSPACE_ID: workspace?.id ?? "",
  SESSION_TOKEN: workspace?.members[0]?.token ?? "",
};

/** Runs the program as a person who has installed it in another directory. */
const runAlerts = async (args: string[], extraEnv = {}): Promise<{ code: number; out: string; errorText: string }> => {
  const ended = await run(join(dir, "node_modules/.bin/alerts"), args, {
    cwd: dir,
    env: { ...env, ...extraEnv },
  }).catch((error: unknown) => error);
  const { code = 0, stdout, stderr } = ended as { code?: number; stdout: string; stderr: string };
  return { code, out: stdout.trimEnd(), errorText: stderr };
};

beforeAll(async () => {
  await run("npm", ["pack", "--pack-destination", dir], { cwd: join(root, "setup"), env });
  writeFileSync(join(dir, "package.json"), "{}");
  const tarball = join(dir, `event-alerting-alerts-${packageJson.version}.tgz`);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball], { cwd: dir, env });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("the packed program, installed outside of the repository, tests and plans a file, and exports the workspace", async () => {
  const file = join(dir, "set-up.yaml");
  writeFileSync(file, readFileSync(join(root, "docs/examples/shop.yaml")));

  expect(await runAlerts(["--version"])).toEqual({ code: 0, errorText: "", out: `alerts ${packageJson.version}` });
  expect(await runAlerts(["test", file])).toEqual({
    code: 0,
    errorText: "",
    out: "5 of 5 contracts hold; the setup has 3 rules.",
  });
  writeFileSync(file, "groups:\n  - name: Night\n    members: []\n");
  expect(await runAlerts(["plan", file])).toMatchObject({
    errorText: "",
    code: 2,
    out: expect.stringMatching(/^\+ group "Night"\n(?:.*\n)*1 to create, /) as string,
  });
  expect((await runAlerts(["export", "-"])).out).toMatch(
    /^# yaml-language-server: \$schema=node_modules\/.*\n\npeople:\n {2}- person: alice@acme\.example\n {4}role: owner\nkeys:\n {2}- name: Acme$/m,
  );
});

test.each([["20.19.5"], ["22.12.0"]])(
  "on Node %s every command of the package says which Node it needs",
  async (version) => {
    const older = join(dir, "older.cjs");
    writeFileSync(older, `Object.defineProperty(process.versions, "node", { value: "${version}" });`);
    const on = { NODE_OPTIONS: `--require ${older}` };
    const errorText = `Node 22.13 or newer is required (found v${version}).\n`;

    expect(await runAlerts(["test", "set-up.yaml"], on)).toEqual({ code: 1, out: "", errorText });
    expect(await runAlerts(["--version"], on)).toEqual({ code: 1, out: "", errorText });
  },
);

test("the version of the package is that of the service", () => {
  const { version } = JSON.parse(readFileSync(join(root, "setup/package.json"), "utf8")) as {
    version: string;
  };

  expect(version).toBe(packageJson.version);
});
