import { describe, expect, it } from "vitest";
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

describe("an apply without answers", () => {
  const aCall = (at: string, then: (answer: () => Promise<Response>) => Promise<Response>, times = 1) => {
    const workspace = aWorkspace(alice, bob, carol);
    workspace.files.set("f.yaml", setUp);
    let count = 0;
    const fetching: typeof fetch = async (url, init) => {
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      const answer = () => workspace.send(url, init);
      if (`${init?.method} ${pathname}`.endsWith(at) && (count += 1) <= times) return then(answer);
      return answer();
    };
    return { ...workspace, apply: () => workspace.run("apply f.yaml", { fetch: fetching }), count: () => count };
  };
  const lost = () => Promise.reject(new TypeError("fetch failed"));

  it("makes nothing twice that was made without an answer, and makes what was not, at most three times", async () => {
    const made = aCall("POST /v1/workspaces/ws_1/routing-rules", (answer) => answer().then(lost));
    expect((await made.apply()).code).toBe(0);
    expect(made.takeWrites().filter((one) => one === "POST routing-rules Orders")).toHaveLength(1);

    const unmade = aCall("POST /v1/workspaces/ws_1/routing-rules", lost, 2);
    expect([(await unmade.apply()).code, unmade.count()]).toEqual([0, 3]);

    const never = aCall("POST /v1/workspaces/ws_1/routing-rules", lost, 9);
    expect((await never.apply()).text).toMatch(/POST \/routing-rules: no answer came\.$/);
    expect(never.count()).toBe(3);
  });

  it.each([
    ["no answer", () => lost(), 4, true],
    ["503", async () => new Response("", { status: 503 }), 4, true],
    ["429", async () => new Response("", { status: 429 }), 4, true],
    ["no answer five times", () => lost(), 5, false],
  ])(
    "asks again for what is the same however often it is done, at most five times: %s",
    async (_, fail, times, holds) => {
      const call = aCall("PUT /v1/workspaces/ws_1/groups/grp_1/on-call", fail, times);

      expect([(await call.apply()).code === 0, call.count()]).toEqual([holds, 5]);
    },
  );

  it("does not go on after a refusal, and says whose fault it is", async () => {
    const refused = (status: number, body: object = {}) =>
      aCall("POST /v1/workspaces/ws_1/routing-rules", async () => Response.json(body, { status })).apply();

    expect((await refused(401)).text).toMatch(
      /the session token was refused: SESSION_TOKEN must be a good access token\.$/,
    );
    expect((await refused(403)).text).toMatch(/not allowed: WORKSPACE_ID must be a workspace of which/);
    expect(
      (
        await refused(422, {
          errors: [
            { field: "name", message: "Too long." },
            { field: "a", message: "B." },
          ],
        })
      ).text,
    ).toMatch(/POST \/routing-rules: name: Too long\. a: B\.$/);
    expect((await refused(409, { detail: "There are as many as there may be." })).text).toMatch(
      /as many as there may be\.$/,
    );
    expect((await refused(404, { message: "Not Found" })).text).toMatch(/POST \/routing-rules: Not Found$/);
    expect((await refused(418)).text).toMatch(/the service answered 418\.$/);
  });

  it("says what is missing to find the workspace", async () => {
    const { run, files } = aWorkspace(alice);
    files.set("f.yaml", "groups: []\n");

    for (const name of ["BASE_URL", "WORKSPACE_ID", "SESSION_TOKEN"])
      expect((await run("plan f.yaml", { env: { [name]: "" } })).text).toMatch(new RegExp(`^${name} is missing`));
    expect(
      (
        await run("plan f.yaml --workspace ws_1 --base-url https://alerts.example", {
          env: { BASE_URL: "", WORKSPACE_ID: "" },
        })
      ).code,
    ).toBe(0);
  });
});
