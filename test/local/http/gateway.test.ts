import { createSecretKey, generateKeyPairSync } from "node:crypto";
import { createServer, request as httpRequest } from "node:http";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGateway, HEADERS_MAX_BYTES } from "../../../local/http/gateway.ts";
import { type Listener, listenLocally } from "../../../local/listen.ts";
import type { InvocationResult } from "../../../local/runtime/runtime.ts";
import type { RouteModel } from "../../../local/template/routes.ts";

const issuer = "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_pool";
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicKeyAsSecret = createSecretKey(Buffer.from(publicKey.export({ type: "spki", format: "pem" })));
const { n = "", e = "" } = publicKey.export({ format: "jwk" });

const createRoute = (method: string, path: string, fields: Partial<RouteModel> = {}): RouteModel => ({
  method,
  path,
  functionName: "echo",
  timeoutMs: 300,
  authorizer: undefined,
  permitted: true,
  throttle: undefined,
  ...fields,
});
const session = { authorizer: { issuer, audience: ["client"] } };

let answer: (event: Record<string, unknown>) => Promise<InvocationResult> | InvocationResult;
const echo = (event: object): InvocationResult => ({
  kind: "ok",
  payload: JSON.stringify({ statusCode: 200, body: JSON.stringify(event) }),
});
const problems: string[] = [];
let listener: Listener;

beforeAll(async () => {
  const gateway = createGateway({
    api: {
      id: "api",
      routes: [
        createRoute("POST", "/v1/events"),
        createRoute("GET", "/v1/things/{thingId}"),
        createRoute("GET", "/v1/things/special"),
        createRoute("GET", "/v1/things/{thingId}/parts/{partId}"),
        createRoute("GET", "/v1/mine", session),
        createRoute("GET", "/v1/flooded", { throttle: { requestsPerSecond: 0.001, burst: 2 } }),
        createRoute("GET", "/v1/forbidden", { permitted: false }),
      ],
      selves: [{ method: "HEAD", path: "/v1/{path+}", asks: "GET", throttle: undefined }],
      cors: {
        AllowOrigins: ["http://localhost:5173"],
        AllowMethods: ["GET"],
        AllowHeaders: ["authorization"],
        ExposeHeaders: ["link"],
        MaxAge: 60,
      },
      throttle: undefined,
    },
    keys: [{ kty: "RSA", kid: "key-1", n, e, alg: "RS256", use: "sig" }],
    runtime: { invoke: (_name, _id, event) => Promise.resolve(answer(event as Record<string, unknown>)) },
    onProblem: (message) => problems.push(message),
  });
  listener = await listenLocally(createServer({ maxHeaderSize: HEADERS_MAX_BYTES }, gateway), 0);
});

afterAll(() => listener.close());

const send = (method: string, path: string, headers: Record<string, string | string[]> = {}, body?: Buffer | string) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const outgoing = httpRequest(listener.url, { method, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    outgoing.on("error", reject).end(body);
  });
const readEvent = async (...call: Parameters<typeof send>) => {
  answer = echo;
  const { status, body } = await send(...call);
  expect(status).toBe(200);
  return JSON.parse(body) as Record<string, unknown>;
};

describe("the HEAD route of the local gateway, by which the API calls itself,", () => {
  it("repeats a request as GET, with the authorizer and the parameters of the GET route", async () => {
    const events: Record<string, unknown>[] = [];
    answer = (event) => {
      events.push(event);
      return echo(event);
    };

    expect(await send("HEAD", "/v1/things/t%201?a=b")).toMatchObject({ status: 200, body: "" });
    expect(await send("HEAD", "/v1/mine")).toMatchObject({ status: 401, body: "" });
    expect(await send("HEAD", "/v1/nothing")).toMatchObject({ status: 404 });
    expect(events).toMatchObject([
      {
        routeKey: "GET /v1/things/{thingId}",
        pathParameters: { thingId: "t 1" },
        rawQueryString: "a=b",
        requestContext: { http: { method: "GET" } },
      },
    ]);
  });
});

