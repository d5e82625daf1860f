import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { createApiKeyText } from "../../../core/domain/workspace/api-key-text.ts";
import {
  readAccessToken,
  parseSenderKey,
  authorizeMember,
  readApiKey,
  readKeyText,
  readInputWithValidKey,
  authenticatePerson,
} from "../../../functions/http/auth.ts";
import { createDepsForCaller } from "../../../functions/http/as-caller.ts";
import { createPipeline, replyOk } from "../../../functions/http/endpoint.ts";
import { allowSlashAtEnd } from "../../../functions/http/trailing-slash.ts";
import { call } from "../../world/http.ts";
import { aRequest } from "./support.ts";

const NOW = Date.UTC(2026, 10, 23, 12);
const now = () => NOW;
const key = await createApiKeyText(() => "key_1", "ws_0000000000000001");
const alarms = await createApiKeyText(() => "key_1", "ws_0000000000000001", { source: "cloudwatch" });
const quiet = { log: { info: () => {}, warn: () => {}, error: () => {}, metric: () => {} } };

const createParameter = (name: string) => ({ name, description: "", schema: {} });

const encodeBasic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

it.each([
  ["console", "console"],
  ["setup_file", "setup_file"],
  ["operator", "api"],
  ["usr_bob", "api"],
  ["", "api"],
])('in the audit trail, a change with the header X-Via: "%s" is recorded as made via %s', (said, via) => {
  const caller = { userId: "usr_ann" };
  const request = { headers: new Map([["x-via", said]]), requestId: "req_1", caller };

  const { table } = createDepsForCaller({ table: { name: "t", client: {} as never } }, request);

  expect(table.author).toEqual({ userId: "usr_ann", via, requestId: "req_1" });
});

describe("the API key of a tool", () => {
  it.each([
    ["in the header X-API-Key", { "x-api-key": ` ${key} ` }, key],
    [
      "in the header X-API-Key, together with another key, which is ignored",
      { "x-api-key": "mine", authorization: `Bearer ${key}` },
      "mine",
    ],
    ["as Bearer", { authorization: ` Bearer  ${key} ` }, key],
    ["as Opsgenie's GenieKey", { authorization: `geniekey ${key}` }, key],
    ["as the user name", { authorization: encodeBasic(`${key}:`) }, key],
    ["as the user name, without a colon", { authorization: encodeBasic(key) }, key],
    ["as the password", { authorization: encodeBasic(`grafana:${key}`) }, key],
    ["as the password alone", { authorization: encodeBasic(`:${key}`) }, key],
    ["with the newline that a shell's echo adds", { authorization: encodeBasic(`grafana:${key}\n`) }, key],
  ])("is read if it is sent %s", (_, headers, text) => {
    expect(readKeyText(aRequest({ headers }))).toBe(text);
  });

  it.each([
    ["as Digest", { authorization: `Digest ${key}` }],
    ["as Bearer, with a word after the key", { authorization: `Bearer ${key} more` }],
    ["with a word before the scheme", { authorization: `My Bearer ${key}` }],
    ["as Basic, but not in base64", { authorization: "Basic a:b" }],
    ["in no header", {}],
  ])("is not read if it is sent %s", (_, headers) => {
    expect(readKeyText(aRequest({ headers }))).toBeUndefined();
  });
});

describe("the API key of a sender", () => {
  const readRefusal = (request: Promise<unknown>) => request.catch((error: unknown) => (error as Error).message);
  const NEEDS = "A valid API key is required in the header X-Api-Key.";

  it("names its workspace, and its tool if the key is for a tool", async () => {
    expect(await readApiKey({ now }, aRequest({ headers: { "x-api-key": ` ${key} ` } }))).toMatchObject({
      workspaceId: "ws_0000000000000001",
      hash: expect.objectContaining({ length: 16 }),
      source: undefined,
    });
    expect(await parseSenderKey({ now }, alarms)).toMatchObject({ source: "cloudwatch" });
  });

  it("is valid until the second at which it expires, and is then refused like an unknown key", async () => {
    const ends = async (until: number) =>
      parseSenderKey({ now }, await createApiKeyText(() => "key_1", "ws_1", { until }));

    expect(await ends(NOW + 1000)).toMatchObject({ workspaceId: "ws_1" });
    expect(await readRefusal(ends(NOW))).toBe(NEEDS);
  });

  it("that has the wrong format is refused, and the error names the visible mistake", async () => {
    expect(await readRefusal(parseSenderKey({ now }, "$KEY"))).toBe(
      `${NEEDS} The header has the name of a variable instead of its value.`,
    );
    expect(await readRefusal(readApiKey({ now }, aRequest({ headers: { authorization: key } })))).toBe(
      `${NEEDS} The header authorization is not read.`,
    );
  });
});

