import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createClientFactory } from "../../client/client.ts";
import { listOperations, parseDocument, toType } from "../../client/generate.ts";
import { routes } from "../../interface/routes.ts";
import { installClient } from "../support/client-package.ts";
import { startServedApp } from "../support/filled-app.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const dir = mkdtempSync(join(tmpdir(), "client-"));
const { served } = await startServedApp();
const [workspace] = served.session.workspaces;
const env = {
  PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
  HOME: dir,
  BASE_URL: served.baseUrl,
  WORKSPACE_ID: workspace?.id ?? "",
  API_KEY: workspace?.apiKey ?? "",
  SESSION_TOKEN: workspace?.members[0]?.token ?? "",
};

beforeAll(async () => {
  await installClient(dir);
});
afterAll(async () => {
  await served.close();
  rmSync(dir, { recursive: true, force: true });
});

const runProgram = async (program: string): Promise<string> => {
  writeFileSync(join(dir, "program.js"), program);
  return (await run("node", ["program.js"], { cwd: dir, env })).stdout.trim();
};

describe("the installed package", () => {
  it("sends the example event of its documentation", async () => {
    const [, snippet = ""] = /```js\n(.*?)```/s.exec(readFileSync(join(root, "client/README.md"), "utf8")) ?? [];

    expect(await runProgram(snippet)).toMatch(/^evt_\w{20}$/);
    expect(readFileSync(join(root, "docs/send.md"), "utf8")).toContain(snippet);
  });

  it("reads and changes data for a signed-in person, and throws an error if the service refuses", async () => {
    const said = await runProgram(`
      import { ApiError, createClient } from "event-alerting-client";
      const { BASE_URL: baseUrl, SESSION_TOKEN, WORKSPACE_ID: workspaceId } = process.env;
      const alerts = createClient({ baseUrl: baseUrl + "/", token: async () => SESSION_TOKEN });
      const { id } = await alerts.createGroup({ workspaceId, body: { name: "Of the client" } });
      const groups = await alerts.listGroups({ workspaceId });
      const page = await alerts.listEvents({ workspaceId, query: { limit: 1, state: undefined } });
      const gone = await alerts.deleteGroup({ workspaceId, groupId: id });
      const refused = await alerts.createGroup({ workspaceId, body: {} }).catch((error) => error);
      console.log(JSON.stringify([groups.some((one) => one.id === id), page.limit, gone ?? null,
        refused instanceof ApiError, refused.status, refused.code, refused.errors.length]));`);

    expect(JSON.parse(said)).toEqual([true, 1, null, true, 422, "invalid_input", 1]);
  });

  it("exports the types of the OpenAPI document", async () => {
    const program = `
      import { type ClientOptions, createClient, type EventAccepted, type Webhook } from "event-alerting-client";
      const alerts = createClient({ baseUrl: "https://a.example", apiKey: "k" });
      const sent = await alerts.postEvent({ body: { event: "a.b", title: "t", body: "b", priority: "HIGH" } });
      export const id: string = sent.eventId;
      export const hooks: Webhook[] = await alerts.listWebhooks({ workspaceId: "ws_1" });
      export const options: ClientOptions = { baseUrl: "https://a.example", token: async () => "t", tries: 2 };
      export const accepted = (one: EventAccepted): true => one.ok;
      // @ts-expect-error: no such priority
      await alerts.postEvent({ body: { event: "a.b", title: "t", body: "b", priority: "LOUD" } });
      // @ts-expect-error: the workspace is missing
      await alerts.listWebhooks({});`;
    writeFileSync(join(dir, "program.ts"), program);
    const options = [
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--target",
      "es2022",
      "--types",
      "",
      "--lib",
      "es2022,dom",
    ];
    const ended = await run(join(root, "node_modules/.bin/tsc"), [...options, "program.ts"], { cwd: dir, env }).catch(
      (error: unknown) => error as { stdout: string },
    );

    expect(ended.stdout).toBe("");
  });
});

describe("the client's table of operations", () => {
  const table = listOperations(parseDocument(readFileSync(join(root, "docs/openapi.json"), "utf8")));

  it("lists every operation of the API, and marks only idempotent operations as retryable", () => {
    const names = routes.map(({ entry }) =>
      entry.split("/")[1]!.replaceAll(/-(\w)/g, (_, one: string) => one.toUpperCase()),
    );

    expect(Object.keys(table)).toEqual(expect.arrayContaining(names));
    expect(table["postEvent"]).toEqual({ method: "POST", path: "/v1/events", repeats: "by key" });
    expect(table["createGroup"]?.repeats).toBe("never");
    expect(table["listGroups"]?.repeats).toBe("always");
  });
});

