import jsonBodyParser from "@middy/http-json-body-parser";
import type * as v from "valibot";
import { findJsonFault } from "../../core/domain/basics/json-fault.ts";
import { hasLongNumber, parseJson } from "../../core/domain/basics/json.ts";
import { BODY_MAX_BYTES } from "../../core/domain/basics/limits.ts";
import { FORM_TYPE, isJsonText, readForm } from "../../core/domain/sources/form.ts";
import { invalidInput, Refusal, type Fault } from "../../core/domain/basics/refusal.ts";
import type { Middleware } from "./endpoint.ts";
import { parseInput } from "../../core/domain/basics/faults.ts";
import type { HttpRequest } from "./request.ts";

export const JSON_TYPE = "application/json";

const SHOWN_CHARACTERS = 100;

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

const REPLACEMENT = "\ufffd";

/** Returns whether the body was UTF-8. API Gateway replaces invalid bytes, which changes the body's length. */
const wasSentAsUtf8 = ({ rawBody, headers }: HttpRequest, bytes: Buffer): boolean => {
  if (rawBody?.isBase64 === true) return isUtf8(bytes);
  const sent = headers.get("content-length");
  return sent === undefined || Number(sent) === bytes.length || rawBody?.text.includes(REPLACEMENT) !== true;
};

const createJsonRefusal = (message: string): Refusal => new Refusal("malformed_json", message);

const parseJsonOrRefuse = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    const fault = findJsonFault(text);
    if (fault === undefined) throw createJsonRefusal("The body is not JSON.");
    const { line, column, expected, found, hint } = fault;
    throw createJsonRefusal(
      `The body is not JSON at line ${line}, column ${column}: expected ${expected}, found ${found}.${hint}`,
    );
  }
};

const CODED = /^(?!identity$).+/i;

/** Throws a refusal for a compressed body: API Gateway passes JSON on as text, which destroys compressed bytes. */
const refuseCompressedBody = ({ headers }: HttpRequest): void => {
  const coding = headers.get("content-encoding")?.trim() ?? "";
  if (CODED.test(coding))
    throw new Refusal(
      "unsupported_media_type",
      `A body with Content-Encoding ${coding.slice(0, SHOWN_CHARACTERS)} is not supported. Send the body uncompressed.`,
    );
};

/** Returns the Content-Type in lower case, without parameters; "" if the request has no Content-Type. */
export const readMediaType = ({ headers }: HttpRequest): string =>
  headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";

const requireMediaType = (request: HttpRequest, types: readonly [string, ...string[]]): void => {
  if (types.includes(readMediaType(request))) return;
  const type = request.headers.get("content-type")?.trim() ?? "";
  const sent = type === "" ? "but it is missing" : `not ${type.slice(0, SHOWN_CHARACTERS)}`;
  // A form is curl's default type, so the caller probably uses curl.
  const curl = /form-urlencoded/i.test(type) ? ' With curl: -H "Content-Type: application/json".' : "";
  throw new Refusal("unsupported_media_type", `The Content-Type must be ${types[0]}, ${sent}.${curl}`);
};

/** Accepted content types, most common first; "any" for senders with arbitrary types. */
type ContentTypes = readonly [string, ...string[]] | "any";

/** Returns the bytes of the unchecked body. */
export const readRawBytes = ({ rawBody }: Pick<HttpRequest, "rawBody">) =>
  Buffer.from(rawBody?.text ?? "", rawBody?.isBase64 === true ? "base64" : "utf8");

/** Returns the body as text. Throws 413 for the body's size, then 415 for its type, then 400 for its encoding. */
export const readText = (request: HttpRequest, types: ContentTypes = [JSON_TYPE]): string => {
  const bytes = readRawBytes(request);
  if (bytes.length > BODY_MAX_BYTES)
    throw new Refusal("body_too_large", `The body has ${bytes.length} bytes; the limit is ${BODY_MAX_BYTES}.`);
  refuseCompressedBody(request);
  if (types !== "any") requireMediaType(request, types);
  if (!wasSentAsUtf8(request, bytes)) throw createJsonRefusal("The body is not UTF-8.");
  const text = bytes.toString("utf8");
  if (text.startsWith("\ufeff")) throw createJsonRefusal("The body begins with a byte order mark. Remove it.");
  if (text.trim() === "") throw createJsonRefusal("The body is empty; it must be a JSON object.");
  return text;
};

