import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { commentOf, writeComment } from "../../setup/action/comment.ts";
import { startServed } from "../support/furnished.ts";

const root = join(import.meta.dirname, "../..");
const dir = mkdtempSync(join(tmpdir(), "action-"));
const { served } = await startServed();
const [workspace] = served.session.workspaces;

/** GitHub's comments of one pull request. */
const comments: { id: number; body: string }[] = [];
const asked: string[] = [];
let github: Server;
let api: string;

beforeAll(async () => {
  github = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://github");
      asked.push(`${request.method} ${pathname} ${request.headers.authorization}`);
      const body = text === "" ? "" : (JSON.parse(text) as { body: string }).body;
      const page = Number(searchParams.get("page") ?? 1);
      if (request.headers.authorization !== "Bearer ghs_1") response.writeHead(403).end('{"message":"no"}');
      else if (request.method === "GET") response.end(JSON.stringify(comments.slice((page - 1) * 100, page * 100)));
      else if (request.method === "POST") {
        comments.push({ id: comments.length + 1, body });
        response.writeHead(201).end("{}");
      } else {
        comments.find(({ id }) => pathname.endsWith(`/comments/${id}`))!.body = body;
        response.end("{}");
      }
    });
  });
  await new Promise<void>((done) => github.listen(0, "127.0.0.1", done));
  api = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
});
afterAll(async () => {
  github.close();
  await served.close();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => {
  comments.length = 0;
  asked.length = 0;
});

const on = () => ({ api, token: "ghs_1", repository: "acme/alerts", number: 7 });

describe("the comment", () => {
  it("says whether anything would change, and shows the plan so that nothing in it ends the block", () => {
    expect(commentOf("a.yaml", { code: 0, printed: "" })).toContain("`a.yaml`: Nothing would change");
    const text = commentOf("a.yaml", { code: 2, printed: "+ rule ```\n@everyone <!-- -->" });
    expect(text).toContain("What applying it would change");
    expect(text).toMatch(/\n````text\n\+ rule ```\n@everyone <!-- -->\n````\n/);
    expect(commentOf("a.yaml", { code: 1, printed: "fault" })).toContain("It cannot be applied");
    expect(commentOf("a.yaml", { code: 2, printed: "x".repeat(90_000) }).length).toBeLessThan(65_536);
  });

  it("is written once for each file, and over itself from then on, however many others there are", async () => {
    for (let nr = 1; nr <= 120; nr += 1) comments.push({ id: nr, body: `talk ${nr}` });
    await writeComment(on(), "a.yaml", commentOf("a.yaml", { code: 2, printed: "one" }));
    await writeComment(on(), "b.yaml", commentOf("b.yaml", { code: 2, printed: "other" }));
    await writeComment(on(), "a.yaml", commentOf("a.yaml", { code: 0, printed: "" }));

    expect(comments).toHaveLength(122);
    expect(comments.slice(120).map(({ body }) => body.split("\n")[1])).toEqual([
      "### `a.yaml`: Nothing would change",
      "### `b.yaml`: What applying it would change",
    ]);
  });

  it("that GitHub refuses fails, and does not tell the token", async () => {
    const refused = writeComment({ ...on(), token: "ghs_secret" }, "a.yaml", "b");

    await expect(refused).rejects.toThrow("GitHub answered 403");
    await expect(refused).rejects.not.toThrow("ghs_secret");
  });
});

describe("the action", () => {
  const run = async (yaml: string) => {
    writeFileSync(join(dir, "set-up.yaml"), yaml);
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
      GITHUB_EVENT_PATH: join(dir, "event.json"),
    };
    const ended = await promisify(execFile)("node", [join(root, "setup/action/plan.ts")], { env }).catch(
      (error: unknown) => error,
    );
    return (ended as { code?: number }).code ?? 0;
  };

  it("writes the difference, and fails only for a file that cannot be applied", async () => {
    expect(await run("groups:\n  - name: On the pull request\n    members: []\n")).toBe(0);
    expect(comments).toHaveLength(1);
    expect(comments[0]!.body).toContain("What applying it would change");
    expect(comments[0]!.body).toContain("On the pull request");
    expect(await run("rules:\n  - nmae: typo\n")).toBe(1);

    expect(comments).toHaveLength(1);
    expect(comments[0]!.body).toContain("It cannot be applied");
    expect(asked.every((line) => line.includes("/repos/acme/alerts/issues/"))).toBe(true);
  });

  it("asks for what it is given, and puts nothing that somebody else chose into a command", () => {
    const action = parse(readFileSync(join(root, "setup/action/action.yml"), "utf8")) as {
      inputs: Record<string, unknown>;
      runs: { using: string; steps: { run: string; env?: Record<string, string> }[] };
    };
    const used = Object.values(action.runs.steps.at(-1)?.env ?? {}).map((value) => /inputs\.([\w-]+)/.exec(value)?.[1]);

    expect(used).toEqual(Object.keys(action.inputs));
    for (const { run: command } of action.runs.steps) expect(command).not.toContain("${{");
  });
});
