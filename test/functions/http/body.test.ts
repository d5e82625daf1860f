import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { parseAndCheckBody, readContent, readJson } from "../../../functions/http/body.ts";
import { createPipeline, replyOk } from "../../../functions/http/endpoint.ts";
import type { HttpRequest } from "../../../functions/http/request.ts";
import { call } from "../../world/http.ts";
import { aRequest, resultOrFaultsOf } from "./support.ts";

const quiet = { log: { info: () => {}, warn: () => {}, error: () => {}, metric: () => {} } };

type Sent = { headers?: Record<string, string>; base64?: boolean; types?: readonly [string, ...string[]] | "any" };
const readBody = (
  text: string | Buffer | undefined,
  { headers = {}, base64 = Buffer.isBuffer(text), types }: Sent = {},
) => {
  const rawBody: HttpRequest["rawBody"] =
    text === undefined ? undefined : { text: text.toString(base64 ? "base64" : "utf8"), isBase64: base64 };
  return resultOrFaultsOf(() => readJson({ ...aRequest({ headers }), rawBody }, types));
};
const malformedWith = (message: string) => ["malformed_json", message];
const EMPTY = malformedWith("The body is empty; it must be a JSON object.");

describe("the body of an HTTP request", () => {
  it("is parsed as a JSON object, even if the gateway passes it on as bytes", () => {
    expect(readBody('{"a":"é"}')).toEqual({ a: "é" });
    expect(readBody(Buffer.from('{"a":"é"}'))).toEqual({ a: "é" });
    expect(readBody('{"a":"\ufffd"}')).toEqual({ a: "\ufffd" });
  });

  it.each([
    ["that is missing", undefined, EMPTY],
    ["without any character", "", EMPTY],
    ["with only white space", " \n", EMPTY],
    [
      "that ends after the opening brace",
      "{",
      malformedWith("The body is not JSON at line 1, column 2: expected a name in double quotes or }, found the end."),
    ],
    [
      "that is a list",
      "[]",
      malformedWith("The body must be a JSON object, not a list. Send one request for each entry of the list."),
    ],
    [
      "that is a string",
      '"x"',
      malformedWith("The body must be a JSON object, not a string: the body is JSON encoded twice."),
    ],
    ["that is null", "null", malformedWith("The body must be a JSON object, not null.")],
    ["that is a number", "7", malformedWith("The body must be a JSON object, not a number.")],
    ["that is a boolean", "true", malformedWith("The body must be a JSON object, not a boolean.")],
    ["with a byte order mark", "\ufeff{}", malformedWith("The body begins with a byte order mark. Remove it.")],
    ["that is not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), malformedWith("The body is not UTF-8.")],
  ])("%s is refused with an error that names the fault", (_, text, says) => {
    expect(readBody(text)).toEqual(says);
  });

  it("is refused as not UTF-8 if the gateway replaced bytes, but not if the body itself contains the replacement character", () => {
    const replaced = '{"a":"\ufffd"}';

    expect(readBody(replaced, { headers: { "content-length": "9" } })).toEqual(malformedWith("The body is not UTF-8."));
    expect(readBody(replaced, { headers: { "content-length": String(Buffer.byteLength(replaced)) } })).toEqual({
      a: "\ufffd",
    });
    expect(readBody('{"a":"b"}', { headers: { "content-length": "7" } })).toEqual({ a: "b" });
  });

  it("may have exactly 256 KiB, and not one byte more", () => {
    const createBodyOf = (bytes: number) => JSON.stringify({ a: "x".repeat(bytes - 8) });

    expect(createBodyOf(262_144)).toHaveLength(262_144);
    expect(readBody(createBodyOf(262_144))).toHaveProperty("a");
    expect(readBody(createBodyOf(262_145))).toEqual([
      "body_too_large",
      "The body has 262145 bytes; the limit is 262144.",
    ]);
  });

  it.each([
    ["is accepted with the content type of JSON", { "content-type": "application/json" }, undefined],
    [
      "is accepted if its content type has a charset and capital letters",
      { "content-type": " Application/JSON ; charset=utf-8" },
      undefined,
    ],
    [
      "is refused without a content type",
      { "content-type": "" },
      "The Content-Type must be application/json, but it is missing.",
    ],
    [
      "is refused with an unknown content type",
      { "content-type": "application/jsonx" },
      "The Content-Type must be application/json, not application/jsonx.",
    ],
    [
      "is refused with a content type of 101 characters, of which the error quotes 100",
      { "content-type": "x".repeat(101) },
      `The Content-Type must be application/json, not ${"x".repeat(100)}.`,
    ],
    [
      "is refused with curl's default content type, and the error names curl's option for JSON",
      { "content-type": "application/x-www-form-urlencoded" },
      'The Content-Type must be application/json, not application/x-www-form-urlencoded. With curl: -H "Content-Type: application/json".',
    ],
    ["is accepted with the content encoding identity", { "content-encoding": "identity" }, undefined],
    [
      "is accepted with the content encoding identity, also with a capital letter and a space",
      { "content-encoding": "Identity " },
      undefined,
    ],
    [
      "is refused if it is compressed with gzip",
      { "content-encoding": "gzip" },
      "A body with Content-Encoding gzip is not supported. Send the body uncompressed.",
    ],
    [
      "is refused with a content encoding of 101 characters, of which the error quotes 100",
      { "content-encoding": "x".repeat(101) },
      `A body with Content-Encoding ${"x".repeat(100)} is not supported. Send the body uncompressed.`,
    ],
  ])("%s", (_, headers, says) => {
    expect(readBody("{}", { headers })).toEqual(says === undefined ? {} : ["unsupported_media_type", says]);
  });

  it("is read with each content type that the endpoint allows, and is refused with any other", () => {
    const headers = { "content-type": "text/plain" };

    expect(readBody("{}", { headers, types: "any" })).toEqual({});
    expect(readBody("{}", { headers, types: ["a/b", "text/plain"] })).toEqual({});
    expect(readContent(aRequest({ headers: { "content-type": "" }, body: [] }))).toEqual({ content: [], isRead: true });
    expect(readBody("{}", { headers, types: ["a/b", "c/d"] })).toEqual([
      "unsupported_media_type",
      "The Content-Type must be a/b, not text/plain.",
    ]);
  });
});

describe("the body of an endpoint", () => {
  const Input = v.strictObject({ n: v.optional(v.unknown()), name: v.optional(v.string("name must be a string.")) });
  const checkName = (json: object) =>
    "name" in json ? [{ field: "name", code: "pattern_too_dear" as const, message: "Too costly." }] : [];
  const echo = createPipeline(quiet)
    .use(parseAndCheckBody(Input))
    .handler(async (request) => replyOk(request.body));
  const looking = createPipeline(quiet)
    .use(parseAndCheckBody(Input, checkName))
    .handler(async (request) => replyOk(request.body));
  const send = async (handler: typeof echo, text: string) => {
    const { status, body: answer } = await call<{ errors?: { message: string }[] }>(handler, { body: text });
    return status === 200 ? answer : [status, answer.errors?.map(({ message }) => message)];
  };

  it("reads a number of forty digits as null instead of rounding it, and refuses a property name that would change prototypes", async () => {
    expect(await send(echo, '{"n":1.5}')).toEqual({ n: 1.5 });
    // The number becomes null, which a schema refuses, and not another number.
    expect(await send(echo, `{"n":${"1".repeat(40)}}`)).toEqual({ n: null });
    expect(await send(echo, '{"n":{"__proto__":{}}}')).toEqual([422, ["__proto__ is not allowed as a key."]]);
  });

  it("is checked by the endpoint's own check of its JSON before it is compared with the schema", async () => {
    expect(await send(looking, '{"name":1}')).toEqual([422, ["Too costly."]]);
    expect(await send(looking, '{"n":1}')).toEqual({ n: 1 });
    expect(await send(echo, "[]")).toEqual([400, undefined]);
  });
});
