import * as v from "valibot";
import { deflatedSchema } from "../../core/store/codec.ts";

const listForms = (text: string): string[] => {
  const bytes = Buffer.from(text);
  // The Base64 form of a text depends on where the text begins in the encoded text: there are three forms.
  const inBase64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .slice(shift === 0 ? 0 : 4, -4),
  );
  const all = [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1), bytes.toString("hex"), ...inBase64];
  return [...new Set([...all, ...inBase64.map((shape) => shape.replaceAll("+", "-").replaceAll("/", "_"))])];
};

/** Secret texts to search for, by name. For a key of several lines, one line is enough. */
export type Canaries = Readonly<Record<string, string>>;

export const findCanaries = (text: string, canaries: Canaries): string[] =>
  Object.entries(canaries)
    .filter(([, canary]) => {
      const lines = canary.split("\n").filter((line) => line.length > 30 && !line.startsWith("-----"));
      return (lines.length > 0 ? lines : [canary]).some((line) =>
        listForms(line).some((shape) => text.includes(shape)),
      );
    })
    .map(([name]) => name);

const decompress = (bytes: Uint8Array): string => {
  try {
    return JSON.stringify(v.parse(deflatedSchema(v.unknown()), bytes));
  } catch {
    return Buffer.from(bytes).toString("base64");
  }
};

const toText = (value: unknown): string => {
  if (value instanceof Uint8Array) return decompress(value);
  return value instanceof Set ? [...value].map(toText).join() : JSON.stringify(value);
};

/** Returns the text of an item, with its compressed content decompressed. */
export const toItemText = (item: Readonly<Record<string, unknown>>): string =>
  Object.entries(item)
    .map(([name, value]) => `${name}=${toText(value)}`)
    .join("\n");
