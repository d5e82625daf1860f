import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { connectToWorkspace } from "../../setup/api.ts";
import { createCredentialsFromToken } from "../../setup/credentials.ts";
import { aWorkspace } from "./fake-workspace.ts";

const [alice, bob, carol] = ["alice@a.example", "bob@a.example", "carol@a.example"] as const;

const setUp = `groups:
  - { name: Operations, members: [${alice}] }
schedules:
  - group: Operations
    timeZone: UTC
    layers: [{ start: 2026-03-02T09:00, every: 1, unit: week, participants: [${alice}] }]
rules:
  - { name: Orders, eventKey: "order.*", groups: [Operations] }
`;

describe("an apply whose requests are not answered", () => {
  const createFailingCall = (
    path: string,
    respond: (answer: () => Promise<Response>) => Promise<Response>,
    times = 1,
  ) => {
    const workspace = aWorkspace(alice, bob, carol);
    workspace.files.set("f.yaml", setUp);
    let count = 0;
    const fetchOrFail: typeof fetch = async (url, init) => {
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      const answer = () => workspace.send(url, init);
      if (`${init?.method} ${pathname}`.endsWith(path) && (count += 1) <= times) return respond(answer);
      return answer();
    };
    return { ...workspace, apply: () => workspace.run("apply f.yaml", { fetch: fetchOrFail }), count: () => count };
  };
  const failToConnect = () => Promise.reject(new TypeError("fetch failed"));

  it("creates nothing twice, and tries each creation at most three times", async () => {
    const made = createFailingCall("POST /v1/workspaces/ws_1/routing-rules", (answer) => answer().then(failToConnect));
    expect((await made.apply()).code).toBe(0);
    expect(made.takeWrites().filter((one) => one === "POST routing-rules Orders")).toHaveLength(1);

    const unmade = createFailingCall("POST /v1/workspaces/ws_1/routing-rules", failToConnect, 2);
    expect([(await unmade.apply()).code, unmade.count()]).toEqual([0, 3]);

    const never = createFailingCall("POST /v1/workspaces/ws_1/routing-rules", failToConnect, 9);
    expect((await never.apply()).text).toMatch(/POST \/routing-rules: the service did not answer\.$/);
    expect(never.count()).toBe(3);
  });

  it.each([
    ["succeeds after four requests without an answer", () => failToConnect(), 4, true],
    ["succeeds after four answers with 503", async () => new Response("", { status: 503 }), 4, true],
    ["succeeds after four answers with 429", async () => new Response("", { status: 429 }), 4, true],
    ["fails after five requests without an answer", () => failToConnect(), 5, false],
  ])("makes at most five attempts of an idempotent request, and %s", async (_, fail, times, holds) => {
    const call = createFailingCall("PUT /v1/workspaces/ws_1/groups/grp_1/on-call", fail, times);

    expect([(await call.apply()).code === 0, call.count()]).toEqual([holds, 5]);
  });

  it("stops after a refusal, and prints the reason", async () => {
    const applyRefused = (status: number, body: object = {}) =>
      createFailingCall("POST /v1/workspaces/ws_1/routing-rules", async () => Response.json(body, { status })).apply();

    expect((await applyRefused(401)).text).toMatch(
      /the session token was refused: SESSION_TOKEN must be a valid access token\.$/,
    );
    expect((await applyRefused(403)).text).toMatch(/not allowed: WORKSPACE_ID must be a workspace of which/);
    expect((await applyRefused(403, { code: "role_required", detail: "This requires the role owner." })).text).toMatch(
      /POST \/routing-rules: This requires the role owner\.$/,
    );
    expect(
      (
        await applyRefused(422, {
          errors: [
            { field: "name", message: "Too long." },
            { field: "a", message: "B." },
          ],
        })
      ).text,
    ).toMatch(/POST \/routing-rules: name: Too long\. a: B\.$/);
    expect((await applyRefused(409, { detail: "There are as many as there may be." })).text).toMatch(
      /as many as there may be\.$/,
    );
    expect((await applyRefused(404, { message: "Not Found" })).text).toMatch(/POST \/routing-rules: Not Found$/);
    expect((await applyRefused(418)).text).toMatch(/the service answered 418\.$/);
  });
});