describe("an input that is sent with an API key", () => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: "local" }));
  const dynamodb = mockClient(client);
  const deps = { table: { name: "events", client } };
  const read = () => {
    throw new Error("a fault of the input");
  };
  const sender = { workspaceId: "ws_1" as const, hash: new Uint8Array(16) };

  it("with faults and with an unknown key gets an error about the key, and not about the faults", async () => {
    dynamodb.reset();
    dynamodb.onAnyCommand().resolves({});

    await expect(readInputWithValidKey(deps, sender, read)).rejects.toThrow("A valid API key is required");
  });

  it("is read without a check of the key if it has no faults", async () => {
    dynamodb.reset();

    expect(await readInputWithValidKey(deps, sender, () => "input")).toBe("input");
    expect(dynamodb.calls()).toEqual([]);
  });
});

it.each([
  ["Bearer abc", "abc"],
  ["bearer abc", "abc"],
  ["abc", "abc"],
  ["my bearer abc", "my bearer abc"],
])('a request with the header "Authorization: %s" has the session token %j', (authorization, token) => {
  expect(readAccessToken(aRequest({ headers: { authorization } }))).toBe(token);
});

it("a request without the header Authorization has an empty session token", () => {
  expect(readAccessToken(aRequest({ headers: {} }))).toBe("");
});

describe("a request with a person's session", () => {
  const sub = "01234567-89ab-cdef-0123-456789abcdef";
  const who = createPipeline(quiet)
    .use(authenticatePerson({ query: [createParameter("page"), createParameter("limit")] }))
    .handler(async ({ caller }) => replyOk(caller));
  const nobody = createPipeline(quiet)
    .use(authenticatePerson({}))
    .handler(async ({ caller }) => replyOk(caller));
  const good = { token_use: "access", sub };

  it("is made by the person whose access token it has", async () => {
    expect((await call(who, { as: good })).body).toEqual({ userId: "usr_0123456789abcdef0123456789abcdef" });
  });

  it.each([
    ["an id token, which only says who somebody is", { token_use: "id", sub }],
    ["a token with an empty user id", { token_use: "access", sub: "" }],
    ["a token without a user id", { token_use: "access" }],
    ["a token with a user id that the pool cannot have", { token_use: "access", sub: "alice#1" }],
    ["no token", undefined],
  ])("is refused with %s", async (_, as) => {
    const answer = await call<{ detail: string }>(who, as === undefined ? {} : { as });

    expect(answer).toMatchObject({ status: 401, headers: { "WWW-Authenticate": "Bearer" } });
    expect(answer.body.detail).toBe("A valid session token is required: Authorization: Bearer <access token>.");
  });

  it.each([
    ["known parameters are accepted", who, { page: "1", limit: "2" }, undefined],
    ["the error suggests a similar name", who, { pgae: "1" }, ["Unknown query parameter pgae: did you mean page?"]],
    [
      "the error lists the known names",
      who,
      { colour: "1", page: "1" },
      ["Unknown query parameter colour: this request takes page, limit."],
    ],
    [
      "each parameter is refused if none is known",
      nobody,
      { a: "1", b: "2" },
      [
        "Unknown query parameter a: this request takes no parameters.",
        "Unknown query parameter b: this request takes no parameters.",
      ],
    ],
  ])("that reads data may not have an unknown query parameter: %s", async (_, handler, query, says) => {
    const { status, body } = await call<{ errors?: { code: string; message: string }[] }>(handler, {
      as: good,
      method: "GET",
      query,
    });

    expect([status, body.errors?.map(({ message }) => message)]).toEqual([says === undefined ? 200 : 422, says]);
    expect(new Set(body.errors?.map(({ code }) => code))).toEqual(new Set(says === undefined ? [] : ["unknown_field"]));
  });

  it("may have any query parameters if it writes data", async () => {
    expect((await call(who, { as: good, method: "POST", query: { _method: "x" } })).status).toBe(200);
  });
});

