import type * as v from "valibot";
import { findJsonFault } from "../../core/domain/basics/json-fault.ts";
import { parseJson } from "../../core/domain/basics/json.ts";
import { BODY_MAX_BYTES } from "../../core/domain/basics/limits.ts";
import { invalid, Refusal } from "../../core/domain/basics/refusal.ts";
import { check } from "./faults.ts";
import type { HttpRequest } from "./request.ts";

const JSON_TYPE = /^application\/json\s*(;|$)/i;

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

const REPLACEMENT = "\ufffd";

/**
 * Whether the body came as UTF-8. The gateway puts the replacement character for what is not, and hands on a text: then the
 * text has another length than what was sent.
 */
const cameAsUtf8 = ({ rawBody, headers }: HttpRequest, bytes: Buffer): boolean => {
  if (rawBody?.isBase64 === true) return isUtf8(bytes);
  const sent = headers.get("content-length");
  return sent === undefined || Number(sent) === bytes.length || rawBody?.text.includes(REPLACEMENT) !== true;
};

const malformed = (message: string) => new Refusal("malformed_json", message);

const parse = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    const fault = findJsonFault(text);
    if (fault === undefined) throw malformed("The body is not JSON.");
    const { line, column, expected, found } = fault;
    throw malformed(`The body is not JSON at line ${line}, column ${column}: ${expected} must be there, not ${found}.`);
  }
};

const textOf = (request: HttpRequest, bytes: Buffer): string => {
  if (!cameAsUtf8(request, bytes)) throw malformed("The body is not UTF-8.");
  const text = bytes.toString("utf8");
  if (text.startsWith("\ufeff")) throw malformed("The body begins with a byte order mark; send it without.");
  if (text.trim() === "") throw malformed("The body is empty; it must be a JSON object.");
  return text;
};

/** The JSON object that was sent, whatever is in it. `anyType`: for senders that name another type. Throws 413, 415, 400 in this order. */
export const readJson = (request: HttpRequest, { anyType = false }: { anyType?: boolean } = {}): object => {
  const { rawBody } = request;
  const bytes = Buffer.from(rawBody?.text ?? "", rawBody?.isBase64 === true ? "base64" : "utf8");
  if (bytes.length > BODY_MAX_BYTES)
    throw new Refusal("body_too_large", `The body has ${bytes.length} bytes; at most ${BODY_MAX_BYTES} are taken.`);
  if (!anyType && !JSON_TYPE.test(request.headers.get("content-type")?.trim() ?? ""))
    throw new Refusal("unsupported_media_type", "The Content-Type must be application/json.");
  const value = parse(textOf(request, bytes));
  if (Array.isArray(value)) throw malformed("The body must be a JSON object, not a list: one request for each.");
  if (typeof value !== "object" || value === null) throw malformed("The body must be a JSON object.");
  return value;
};

/** A value as its schema has it; refused with every fault that it has. */
export const readValue = <Output>(schema: v.GenericSchema<unknown, Output>, input: unknown): Output => {
  const { value, faults } = check(schema, input);
  if (value === undefined) throw invalid(faults);
  return value;
};

/** The body as its schema has it. */
export const readBody = <Output>(schema: v.GenericSchema<unknown, Output>, request: HttpRequest): Output =>
  readValue(schema, readJson(request));
