import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { startServed } from "../support/furnished.ts";

const page = readFileSync(new URL("../../docs/send.md", import.meta.url), "utf8");
const snippetOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(page)?.[1] ?? "";

let sent = 0;
const { app, served } = await startServed();

it.each([
  ["sh", "bash", "-c"],
  ["js", process.execPath, "--input-type=module", "-e"],
  ["python", "python3", "-c"],
])("the piece in %s of docs/send.md sends an event", async (language, program, ...options) => {
  const [acme] = served.session.workspaces;
  const env = { ...process.env, BASE_URL: served.baseUrl, API_KEY: acme!.apiKey };

  await promisify(execFile)(program, [...options, snippetOf(language)], { env, timeout: 20_000 });

  const as = acme!.members[0]!.userId;
  const list = await app.ask<{ total: number; items: { eventKey: string }[] }>(`/v1/workspaces/${acme!.id}/events`, {
    as,
  });
  expect(list.body.items[0]?.eventKey).toBe("backup.failed");
  expect(list.body.total).toBe((sent += 1));
});
