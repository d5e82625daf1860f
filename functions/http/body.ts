import type * as v from "valibot";
import { parseJson } from "../../core/domain/basics/json.ts";
import { BODY_MAX_BYTES } from "../../core/domain/basics/limits.ts";
import { invalid, Refusal } from "../../core/domain/basics/refusal.ts";
import { check } from "./faults.ts";
import type { HttpRequest } from "./request.ts";

const JSON_TYPE = /^application\/json\s*(;|$)/i;

const bytesOf = ({ rawBody }: HttpRequest): Buffer =>
  Buffer.from(rawBody?.text ?? "", rawBody?.isBase64 === true ? "base64" : "utf8");

const parse = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    throw new Refusal("malformed_json", "The body is not JSON.");
  }
};

/** The JSON object that was sent, whatever is in it. Throws 413, 415, 400 in this order. */
export const readJson = (request: HttpRequest): object => {
  const bytes = bytesOf(request);
  if (bytes.length > BODY_MAX_BYTES)
    throw new Refusal("body_too_large", `The body has ${bytes.length} bytes; at most ${BODY_MAX_BYTES} are taken.`);
  if (!JSON_TYPE.test(request.headers.get("content-type")?.trim() ?? ""))
    throw new Refusal("unsupported_media_type", "The Content-Type must be application/json.");
  const value = parse(bytes.toString("utf8"));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Refusal("malformed_json", "The body must be a JSON object.");
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