describe("a request of the client", () => {
  const createAnsweredClient = (...answers: readonly (number | "broken" | "cut")[]) => {
    const asked: { url: string; headers: Record<string, string> }[] = [];
    const call = (async (url: string, init: RequestInit) => {
      asked.push({ url, headers: init.headers as Record<string, string> });
      const status = answers[asked.length - 1] ?? 200;
      if (status === "broken") throw new TypeError("fetch failed");
      const headers = { "content-type": "application/json", "retry-after": "0" };
      return status === "cut" ? new Response("{", { headers }) : new Response("{}", { status, headers });
    }) as typeof fetch;
    const client = createClientFactory({
      send: { method: "POST", path: "/e", repeats: "by key" },
      make: { method: "POST", path: "/g/{id}", repeats: "never" },
      read: { method: "GET", path: "/g", repeats: "always" },
    })({ baseUrl: "https://a.example", apiKey: "k", tries: 3, fetch: call });
    return { asked, client };
  };

  it("is retried, with the same idempotency key and as often as documented, if a repeat is safe", async () => {
    const { asked, client } = createAnsweredClient("cut", 429, 201);
    await client["send"]!({ body: {}, headers: { "x-api-key": "own" } });
    expect(asked[0]!.headers["x-api-key"]).toBe("own");
    expect(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(asked).toHaveLength(3);

    const down = createAnsweredClient(503, 503, 503, 200);
    await expect(down.client["read"]!({})).rejects.toMatchObject({ status: 503 });
    expect(down.asked).toHaveLength(3);
  });

  it("is retried after pauses that double, or after the pause that the service requests", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const times: number[] = [];
    const call = async () => {
      times.push(Date.now());
      return new Response("{}", { status: 503, headers: times.length === 3 ? { "retry-after": "1" } : {} });
    };
    const operations = { read: { method: "GET", path: "/g", repeats: "always" } } as const;
    const client = createClientFactory(operations)({ baseUrl: "https://a.example", tries: 4, fetch: call });

    const refused = client["read"]!({}).catch((error: unknown) => error);
    await vi.runAllTimersAsync();

    expect(await refused).toMatchObject({ status: 503 });

    const pauses = times.slice(1).map((at, index) => Math.floor((at - times[index]!) / 1000));
    const areDoubled = pauses.map((seconds, index) => seconds >= 2 ** (index + 1) && seconds <= 2.5 ** (index + 1));
    expect([...areDoubled.slice(0, 2), pauses[2]]).toEqual([true, true, 1]);
  });

  it("is sent once if a repeat is not safe, or if the service refuses the request", async () => {
    const made = createAnsweredClient(503);
    await expect(made.client["make"]!({ id: "1" })).rejects.toMatchObject({ status: 503 });
    const refused = createAnsweredClient(422);
    await expect(refused.client["send"]!({ body: {} })).rejects.toMatchObject({ status: 422 });

    expect([made.asked.length, refused.asked.length]).toEqual([1, 1]);
  });

  it("escapes path parameters, so that no parameter changes the path", async () => {
    const { asked, client } = createAnsweredClient(200);
    await client["make"]!({ id: "../a b?c" });

    expect(asked[0]!.url).toBe("https://a.example/g/..%2Fa%20b%3Fc");
    await expect(client["make"]!({})).rejects.toThrow("id must be a string");
  });
});

it.each([
  [
    "an object with a required and an optional field",
    '{ a: string; "b-c"?: "x" | 1; }',
    { type: "object", properties: { a: { type: "string" }, "b-c": { enum: ["x", 1] } }, required: ["a"] },
  ],
  ["an object with any keys", "Record<string, number>", { type: "object", additionalProperties: { type: "integer" } }],
  ["a list of a named type", "Array<Thing>", { type: "array", items: { $ref: "#/components/schemas/Thing" } }],
  ["a list of text and null", "[string, null]", { type: "array", prefixItems: [{ type: "string" }, { const: null }] }],
  ["text, null or text again", "string | null", { anyOf: [{ type: "string" }, { type: "null" }, { type: "string" }] }],
  ["a boolean or null", "boolean | null", { type: ["boolean", "null"] }],
  ["any value", "unknown", {}],
])("in the generated client, the schema of %s becomes the type `%s`", (_, type, schema) => {
  expect(toType(schema)).toBe(type);
});
