import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as v from "valibot";

/*
 * Attributes that no write condition uses are stored as deflated JSON: DynamoDB charges a unit per written kilobyte, and
 * deflating at least halves an alert's text. A dictionary must never change, because stored items depend on their dictionary. A
 * new dictionary gets the next higher number. The first byte of deflated content is the number of its dictionary.
 */
const DICTIONARIES: Readonly<Record<number, Buffer>> = {
  1: Buffer.from(
    '{"eventKey":".created.failed.error.warning","title":"","body":"","priority":"NORMAL""HIGH""URGENT""LOW","detail":"' +
      '","data":{"site":"https://www.","site_name":"","environment":"production","service":"","host":"","region":"' +
      '","status":"","severity":"critical","count":,"value":,"threshold":,"error_code":"","message":"},"url":"https://' +
      '","dedupeKey":"","requiresAck":true,"requiresAck":false,"rules":[{"id":"rule_","version":1,"name":"","priorityFrom":"event"' +
      '"recipients":[{"userId":"usr_","reason":{"groupId":"grp_"}},{"userId":"usr_","name":"","email":"@","layer":0,"overrideId":"ovr_',
  ),
};
const CURRENT = 1;

/** Compresses a value's JSON text with the current dictionary, and puts the dictionary's number in front. */
export const deflate = (value: unknown): Uint8Array => {
  const body = deflateRawSync(Buffer.from(JSON.stringify(value)), { dictionary: DICTIONARIES[CURRENT], level: 9 });
  return Buffer.concat([Buffer.of(CURRENT), body]);
};

/** Returns the JSON text of deflated content. Throws an error if its dictionary is unknown. */
const inflate = (bytes: Uint8Array): string => {
  const dictionary = DICTIONARIES[bytes[0] ?? 0];
  if (dictionary === undefined) throw new Error(`content was compressed with the unknown dictionary ${bytes[0]}`);
  return inflateRawSync(bytes.subarray(1), { dictionary }).toString("utf8");
};

/** Inflates content to JSON text. Returns undefined for bytes that are not deflated content. */
export const inflateToText = (bytes: Uint8Array): string | undefined => {
  if (DICTIONARIES[bytes[0] ?? 0] === undefined) return undefined;
  try {
    return inflate(bytes);
  } catch {
    // The bytes are no deflated content, but for example a digest that happens to begin with the number of a dictionary.
    return undefined;
  }
};

/** Returns the schema of an attribute that contains deflated JSON text. */
export const deflatedSchema = <Output>(schema: v.GenericSchema<unknown, Output>) =>
  v.pipe(
    v.custom<Uint8Array>((value) => value instanceof Uint8Array),
    v.transform(inflate),
    v.parseJson(),
    schema,
  );

/** Returns the schema of an attribute that is deflated (plain in older items) to keep numbers that the DynamoDB client cannot. */
export const deflatedOrPlain = <Output>(schema: v.GenericSchema<unknown, Output>) =>
  v.union([deflatedSchema(schema), schema]);
