import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildHead, fromEnvironment, buildSnippets, WITH_CLIENT } from "../../console/pages/keys/snippets.ts";
import { startFaultyService } from "./send/faulty-service.ts";
import { installClient } from "../support/client-package.ts";
import { startServedApp } from "../support/filled-app.ts";

const page = readFileSync(new URL("../../docs/send.md", import.meta.url), "utf8");
const programs = {
  curl: ["bash", "-euc"],
  JavaScript: [process.execPath, "--input-type=module", "-e"],
  [WITH_CLIENT]: [process.execPath, "--input-type=module", "-e"],
  Python: ["python3", "-c"],
} as const;
const backup = { event: "backup.failed", title: "Backup of db-1 failed", body: "The disk is full." };
const pieces = buildSnippets(fromEnvironment, backup);

/** The folder in which programs run, and in which the client's package is installed. */
const dir = mkdtempSync(join(tmpdir(), "send-page-"));
beforeAll(() => installClient(dir), 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const runSnippet = async (language: keyof typeof programs, code: string, env: Record<string, string> = {}) => {
  const [program, ...options] = programs[language];
  const ran = promisify(execFile)(program, [...options, code], {
    env: { ...process.env, ...env },
    cwd: dir,
    timeout: 30_000,
  });
  return ran.then(
    ({ stdout }) => ({ ok: true, said: stdout }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ ok: false, said: stdout + stderr }),
  );
};

let sent = 0;
const { app, served } = await startServedApp();
const [acme] = served.session.workspaces;

describe.each(pieces)("the snippet in %s", (language, code) => {
  it("equals the snippet that docs/send.md shows", () => {
    expect(page).toContain(`\n${code}\`\`\`\n`);
  });

  it.each([
    ["docs/send.md", code],
    [
      "the console",
      buildSnippets(buildHead(served.baseUrl, acme!.apiKey), backup).find(([one]) => one === language)![1],
    ],
  ])("sends an event, as shown in %s", async (_, text) => {
    const ran = await runSnippet(language, text, { BASE_URL: served.baseUrl, API_KEY: acme!.apiKey });

    expect(ran).toMatchObject({ ok: true, said: expect.stringContaining("evt_") as string });
    const as = acme!.members[0]!.userId;
    const list = await app.ask<{ total: number }>(`/v1/workspaces/${acme!.id}/events`, { as });
    expect(list.body.total).toBe((sent += 1));
  });
});

describe.each(pieces)("on a failure, the snippet in %s", (language, code) => {
  let faulty: Awaited<ReturnType<typeof startFaultyService>>;
  beforeAll(async () => {
    faulty = await startFaultyService();
  });
  afterAll(() => faulty.close());
  const runWithAnswers = (...answers: Parameters<typeof faulty.answerWith>) => {
    faulty.answerWith(...answers);
    return runSnippet(language, code, { BASE_URL: faulty.url, API_KEY: "eak_1" });
  };

  it.each([503, 429] as const)("retries after the status %i, with the same idempotency key", async (status) => {
    const ran = await runWithAnswers(status, 201);

    expect(ran.ok).toBe(true);
    expect(faulty.keys()).toHaveLength(2);
    expect(new Set(faulty.keys()).size).toBe(1);
    expect(faulty.keys()[0]).not.toBe("");
  });

  it("prints the reason of a refusal, and does not retry", async () => {
    const ran = await runWithAnswers(422, 201);

    expect(ran).toMatchObject({ ok: false, said: expect.stringContaining("title: title is required.") as string });
    expect(faulty.keys()).toHaveLength(1);
  });
});
