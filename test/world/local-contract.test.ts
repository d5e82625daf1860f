import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGateway, HEADERS_MAX_BYTES } from "../../local/http/gateway.ts";
import { listenLocally } from "../../local/listen.ts";
import { createRuntime, EVENT_MAX_BYTES, type InvocationResult } from "../../local/runtime/runtime.ts";
import { KB, createText } from "./stand-ins.ts";

describe("a function in the local service", () => {
  const codeDir = join(import.meta.dirname, "../local/fixtures/faulty");
  const runtime = createRuntime({
    functions: [
      {
        name: "faulty",
        physicalName: "faulty",
        arn: "arn:aws:lambda:us-east-1:000000000000:function:faulty",
        codeDir,
        environment: {},
        timeoutMs: 1000,
        memoryMb: 128,
        reservedConcurrency: undefined,
        statements: [],
      },
    ],
    environmentOf: () => ({}),
    preloadsOf: () => [],
    onLine: () => {},
    onUsed: () => {},
  });
  afterAll(() => runtime.close());
  const kindOf = async (event: object, maxBytes?: number) =>
    (await runtime.invoke("faulty", "request", event, maxBytes)).kind;
  /** Creates an event whose JSON has this number of bytes. */
  const createEvent = (bytes: number) => {
    const event = { action: "count", pad: "" };
    return { ...event, pad: createText(bytes - JSON.stringify(event).length) };
  };

  it("accepts an event of 6 MB if its caller waits, and of 256 KB if not", async () => {
    expect(await kindOf(createEvent(6 * 1024 * KB))).toBe("ok");
    expect(await kindOf(createEvent(6 * 1024 * KB + 1))).toBe("too_large");
    expect(await kindOf(createEvent(EVENT_MAX_BYTES), EVENT_MAX_BYTES)).toBe("ok");
    expect(await kindOf(createEvent(EVENT_MAX_BYTES + 1), EVENT_MAX_BYTES)).toBe("too_large");
  });

  it("may answer with up to 6 MB, and still works after a longer answer", async () => {
    const quotes = 2;
    expect(await kindOf({ action: "answer", size: 6_291_556 - quotes })).toBe("ok");
    expect(await kindOf({ action: "answer", size: 6_291_557 - quotes })).toBe("error");
    expect(await kindOf({ action: "count" })).toBe("ok");
  });

  it("is stopped at its timeout", async () => {
    expect(await kindOf({ action: "hang" })).toBe("timeout");
    expect(await kindOf({ action: "count" })).toBe("ok");
  });
});

describe("the API of the local service", () => {
  let answer: InvocationResult;
  let listener: Awaited<ReturnType<typeof listenLocally>>;
  beforeAll(async () => {
    const route = {
      method: "POST",
      path: "/",
      functionName: "any",
      timeoutMs: 1000,
      authorizer: undefined,
      permitted: true,
      throttle: undefined,
    };
    const gateway = createGateway({
      api: { id: "api", routes: [route], selves: [], cors: undefined, throttle: undefined },
      keys: [],
      runtime: { invoke: () => Promise.resolve(answer) },
      onProblem: () => {},
    });
    listener = await listenLocally(createServer({ maxHeaderSize: HEADERS_MAX_BYTES }, gateway), 0);
  });
  afterAll(() => listener.close());
  const statusOf = async (init: RequestInit = {}) => (await fetch(listener.url, { method: "POST", ...init })).status;
  const createAnswer = (headers: object): InvocationResult => ({
    kind: "ok",
    payload: JSON.stringify({ statusCode: 200, headers, body: "" }),
  });

  it("accepts a body of up to 10 MB", async () => {
    answer = createAnswer({});
    expect(await statusOf({ body: createText(10 * 1024 * KB) })).toBe(200);
    expect(await statusOf({ body: createText(10 * 1024 * KB + 1) })).toBe(413);
  });

  it("accepts up to 10,240 bytes of headers, and passes on no more", async () => {
    answer = createAnswer({});
    expect(await statusOf({ headers: { long: createText(9_000) } })).toBe(200);
    expect(await statusOf({ headers: { long: createText(10_240) } })).toBe(431);
    answer = createAnswer({ long: createText(10_240 - "long".length) });
    expect(await statusOf()).toBe(200);
    answer = createAnswer({ long: createText(10_241 - "long".length) });
    expect(await statusOf()).toBe(500);
  });

  it("answers 413 if Lambda would not accept the request, and 500 if Lambda would not return the response", async () => {
    answer = { kind: "too_large", message: "" };
    expect(await statusOf()).toBe(413);
    answer = { kind: "error", message: "" };
    expect(await statusOf()).toBe(500);
  });
});