describe("the Lambda event of a request at the local gateway", () => {
  it("has the shape of payload format 2.0", async () => {
    const headers = { "Content-Type": "application/json", Cookie: "a=1; b=2", "X-Api-Key": ["one", "two"] };

    const event = await readEvent("POST", "/v1/events?page=1&page=2&q=a%20b", headers, '{"title":"ü"}');

    expect(event).toMatchObject({
      version: "2.0",
      routeKey: "POST /v1/events",
      rawPath: "/v1/events",
      rawQueryString: "page=1&page=2&q=a%20b",
      cookies: ["a=1", "b=2"],
      headers: { "content-type": "application/json", "x-api-key": "one,two", "x-forwarded-proto": "http" },
      queryStringParameters: { page: "1,2", q: "a b" },
      body: '{"title":"ü"}',
      isBase64Encoded: false,
      requestContext: {
        accountId: "000000000000",
        apiId: "api",
        http: { method: "POST", path: "/v1/events", protocol: "HTTP/1.1", sourceIp: "127.0.0.1" },
        routeKey: "POST /v1/events",
        stage: "$default",
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      },
    });
    expect(event["headers"]).not.toHaveProperty("cookie");
    expect(event).not.toHaveProperty("pathParameters");
  });

  it("has decoded path parameters", async () => {
    const event = await readEvent("GET", "/v1/things/a%2Fb%23/parts/%C3%BC");

    expect(event["pathParameters"]).toStrictEqual({ thingId: "a/b#", partId: "ü" });
  });

  it("has its body in base64 if the body is not text", async () => {
    const event = await readEvent("POST", "/v1/events", { "content-type": "image/png" }, Buffer.from([0, 255]));

    expect(event).toMatchObject({ body: "AP8=", isBase64Encoded: true });
  });
});

describe("a route of the local gateway", () => {
  it("without a parameter takes precedence over a route with a parameter", async () => {
    expect((await readEvent("GET", "/v1/things/special"))["routeKey"]).toBe("GET /v1/things/special");
    expect((await readEvent("GET", "/v1/things/x"))["routeKey"]).toBe("GET /v1/things/{thingId}");
    expect((await readEvent("GET", "/v1/things/special/parts/1"))["routeKey"]).toBe(
      "GET /v1/things/{thingId}/parts/{partId}",
    );
  });

  it.each([
    ["GET", "/v1/events"],
    ["DELETE", "/v1/things/x"],
    ["GET", "/v1/things/"],
    ["GET", "/v1/things/x/"],
    ["GET", "/"],
    ["GET", "/V1/mine"],
  ])("that does not exist is answered with 404: %s %s", async (method, path) => {
    expect(await send(method, path)).toMatchObject({ status: 404, body: '{"message":"Not Found"}' });
  });

  it("with a path that cannot be decoded is answered with 400", async () => {
    expect((await send("GET", "/v1/things/%E0%A4%A")).status).toBe(400);
  });

  it("is answered with 500 if API Gateway may not call its function, and the local service reports the reason", async () => {
    answer = echo;

    expect(await send("GET", "/v1/forbidden")).toMatchObject({
      status: 500,
      body: '{"message":"Internal Server Error"}',
    });
    expect(problems.join()).toContain("no permission that lets API Gateway call it for GET /v1/forbidden");
  });
});

describe("a session at the local gateway", () => {
  const nowInSeconds = () => Math.floor(Date.now() / 1000);
  const mintToken = (claims: object = {}, { key = privateKey, kid = "key-1", alg = "RS256" } = {}) =>
    new SignJWT({
      iss: issuer,
      sub: "s",
      client_id: "client",
      token_use: "access",
      exp: nowInSeconds() + 60,
      ...claims,
    })
      .setProtectedHeader({ alg, kid })
      .sign(key);

  it("is verified, and its claims are passed to the function as strings", async () => {
    const event = await readEvent("GET", "/v1/mine", {
      authorization: `Bearer ${await mintToken({ exp: 4_000_000_000, groups: ["a", "b"], email_verified: true })}`,
    });

    expect(event["requestContext"]).toMatchObject({
      authorizer: {
        jwt: {
          claims: {
            iss: issuer,
            sub: "s",
            client_id: "client",
            exp: "4000000000",
            groups: "[a b]",
            email_verified: "true",
          },
          scopes: null,
        },
      },
    });
  });

  it("may name the client in aud, may lack the word Bearer, and may be an ID token", async () => {
    const idToken = await mintToken({ aud: "client", client_id: undefined, token_use: "id" });

    expect((await readEvent("GET", "/v1/mine", { authorization: idToken }))["routeKey"]).toBe("GET /v1/mine");
  });

  it.each([
    ["is missing", () => undefined],
    ["is not a token", () => "Bearer nonsense"],
    ["is an API key", () => "eak_local_x"],
    ["is from another issuer", () => mintToken({ iss: "https://example.com" })],
    ["is of another client", () => mintToken({ client_id: "somebody" })],
    ["is for another audience", () => mintToken({ aud: "somebody" })],
    ["has expired", () => mintToken({ exp: nowInSeconds() - 1 })],
    ["never ends", () => mintToken({ exp: undefined })],
    ["is not valid yet", () => mintToken({ nbf: nowInSeconds() + 60 })],
    ["was issued in the future", () => mintToken({ iat: nowInSeconds() + 60 })],
    ["is signed by another key", () => mintToken({}, { key: other.privateKey })],
    ["names an unknown key", () => mintToken({}, { kid: "key-2" })],
    ["is signed with the public key as a secret", () => mintToken({}, { key: publicKeyAsSecret, alg: "HS256" })],
    ["is not signed", () => `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ iss: issuer, client_id: "client" }))}.`],
  ])("that %s is answered with 401", async (_, make) => {
    answer = echo;
    const made = await make();

    const { status, body } = await send("GET", "/v1/mine", made === undefined ? {} : { authorization: made });

    expect({ status, body }).toStrictEqual({ status: 401, body: '{"message":"Unauthorized"}' });
  });
});

