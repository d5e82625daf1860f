import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };

const startWithNodeVersion = (version: string) => {
  const pretend = `Object.defineProperty(process, "versions", { value: { node: "${version}" } });
    Object.defineProperty(process, "version", { value: "v${version}" });
    require("./local/check-node.cjs"); console.log("went on");`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", pretend], { cwd: root, encoding: "utf8" });
  return { status, stdout, stderr };
};

test("with an older Node, a command prints one sentence with the required version and where to get it", () => {
  expect(startWithNodeVersion("22.13.0")).toEqual({
    status: 1,
    stdout: "",
    stderr:
      'This needs Node 24 or newer, and this is v22.13.0: "npm ci" brings one for Linux, Windows and Intel\'s Macs; ' +
      "elsewhere, install it and run this again.\n",
  });
  expect(startWithNodeVersion("24.0.0")).toEqual({ status: 0, stdout: "went on\n", stderr: "" });
});

test.each(["start", "test", "check", "check:quick", "alerts", "operator", "demo", "conformance"])(
  "the script npm run %s checks the Node version first",
  (name) => {
    expect(scripts[name]).toMatch(/^(?:exec )?node (?:-r \.\/)?local\/check-node\.cjs /);
  },
);

test("every command that is a Node program checks the Node version", () => {
  const unasked = Object.entries(scripts).filter(([, line]) => /\bnode (?!(?:-r \.\/)?local\/check-node)/.test(line));

  expect(unasked).toEqual([]);
  expect(readFileSync(join(root, "cdk.json"), "utf8")).toContain('"node -r ./local/check-node.cjs bin/app.ts"');
});