describe("a request to a workspace over HTTP", () => {
  const runAndRecord = async (
    answer: (path: string, send: () => Promise<Response>) => Promise<Response>,
    args = "plan f.yaml",
    env: Record<string, string> = {},
  ) => {
    const workspace = aWorkspace(alice, bob, carol);
    workspace.files.set("f.yaml", setUp);
    const calls: { url: string; headers: Headers; body: unknown; signal: boolean }[] = [];
    const fetchAndRecord: typeof fetch = async (url, init) => {
      const { href, pathname } = new URL(url instanceof Request ? url.url : url);
      calls.push({
        url: href,
        headers: new Headers(init?.headers),
        body: init?.body,
        signal: init?.signal instanceof AbortSignal,
      });
      return answer(pathname.replace("/v1/workspaces/ws_1", ""), () => workspace.send(url, init));
    };
    const { code, text } = await workspace.run(args, { fetch: fetchAndRecord, env });
    return { code, text, calls };
  };

  it("contains the token, the header X-Via and, as JSON, any body", async () => {
    const { calls } = await runAndRecord((_, send) => send(), "apply f.yaml", {
      BASE_URL: "https://alerts.example///",
      WORKSPACE_ID: "ws_1",
    });
    const [first] = calls;
    const post = calls.find(({ body }) => body !== undefined)!;

    expect(first!.url).toBe("https://alerts.example/v1/workspaces/ws_1/members");
    expect(first!.signal).toBe(true);
    expect(Object.fromEntries(first!.headers)).toEqual({ authorization: "Bearer token", "x-via": "setup_file" });
    expect(Object.fromEntries(post.headers)).toMatchObject({
      "content-type": "application/json",
      "x-via": "setup_file",
    });
    expect((await runAndRecord((_, send) => send(), "plan f.yaml", { WORKSPACE_ID: "a b/c" })).calls[0]!.url).toContain(
      "/workspaces/a%20b%2Fc/members",
    );
  });

  it.each<[string, (path: string, send: () => Promise<Response>) => Promise<Response>, string]>([
    [
      "an answer of another shape",
      (path, send) => (path === "/groups" ? Promise.resolve(Response.json([{ id: 5 }])) : send()),
      "/groups: this version of the tool does not understand the answer.",
    ],
    [
      "an answer that is not JSON",
      (path, send) => (path === "/groups" ? Promise.resolve(new Response("<html>")) : send()),
      "/groups: this version of the tool does not understand the answer.",
    ],
    [
      "a refusal without a body",
      (path, send) => (path === "/groups" ? Promise.resolve(new Response("", { status: 400 })) : send()),
      "GET /groups: the service answered 400.",
    ],
    [
      "a refusal of its token",
      (path, send) => (path === "/groups" ? Promise.resolve(new Response("{}", { status: 401 })) : send()),
      "GET /groups: the session token was refused: SESSION_TOKEN must be a valid access token.",
    ],
    [
      "no answer",
      (path, send) => (path === "/groups" ? Promise.reject(new TypeError("fetch failed")) : send()),
      "GET /groups: https://alerts.example/ does not answer.",
    ],
    [
      "no answer in time",
      (path, send) => (path === "/groups" ? Promise.reject(new DOMException("late", "TimeoutError")) : send()),
      "GET /groups: https://alerts.example/ does not answer.",
    ],
    [
      "an unexpected error",
      (path, send) => (path === "/groups" ? Promise.reject(new Error("no disk")) : send()),
      "no disk",
    ],
  ])("that gets %s ends the command with an error", async (_, answer, text) => {
    expect(await runAndRecord(answer)).toMatchObject({ code: 1, text });
  });

  it.each<[number, string]>([
    [500, "is"],
    [502, "is"],
    [499, "is not"],
  ])(
    "that creates an item and gets the answer %i %s followed by a read that looks for the item",
    async (status, verb) => {
      let posts = 0;
      const { code } = await runAndRecord((path, send) => {
        if (path !== "/routing-rules") return send();
        return Promise.resolve(Response.json([])).then((none) => {
          posts += 1;
          return posts === 1 ? none : Response.json({ detail: "No." }, { status });
        });
      }, "apply f.yaml");

      expect(code).toBe(1);
      expect(posts > 2).toBe(verb === "is");
    },
  );

  it("that is answered with 503 is tried again after waits that double each time", async () => {
    const workspace = aWorkspace(alice);
    const slept: number[] = [];
    const api = connectToWorkspace(
      {
        fetch: () => Promise.resolve(new Response("", { status: 503 })),
        sleep: (ms) => (slept.push(ms), Promise.resolve()),
      },
      { baseUrl: "https://x", workspaceId: "w", credentials: createCredentialsFromToken("t") },
    );

    await expect(api.get("/groups", v.unknown())).rejects.toThrow("GET /groups: the service answered 503.");
    expect(slept).toEqual([400, 800, 1_600, 3_200]);
    expect(workspace.requests).toEqual([]);
  });

  const connectToAnswer = (status: number, body?: unknown, headers: Record<string, string> = {}) =>
    connectToWorkspace(
      {
        fetch: () =>
          Promise.resolve(new Response(body === undefined ? null : JSON.stringify(body), { status, headers })),
        sleep: () => Promise.resolve(),
      },
      { baseUrl: "https://x", workspaceId: "w", credentials: createCredentialsFromToken("t") },
    );

  it("returns an item with the version that the answer states, and nothing for an item that does not exist", async () => {
    expect(await connectToAnswer(200, { a: 1 }, { etag: '"12"' }).getTagged("/groups", v.unknown())).toEqual({
      found: { a: 1 },
      version: 12,
    });
    expect(await connectToAnswer(200, { a: 1 }).getTagged("/groups", v.unknown())).toEqual({
      found: { a: 1 },
      version: undefined,
    });
    expect(await connectToAnswer(404).getTagged("/groups", v.unknown())).toBeUndefined();
    expect(await connectToAnswer(404).get("/groups", v.unknown())).toBeUndefined();
    await expect(connectToAnswer(404).list("/groups", v.unknown())).rejects.toThrow(
      "GET /groups: the service answered 404.",
    );
    await expect(connectToAnswer(204).get("/groups", v.unknown())).rejects.toThrow(
      "GET /groups: the service answered 204.",
    );
  });

  it("succeeds as a creation with 200 or 201, as another write with 200 to 299, and as a deletion also with 404", async () => {
    const put = { method: "DELETE", path: "/groups/x" } as const;

    for (const status of [200, 201])
      expect(await connectToAnswer(status, { a: 1 }).create("/groups", {}, v.unknown())).toEqual({ a: 1 });
    await expect(connectToAnswer(202, {}).create("/groups", {}, v.unknown())).rejects.toThrow(
      "POST /groups: the service answered 202.",
    );
    for (const status of [200, 204, 299]) expect(await connectToAnswer(status).put(put)).toBeUndefined();
    for (const status of [300, 404])
      await expect(connectToAnswer(status).put(put)).rejects.toThrow(
        `DELETE /groups/x: the service answered ${status}.`,
      );
    expect(await connectToAnswer(404).put(put, "gone")).toBeUndefined();
    await expect(connectToAnswer(400).put(put, "gone")).rejects.toThrow("DELETE /groups/x: the service answered 400.");
  });

  it("gets its URL and workspace from options or environment variables; the error about a missing one mentions both ways", async () => {
    const readMessageWithout = async (name: string) =>
      (await runAndRecord((_, send) => send(), "plan f.yaml", { [name]: "" })).text;

    expect(await readMessageWithout("BASE_URL")).toBe("BASE_URL is missing. Set it, or use --base-url.");
    expect(await readMessageWithout("WORKSPACE_ID")).toBe("WORKSPACE_ID is missing. Set it, or use --workspace.");
    expect(await readMessageWithout("SESSION_TOKEN")).toMatch(
      /^Credentials are missing. Set SESSION_TOKEN, or for a machine ALERTS_CLIENT_ID/,
    );
    expect(
      await runAndRecord((_, send) => send(), "plan f.yaml --workspace ws_1 --base-url https://alerts.example", {
        BASE_URL: "",
        WORKSPACE_ID: "",
      }),
    ).toMatchObject({ code: 2 });
  });
});
