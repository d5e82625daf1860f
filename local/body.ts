import type { Readable } from "node:stream";

/** Reads the whole body of a request. Returns undefined if the body is longer than `maxBytes`. */
export const readBody = async (request: Readable, maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const data = Buffer.from(chunk);
    bytes += data.length;
    if (bytes <= maxBytes) chunks.push(data);
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks);
};

/** Parses a JSON text. Returns undefined if the text is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const readText = async (request: Readable): Promise<string> => String(await readBody(request));
