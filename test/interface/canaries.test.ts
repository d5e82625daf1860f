import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { createFcmChannel } from "../../core/push/fcm.ts";
import { createJsonLog } from "../../core/log.ts";
import * as members from "../../functions/members.ts";
import { createEscalator } from "../../functions/escalator.ts";
import type { HttpHandler } from "../../functions/http/endpoint.ts";
import { createMatcher } from "../../functions/matcher.ts";
import { createSender } from "../../functions/sender.ts";
import { routes } from "../../interface/routes.ts";
import type { Method } from "../../interface/contract.ts";
import type { Mode } from "../../local/fcm/answers.ts";
import { ACCESS_TOKEN_PREFIX, type Fcm } from "../../local/fcm/server.ts";
import { createPushOverFcm, PRIVATE_KEY, serviceAccount } from "../core/push/support.ts";
import { startFcmForThisProcess } from "../local/fcm/support.ts";
import { startApp, type App, type Ask } from "../world/app.ts";
import { findCanaries, toItemText, type Canaries } from "../support/canaries.ts";
import { alice, bob, fillWorkspace, type FilledWorkspace } from "../support/people.ts";
import { createReceiptKey } from "../support/phone.ts";
import { toPush } from "../support/push.ts";
import { askRoute } from "../support/routes.ts";

/*
 * Secrets and content are marked, every kind of failure is caused, and then the marks are searched for. A device's token is
 * allowed in the table, because FCM needs the token; content is allowed there and in answers.
 */

const lines: string[] = [];
const answers: string[] = [];
let fcm: Fcm;
let app: App;
let mine: FilledWorkspace;
let secrets: Canaries;

const content = {
  title: "canary-title-7f3a91c2",
  body: "canary-body-55d02be8",
  detail: "canary-detail-0c9e4f61",
  value: "canary-value-a1b8d377",
  key: "canary_key_9d2c6e40",
  dedupeKey: "canary-dedupe-3e8f1a5b",
  idempotencyKey: "canary-idempotency-6b4d9c08",
  name: "canary-name-d81f0e2a",
  email: "canary-email-2c7b6f93@acme.example",
};
const token = "canary-token-b5e07d19";
const SESSION = ["eyJhbGciOiJSUzI1NiJ9", "eyJzdWIiOiJhIn0", "canary-session-e90a17bc"].join(".");
const createPush = (text = serviceAccount) =>
  createFcmChannel({ getServiceAccount: async () => text, now: Date.now, deadlineMs: 300 });
let push = createPush();

beforeAll(async () => {
  fcm = await startFcmForThisProcess();
  const log = createJsonLog({
    write: (line) => lines.push(line),
    now: () => 0,
    stage: "test",
    traceId: () => "1-trace",
  });
  app = await startApp({
    log,
    pausesPass: true,
    push: toPush((message, device) => createPushOverFcm(push).send(message, device)),
  });
  mine = await fillWorkspace(app, alice);
  secrets = { apiKey: mine.key, privateKey: PRIVATE_KEY, accessToken: ACCESS_TOKEN_PREFIX, session: SESSION, token };
  const person = { userId: bob, name: content.name, email: content.email };
  await askAndStore("POST", "/members", { as: alice, body: person });
  await registerDevice();
});
afterAll(async () => {
  await app.close();
  await fcm.close();
});
beforeEach(() => {
  lines.length = 0;
});

const askAndStore = async (method: Method, path: string, options: Ask) => {
  const headers = { authorization: `Bearer ${SESSION}` };
  const answer = await app.ask(`/v1/workspaces/${mine.workspaceId}${path}`, { method, headers, ...options });
  answers.push(JSON.stringify(answer));
  return answer;
};
const registerDevice = () =>
  askAndStore("POST", "/devices", { as: bob, body: { token, platform: "ios", name: content.name } });

let posts = 0;
const postEvent = async () => {
  posts += 1;
  app.advance(1000);
  const answer = await app.ask("/v1/events", {
    method: "POST",
    apiKey: mine.key,
    headers: { "idempotency-key": `${content.idempotencyKey}-${posts}` },
    body: {
      event: "order.failed",
      title: content.title,
      body: content.body,
      detail: content.detail,
      dedupeKey: `${content.dedupeKey}-${posts}`,
      data: { [content.key]: content.value, site: `https://${content.value}.example`, site_name: content.name },
    },
  });
  answers.push(JSON.stringify(answer));
  return answer;
};

