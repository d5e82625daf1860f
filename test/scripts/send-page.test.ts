import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type App } from "../support/app.ts";
import { serve } from "../support/serve.ts";

const page = readFileSync(new URL("../../docs/send.md", import.meta.url), "utf8");
const snippetOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(page)?.[1] ?? "";

let sent = 0;
let app: App;
let served: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  app = await startApp();
  served = await serve(app);
});
afterAll(async () => {
  await served.close();
  await app.close();
});

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
