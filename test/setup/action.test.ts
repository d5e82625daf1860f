import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { afterAll, describe, expect, it } from "vitest";
import { startServedApp } from "../support/filled-app.ts";
import { startGithub } from "./github.ts";

const root = join(import.meta.dirname, "../..");
const dir = mkdtempSync(join(tmpdir(), "action-"));
const { served } = await startServedApp();
const [workspace] = served.session.workspaces;

afterAll(async () => {
  await served.close();
  rmSync(dir, { recursive: true, force: true });
});

describe("the GitHub action for setup files", () => {
  const planFile = (api: string, yaml: string) => {
    writeFileSync(join(dir, "set-up.yaml"), yaml);
    return runPlan(api);
  };
  const runPlan = async (api: string) => {
    writeFileSync(join(dir, "event.json"), JSON.stringify({ pull_request: { number: 7 } }));
    const env = {
      ...process.env,
      SET_UP_FILE: "set-up.yaml",
      BASE_URL: served.baseUrl,
      WORKSPACE_ID: workspace?.id ?? "",
      SESSION_TOKEN: workspace?.members[0]?.token ?? "",
      GITHUB_TOKEN: "ghs_1",
      GITHUB_WORKSPACE: dir,
      GITHUB_REPOSITORY: "acme/alerts",
      GITHUB_API_URL: api,
      GITHUB_GRAPHQL_URL: `${api}/graphql`,
      GITHUB_EVENT_PATH: join(dir, "event.json"),
    };
    const ended = await promisify(execFile)("node", [join(root, "setup/action/plan.ts")], { env }).catch(
      (error: unknown) => error,
    );
    return (ended as { code?: number }).code ?? 0;
  };

  it("comments on what applying the file would change, and fails only for a file that cannot be applied", async () => {
    const { api, comments, asked } = await startGithub();
    expect(await planFile(api, "groups:\n  - name: On the pull request\n    members: []\n")).toBe(0);
    expect(comments).toHaveLength(1);
    expect(comments[0]!.body).toContain("What applying the file would change");
    expect(comments[0]!.body).toContain("On the pull request");
    expect(await planFile(api, "rules:\n  - nmae: typo\n")).toBe(1);

    expect(comments).toHaveLength(1);
    expect(comments[0]!.body).toContain("The file cannot be applied");
    expect(asked().every((line) => / \/(?:graphql$|repos\/acme\/alerts\/issues\/)/.test(line))).toBe(true);
  });

  it("refuses a setup file that is a link out of the checkout, and reveals nothing of its content", async () => {
    const { api, comments } = await startGithub();
    const outside = mkdtempSync(join(tmpdir(), "outside-"));
    writeFileSync(join(outside, "secret"), "key: CANARY-SECRET");
    rmSync(join(dir, "set-up.yaml"), { force: true });
    symlinkSync(join(outside, "secret"), join(dir, "set-up.yaml"));

    expect(await runPlan(api)).toBe(1);
    expect(comments).toEqual([]);

    rmSync(join(dir, "set-up.yaml"));
    rmSync(outside, { recursive: true });
  });

  it("passes on all of its inputs, and inserts no text from outside into a command", () => {
    const action = parse(readFileSync(join(root, "setup/action/action.yml"), "utf8")) as {
      inputs: Record<string, unknown>;
      runs: { using: string; steps: { run: string; env?: Record<string, string> }[] };
    };
    const used = Object.values(action.runs.steps.at(-1)?.env ?? {}).map((value) => /inputs\.([\w-]+)/.exec(value)?.[1]);

    expect(used).toEqual(Object.keys(action.inputs));
    for (const { run: command } of action.runs.steps) expect(command).not.toContain("${{");
  });
});