type Logged = { code?: string; _aws?: { CloudWatchMetrics: [{ Metrics: [{ Name: string }] }] } };

/** Checks that no line of the log contains personal data or a secret. Returns the code of each line. */
const searchLog = (): string[] => {
  expect(findCanaries(lines.join("\n"), { ...content, ...secrets })).toEqual([]);
  return lines.map((line) => {
    const logged = JSON.parse(line) as Logged;
    return logged.code ?? logged._aws!.CloudWatchMetrics[0].Metrics[0].Name;
  });
};

it("the search for planted secrets finds a secret in any encoding, and in a stored item", () => {
  const hidden = [
    `x${PRIVATE_KEY.split("\n")[3]}y`,
    encodeURIComponent(`a ${content.email}`),
    Buffer.from(`ab${token}cd`).toString("base64"),
    Buffer.from(`a${content.title} `).toString("base64url"),
    Buffer.from(content.body).toString("hex"),
    toItemText({ content: new Set([content.detail]) }),
  ];

  expect(hidden.map((text) => findCanaries(text, { ...content, ...secrets }))).toEqual([
    ["privateKey"],
    ["email"],
    ["token"],
    ["title"],
    ["body"],
    ["detail"],
  ]);
});

describe("the log", () => {
  it("contains neither secrets nor event content when everything succeeds", async () => {
    expect((await postEvent()).status).toBe(201);
    await app.work();

    expect(searchLog()).toEqual(expect.arrayContaining(["event.accepted", "event.matched", "pack.sent"]));
  });

  it.each<[string, Partial<Mode>]>([
    ["says that a token is not registered", { send: [{ kind: "refuse", status: 404, code: "UNREGISTERED" }] }],
    ["calls a message invalid", { send: [{ kind: "refuse", status: 400, code: "INVALID_ARGUMENT" }] }],
    ["does not know the sender", { send: [{ kind: "refuse", status: 403, code: "SENDER_ID_MISMATCH" }] }],
    ["refuses the access token", { send: [{ kind: "refuse", status: 401 }] }],
    ["is not available", { send: [{ kind: "refuse", status: 503, code: "UNAVAILABLE" }] }],
    ["is asked too often", { send: [{ kind: "refuse", status: 429, code: "QUOTA_EXCEEDED", retryAfter: "1" }] }],
    ["breaks the connection", { send: [{ kind: "takeAndReset" }] }],
    ["gives half an answer", { send: [{ kind: "truncate" }] }],
    ["gives no answer", { send: [{ kind: "stall" }] }],
    ["ends the session by GOAWAY", { send: [{ kind: "goaway" }] }],
    ["gives no access token", { oauth: [{ kind: "refuse", status: 400, code: "invalid_grant" }] }],
    ["gives no answer about an access token", { oauth: [{ kind: "stall" }] }],
  ])("contains neither secrets nor event content when FCM %s", async (_, mode) => {
    await registerDevice();
    push = createPush();
    fcm.setMode(mode);

    await postEvent();
    await app.work();
    fcm.setMode({});

    expect(searchLog()).toContain("pack.sent");
    expect(searchLog()).not.toContain("PushSent");
  });

  it.each([
    ["is not JSON", `x${PRIVATE_KEY}`],
    ["is truncated JSON", serviceAccount.slice(0, -20)],
    ["has a key without line breaks", serviceAccount.replaceAll("\\n", "")],
    ["has its key in another field", serviceAccount.replace("private_key", "privateKey")],
  ])("contains neither secrets nor event content when the service account %s", async (_, text) => {
    await registerDevice();
    push = createPush(text);

    await postEvent();
    await app.work();
    push = createPush();

    expect(searchLog()).toContain("PushAuthFailed");
  });

  it.each([
    ["not JSON", content.title],
    ["truncated JSON", `{"kind":"accepted","event":{"content":{"title":"${content.title}"`],
    ["of an unknown kind", JSON.stringify({ kind: content.title })],
    [
      "an event with wrong types",
      JSON.stringify({ kind: "accepted", due: content.title, event: { content: { title: [content.title] } } }),
    ],
    ["a marker with wrong types", JSON.stringify({ marker: content.title, text: content.body, packId: token })],
  ])("contains neither secrets nor event content when a message in a queue is %s", async (_, body) => {
    const attributes = { ApproximateReceiveCount: "1" };
    const batch = { Records: [{ messageId: "m-1", receiptHandle: "r", body, attributes }] };

    for (const worker of [createMatcher(app.deps), createSender(app.deps), createEscalator(app.deps)])
      expect(await worker(batch)).toEqual({ batchItemFailures: [{ itemIdentifier: "m-1" }] });

    // After the failure, the message cannot be delayed, because the queue does not know its receipt handle.
    const codes = ["batch.record_failed", "batch.not_rescheduled"];
    expect(searchLog()).toEqual([...codes, ...codes, ...codes]);
  });

  it("contains neither secrets nor event content when AWS sends an event of an unexpected shape", async () => {
    const worker = createMatcher(app.deps);
    const read: HttpHandler = members.reads(app.deps);

    await expect(worker({ Records: [{ body: [content.title] }] })).rejects.not.toThrow(/canary/);
    const answer = await read({ headers: { "x-api-key": [mine.key] }, body: content.body }, {});

    expect(answer).toMatchObject({ statusCode: 500, body: expect.not.stringContaining("canary") as string });
    expect(searchLog()).toEqual(["http.failed"]);
  });

  it("contains neither secrets nor event content when an item of the table is not readable", async () => {
    const key = { pk: `WS#${mine.workspaceId}#PEOPLE`, sk: `MEMBER#${bob}` };
    const { name: TableName, client } = app.deps.table;
    const storeEmail = (value: unknown) =>
      client.send(
        new UpdateCommand({
          TableName,
          Key: key,
          UpdateExpression: "SET email = :value",
          ExpressionAttributeValues: { ":value": value },
        }),
      );

    await storeEmail([content.email]);
    const list = await askAndStore("GET", "/members", { as: alice });
    await askAndStore("PATCH", "", { as: alice, body: { name: "Acme" } });
    await postEvent();
    await createMatcher(app.deps)(app.queued());
    await storeEmail(content.email);

    expect(list.status).toBe(500);
    expect(searchLog()).toEqual(["http.failed", "event.accepted", "batch.record_failed", "batch.not_rescheduled"]);
    expect(lines.join()).toContain("is not readable at email");
  });

  it.each([
    ["fails", "InternalServerError", "Internal server error"],
    ["is slow", "TimeoutError", "socket hang up"],
    ["is throttled", "ThrottlingException", "Rate exceeded"],
    ["denies access", "AccessDeniedException", "User: post-event is not authorized to perform: dynamodb:PutItem"],
  ])("contains neither secrets nor event content when the table %s at each call", async (_, name, message) => {
    const { client } = app.deps.table;
    const { send } = client;
    const seen = new Set<number>();
    let failed = true;
    for (let at = 0; failed; at += 1) {
      let calls = 0;
      failed = false;
      client.send = (async (command: never) => {
        calls += 1;
        if (calls - 1 !== at) return send(command);
        failed = true;
        throw Object.assign(new Error(message), { name, Item: { content }, $response: { body: content.body } });
      }) as typeof send;

      seen.add((await postEvent()).status);
      await app.work();
      client.send = send;
    }

    expect([...seen]).toContain(name === "ThrottlingException" ? 503 : 500);
    expect(searchLog()).toContain("batch.record_failed");
  });
});

