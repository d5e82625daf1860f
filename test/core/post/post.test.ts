import { createServer as createPlainServer } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPublicLookup } from "../../../core/post/public-lookup.ts";
import { createPost, REFUSED_URL, type PostOptions } from "../../../core/post/post.ts";
import { createCertificate } from "../../../local/fcm/certificate.ts";
import { hostile } from "../../support/hostile-addresses.ts";

const HOST = "hooks.example.com";
const certificate = createCertificate([HOST]);
let server: Server;
let port: number;
let connections = 0;
const taken: { path: string; headers: Record<string, unknown>; body: string }[] = [];
let answer: { status: number; headers?: Record<string, string> } | "hang" | "reset" = { status: 200 };

beforeAll(async () => {
  server = createServer(certificate, (request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      taken.push({ path: request.url ?? "", headers: request.headers, body });
      if (answer === "reset") request.socket.destroy();
      else if (answer !== "hang") response.writeHead(answer.status, answer.headers).end("x".repeat(100_000));
    });
  });
  server.on("connection", () => (connections += 1));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  connections = 0;
  taken.length = 0;
  answer = { status: 200 };
});

/** Resolves every host name to this machine, as if this machine had a public address. */
const resolveToThisMachine: LookupFunction = (_name, options, done) =>
  options.all === true ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);
/** Resolves host names to the first of these answers in the first lookup, to the second in the second lookup, and so on. */
const resolveInTurn = (...answers: readonly (readonly string[])[]): LookupFunction => {
  let asked = 0;
  return createPublicLookup((_name, _options, done) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  });
};

const post = (url = `https://${HOST}/alerts`, fields: Partial<PostOptions> = {}) =>
  createPost({
    now: () => 0,
    lookup: resolveToThisMachine,
    deadlineMs: 500,
    tls: { ca: certificate.cert, port },
    ...fields,
  })({
    url,
    headers: { "webhook-id": "msg_1" },
    body: '{"a":"ü"}',
  });

describe("an HTTP post to a customer's URL", () => {
  it("arrives unchanged, once, over TLS", async () => {
    expect(await post()).toEqual({ kind: "taken", code: "HTTP_200" });
    expect(taken).toEqual([
      {
        path: "/alerts",
        body: '{"a":"ü"}',
        headers: expect.objectContaining({
          host: `${HOST}:${port}`,
          "webhook-id": "msg_1",
          "content-type": "application/json",
        }),
      },
    ]);
  });

  it("follows no redirect", async () => {
    answer = { status: 302, headers: { location: `https://${HOST}/elsewhere` } };

    expect(await post()).toEqual({ kind: "failed", code: "HTTP_302" });
    expect(taken.map(({ path }) => path)).toEqual(["/alerts"]);
  });

  it("reports the Retry-After of the answer", async () => {
    answer = { status: 429, headers: { "retry-after": "90" } };

    expect(await post()).toEqual({ kind: "failed", code: "HTTP_429", retryAfterMs: 90_000 });
  });

  it.each([
    ["hang", "DEADLINE"],
    ["reset", "ECONNRESET"],
  ] as const)("fails after a connection %s with the code %s", async (how, code) => {
    answer = how;

    expect(await post()).toEqual({ kind: "failed", code });
  });

  it("fails if the port is closed, or if the server's certificate is for another host name", async () => {
    expect(await post(undefined, { tls: { ca: certificate.cert, port: 1 } })).toMatchObject({ code: "ECONNREFUSED" });
    expect(await post("https://other.example.com/")).toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    expect(taken).toEqual([]);
  });
});

describe("an internal address in a customer's URL", () => {
  it.each(hostile)("%s is not called", async (url) => {
    expect(await post(url)).toEqual({ kind: "failed", code: REFUSED_URL });
    expect(connections).toBe(0);
  });

  it.each([
    ["this machine", ["127.0.0.1"]],
    ["this machine in IPv6", ["::1"]],
    ["this machine as an IPv4 address in IPv6 notation", ["::ffff:127.0.0.1"]],
    ["a tunnel to this machine", ["2002:7f00:1::"]],
    ["a cloud's metadata service", ["169.254.169.254"]],
    ["an internal address beside a public one", ["142.250.74.138", "192.168.1.1"]],
    ["no address", []],
  ])("is not called through a name that resolves to %s", async (_where, addresses) => {
    const outcome = await post(undefined, { lookup: resolveInTurn(addresses) });

    expect(outcome.kind).toBe("failed");
    expect(connections).toBe(0);
  });

  it("is not called through a name whose address changes after the check, because the connection uses the checked address", async () => {
    const lookup = resolveInTurn(["203.0.113.1"], ["127.0.0.1"]);
    const first = await post(undefined, { lookup });
    const then = await post(undefined, { lookup });

    expect(["DEADLINE", "ENETUNREACH", "EHOSTUNREACH", "ECONNREFUSED"]).toContain(first.code);
    expect(then).toEqual({ kind: "failed", code: "ENDPOINT_INWARD" });
    expect(connections).toBe(0);
  });

  it("is called only if the URL begins with that of the stage's stand-in for webhook receivers", async () => {
    const plain = createPlainServer((_request, response) => response.writeHead(204).end());
    await new Promise<void>((done) => plain.listen(0, "127.0.0.1", done));
    const standIn = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/hooks/`;

    expect(await post(`${standIn}mine`, { standIn })).toEqual({ kind: "taken", code: "HTTP_204" });
    expect(await post(`${standIn}../v1`, { standIn })).toEqual({ kind: "failed", code: REFUSED_URL });
    plain.close();
  });
});