describe("a member", () => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: "local" }));
  const dynamodb = mockClient(client);
  const who = createPipeline(quiet)
    .use(authorizeMember({ table: { name: "events", client } }, { role: "viewer", query: [createParameter("page")] }))
    .handler(async ({ caller, workspaceId }) => replyOk({ caller, workspaceId }));
  const as = { token_use: "access", sub: "01234567-89ab-cdef-0123-456789abcdef" };
  const ask = (workspaceId: WorkspaceId, query = {}) => call(who, { as, method: "GET", path: { workspaceId }, query });

  it("is recognised by the workspace's list of members", async () => {
    const stored = { userId: "usr_0123456789abcdef0123456789abcdef", name: "Alice", email: "alice@acme.example" };
    dynamodb.reset();
    dynamodb.onAnyCommand().resolves({ Item: { ...stored, createdAt: "2026-01-01T00:00:00.000Z" } });

    expect((await ask("ws_0000000000000001")).body).toMatchObject({
      caller: stored,
      workspaceId: "ws_0000000000000001",
    });
    expect((await ask("ws_0000000000000001", { pgae: "1" })).status).toBe(422);
  });

  it("is never a user whom the workspace does not list; for an invalid workspace id, nothing is read", async () => {
    dynamodb.reset();
    dynamodb.onAnyCommand().resolves({});
    const refused = { status: 403, body: { code: "not_a_member", detail: "You are not a member of this workspace." } };

    expect(await ask("ws_0000000000000001")).toMatchObject(refused);
    expect(dynamodb.calls()).toHaveLength(1);
    expect(await ask("ws_1#META")).toMatchObject(refused);
    expect(dynamodb.calls()).toHaveLength(1);
  });
});

describe("a slash at the end of a path", () => {
  const handler = createPipeline(quiet)
    .use(allowSlashAtEnd("", "{key}", "v2/{call}", "v2/{call}/{alias}/{action}"))
    .handler(async ({ path }) => replyOk(Object.fromEntries(path)));
  const at = async (path: Record<string, string>) => {
    const { status, body } = await call<object>(handler, { method: "POST", rawPath: "/v1/evnts/", path });
    return status === 200 ? body : status;
  };

  it.each([
    ["the route's path without a slash", {}, {}],
    ["the route's path with a key, without a slash", { key: "k" }, { key: "k" }],
    ["the route's path", { rest: "" }, { rest: "" }],
    ["the route's path and a key", { rest: "k/" }, { rest: "k/", key: "k" }],
    [
      "the route's path with a source, and a key",
      { source: "grafana", rest: "k/" },
      { source: "grafana", rest: "k/", key: "k" },
    ],
    ["the route's path and a call of version 2", { rest: "v2/alerts/" }, { rest: "v2/alerts/", call: "alerts" }],
    [
      "the route's path and an action of version 2",
      { rest: "v2/a/b/close/" },
      { rest: "v2/a/b/close/", call: "a", alias: "b", action: "close" },
    ],
  ])("is ignored after a known path: %s", async (_, path, expected) => {
    expect(await at(path as Record<string, string>)).toEqual(expected);
  });

  it.each(["k", "/", "k//", "v1/alerts/", "v2//", "v2/a/b/"])(
    "is not ignored after an unknown path: the route's path followed by %j gets the answer 404",
    async (rest) => {
      expect(await at({ rest })).toBe(404);
    },
  );
});
