import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { makeDirectory, startLocalService } from "../support/local-service.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const dir = makeDirectory();
const service = await startLocalService(dir);
afterAll(service.stop);
const { id, members } = service.workspace("Acme");

/** Runs a command without the tests' environment, and without a person's token. */
const runInShell = async (line: string, env: Record<string, string> = {}) => {
  const ended = await run("sh", ["-euc", line], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: dir, ...env },
  }).catch((error: unknown) => error);
  const { code = 0, stdout, stderr } = ended as { code?: number; stdout: string; stderr: string };
  return { code, out: stdout, told: stderr };
};

/** Runs the guide's steps for a CI job, with the output of the operator's command. */
const runAsMachine = async (role: string) => {
  const added = await runInShell(
    `node operator/main.ts add-machine --local "${dir}" --workspace ${id} --name ci --role ${role}`,
  );
  expect(added).toMatchObject({ code: 0, told: "" });
  const { clientId, clientSecret, tokenUrl } = JSON.parse(added.out) as Record<string, string>;
  return {
    BASE_URL: service.session.baseUrl,
    WORKSPACE_ID: id,
    ALERTS_CLIENT_ID: clientId!,
    ALERTS_CLIENT_SECRET: clientSecret!,
    ALERTS_TOKEN_URL: tokenUrl!,
  };
};

const file = join(dir, "set-up.yaml");
writeFileSync(
  file,
  `groups:
  - { name: Operations, members: [${members[0]!.email}, ${members[1]!.email}] }
rules:
  - { name: Orders, eventKey: "order.*", groups: [Operations] }
`,
);

it("a machine applies a setup file in a shell, without a person's token", async () => {
  const env = await runAsMachine("manager");

  const applied = await runInShell(`node setup/main.ts apply "${file}"`, env);
  expect(applied).toMatchObject({ code: 0, told: "" });
  expect(await runInShell(`node setup/main.ts plan "${file}"`, env)).toMatchObject({ code: 0 });

  const exported = await runInShell(`node setup/main.ts export "${dir}/exported.yaml"`, env);
  expect(exported.code).toBe(0);
  const text = readFileSync(join(dir, "exported.yaml"), "utf8");
  expect(text).toContain("name: Operations");
  expect(text).not.toContain("mch_");

  const trail = await service.call("GET", `/v1/workspaces/${id}/audit?target=rule`, { as: members[0]!.token });
  expect(trail.body).toMatchObject({
    items: [{ actor: { id: `mch_${env.ALERTS_CLIENT_ID}`, name: "ci" }, via: "setup_file" }],
  });
});

it("a machine with the role viewer can plan a setup file, and reads in the plan which changes it may not apply", async () => {
  const env = await runAsMachine("viewer");
  writeFileSync(file, readFileSync(file, "utf8").replace("order.*", "order.failed"));

  expect(await runInShell(`node setup/main.ts plan "${file}"`, env)).toMatchObject({ code: 2 });
  expect(await runInShell(`node setup/main.ts apply "${file}"`, env)).toMatchObject({
    code: 1,
    told: expect.stringContaining("requires the role manager; yours is viewer") as string,
  });
});

it("a machine with a wrong secret is refused", async () => {
  const [machine] = service.session.machines;
  const env = {
    BASE_URL: service.session.baseUrl,
    WORKSPACE_ID: id,
    ALERTS_CLIENT_ID: machine!.clientId,
    ALERTS_CLIENT_SECRET: "guessed",
    ALERTS_TOKEN_URL: machine!.tokenUrl,
  };

  expect(await runInShell(`node setup/main.ts plan "${file}"`, env)).toMatchObject({
    code: 1,
    told: expect.stringContaining("the machine was refused") as string,
  });
});