describe("an answer of the local gateway", () => {
  const answerWith = (payload: unknown) => {
    answer = () => ({ kind: "ok", payload: JSON.stringify(payload) });
    return send("GET", "/v1/things/x");
  };

  it("has some headers of the function under new names, such as x-amzn-remapped-date for Date", async () => {
    const result = { statusCode: 401, headers: { "WWW-Authenticate": "Basic", Date: "now", Via: "us" }, body: "no" };
    answer = () => ({ kind: "ok", payload: JSON.stringify(result) });

    const { headers } = await send("POST", "/v1/events");

    expect(headers).toMatchObject({
      "x-amzn-remapped-www-authenticate": "Basic",
      "x-amzn-remapped-date": "now",
      "x-amzn-remapped-via": "us",
    });
    expect(headers).not.toHaveProperty("www-authenticate");
    expect(headers["date"]).not.toBe("now");
  });
  it("has the function's status, headers, cookies and body", async () => {
    const result = { statusCode: 201, headers: { "X-Count": 3 }, cookies: ["a=1", "b=2"], body: "made" };

    expect(await answerWith(result)).toMatchObject({
      status: 201,
      headers: { "x-count": "3", "set-cookie": ["a=1", "b=2"], "content-type": "text/plain;charset=UTF-8" },
      body: "made",
    });
    expect(await answerWith({ statusCode: 204 })).toMatchObject({ status: 204, body: "" });
    expect(await answerWith({ statusCode: 200, body: "AP8=", isBase64Encoded: true })).toMatchObject({
      body: "\u0000\ufffd",
    });
  });

  it("has the whole result of the function as its body if the result has no status code", async () => {
    expect(await answerWith({ hello: "world" })).toMatchObject({
      status: 200,
      headers: { "content-type": "application/json" },
      body: '{"hello":"world"}',
    });
  });

  it.each<[string, InvocationResult]>([
    ["failed", { kind: "error", message: "x" }],
    ["was killed", { kind: "timeout", message: "x" }],
    ["crashed", { kind: "crash", message: "x" }],
    ["returned an invalid status code", { kind: "ok", payload: '{"statusCode":"two hundred"}' }],
  ])("has status 500 when the function %s", async (_, result) => {
    answer = () => result;

    expect(await send("GET", "/v1/things/x")).toMatchObject({
      status: 500,
      body: '{"message":"Internal Server Error"}',
    });
  });

  it("has status 503 if the function takes longer than API Gateway waits", async () => {
    answer = () => new Promise(() => {});

    expect(await send("GET", "/v1/things/x")).toMatchObject({ status: 503, body: '{"message":"Service Unavailable"}' });
  });

  it("has status 413 for more than 10 MB, and 431 for more than 10 KB of headers", async () => {
    answer = echo;
    const large = Buffer.alloc(10 * 1024 * 1024 + 1);

    expect((await send("POST", "/v1/events", {}, large)).status).toBe(413);
    expect((await send("GET", "/v1/things/x", { "x-long": "x".repeat(11_000) })).status).toBe(431);
  });

  it("can be read only by pages of an allowed origin", async () => {
    const asked = { origin: "http://localhost:5173", "access-control-request-method": "GET" };

    expect(await send("OPTIONS", "/v1/mine", asked)).toMatchObject({
      status: 204,
      headers: {
        "access-control-allow-origin": "http://localhost:5173",
        "access-control-expose-headers": "link",
        "access-control-allow-methods": "GET",
        "access-control-allow-headers": "authorization",
        "access-control-max-age": "60",
      },
    });
    const { headers } = await send("GET", "/v1/things/x", { origin: "http://localhost:5174" });
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });
});

it("a route of the local gateway with its own throttle refuses requests above that throttle, and other routes accept them", async () => {
  answer = echo;

  const flood = [await send("GET", "/v1/flooded"), await send("GET", "/v1/flooded"), await send("GET", "/v1/flooded")];

  expect(flood.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect((await send("GET", "/v1/things/1")).status).toBe(200);
});