it("no answer to a GET request contains a secret", async () => {
  const display = { token: "display", platform: "android", receiptKey: (await createReceiptKey()).receiptKey };
  const { id } = (await askAndStore("POST", "/devices", { as: alice, body: display })).body as { id: string };
  const body = { url: "https://hc-ping.com/0c63e4f2", everyMinutes: 5, deviceId: id };
  await askAndStore("PUT", "/switch", { as: alice, body });
  for (const route of routes.filter(({ method }) => method === "GET")) {
    const caller = route.auth === "session" ? { as: route.role === "owner" ? alice : bob } : { apiKey: mine.key };
    const answer = await askRoute(app, route, caller, mine);
    expect({ path: route.path, status: answer.status }).toEqual({ path: route.path, status: 200 });
    answers.push(JSON.stringify(answer));
  }

  expect(answers.length).toBeGreaterThan(80);
  expect(findCanaries(answers.join("\n"), secrets)).toEqual([]);
});

it("the table contains device tokens and event content, but no other secrets", async () => {
  const stored = (await app.stand.listItems()).map(toItemText).join("\n");

  expect(findCanaries(stored, { ...content, ...secrets })).toEqual([
    "title",
    "body",
    "detail",
    "value",
    "key",
    "dedupeKey",
    "name",
    "email",
    "token",
  ]);
});