/** Returns the unchecked body, as its sender signed it; "" if the body is too long for any endpoint. */
export const readRawBodyText = (request: HttpRequest): string => {
  const bytes = readRawBytes(request);
  return bytes.length > BODY_MAX_BYTES ? "" : bytes.toString("utf8");
};

const requireObject = (value: unknown): object => {
  if (Array.isArray(value))
    throw createJsonRefusal("The body must be a JSON object, not a list. Send one request for each entry of the list.");
  if (typeof value === "string")
    throw createJsonRefusal("The body must be a JSON object, not a string: the body is JSON encoded twice.");
  if (typeof value !== "object" || value === null)
    throw createJsonRefusal(`The body must be a JSON object, not ${value === null ? "null" : `a ${typeof value}`}.`);
  return value;
};

/** Returns the body, which must be a JSON object. `types`: the accepted Content-Types. */
export const readJson = (request: HttpRequest, types?: ContentTypes): object =>
  requireObject(parseJsonOrRefuse(readText(request, types)));

export const readList = (request: HttpRequest, acceptedTypes: ContentTypes): unknown[] => {
  const value = parseJsonOrRefuse(readText(request, acceptedTypes));
  if (Array.isArray(value)) return value;
  throw createJsonRefusal("The body must be a JSON list.");
};

/** Reads a body as JSON or text, by its Content-Type; for any other Content-Type, `isRead` is false. */
export const readContent = (request: HttpRequest): { content: unknown; isRead: boolean } => {
  if (readRawBytes(request).length === 0) return { content: undefined, isRead: true };
  const type = readMediaType(request);
  if (type === "" || type === JSON_TYPE || type.endsWith("+json"))
    return { content: parseJsonOrRefuse(readText(request, "any")), isRead: true };
  return type.startsWith("text/")
    ? { content: readText(request, "any"), isRead: true }
    : { content: undefined, isRead: false };
};

/** Reads a tool's body: a JSON object, the fields of a form or, if `acceptsList` is true, a JSON list. */
export const readMessage = (request: HttpRequest, acceptsList = false): object => {
  const text = readText(request, "any");
  if (readMediaType(request) === FORM_TYPE && !isJsonText(text)) return readForm(text);
  const value = parseJsonOrRefuse(text);
  return acceptsList && Array.isArray(value) ? value : requireObject(value);
};

/** Returns the input as the schema parses it. Throws Refusal `invalid_input` with every fault. */
export const readValue = <Output>(schema: v.GenericSchema<unknown, Output>, input: unknown): Output => {
  const { value, faults } = parseInput(schema, input);
  if (value === undefined) throw invalidInput(faults);
  return value;
};

const parser = jsonBodyParser({ disableContentTypeCheck: true });

/**
 * Parses the body by middy. Parses a body without middy if middy would round its long numbers or refuses it. For a refused
 * body, the schema later reports where the fault is, such as deep nesting or a key `__proto__`.
 */
const parseBody = (): Middleware<{ json: unknown }> => ({
  before: async (call) => {
    const { event } = call;
    const text = readText(event);
    const read = { event: { body: text, isBase64Encoded: false } };
    try {
      await parser.before?.({ ...call, event: read.event });
    } catch {
      event.json = parseJsonOrRefuse(text);
      return;
    }
    event.json = hasLongNumber(text) ? parseJsonOrRefuse(text) : read.event.body;
  },
});

type Precheck = (json: object) => readonly Fault[];

const validateBody = <Output>(
  schema: v.GenericSchema<unknown, Output>,
  precheck: Precheck,
): Middleware<{ json: unknown; body: Output }> => ({
  before: ({ event }) => {
    const json = requireObject(event.json);
    const faults = precheck(json);
    if (faults.length > 0) throw invalidInput(faults);
    event.body = readValue(schema, json);
  },
});

/** Returns steps that refuse invalid bodies with all faults. `precheck`: finds bodies that are too expensive for the schema. */
export const parseAndCheckBody = <Output>(
  schema: v.GenericSchema<unknown, Output>,
  precheck: Precheck = () => [],
): Middleware<{ json: unknown; body: Output }>[] => [parseBody(), validateBody(schema, precheck)];
