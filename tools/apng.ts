import { crc32 } from "node:zlib";

const SIGNATURE_BYTES = 8;
/** The bytes of a chunk's length, name and checksum. */
const CHUNK_OVERHEAD = 12;

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
};

const chunksOf = (png: Buffer): { name: string; data: Buffer }[] => {
  const found = [];
  for (let at = SIGNATURE_BYTES; at < png.length;) {
    const length = png.readUInt32BE(at);
    found.push({ name: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + CHUNK_OVERHEAD;
  }
  return found;
};

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};

/** Joins pictures of the same size and format into an endless animation (APNG, third edition of PNG); each is shown for `ms`. */
export const animated = (frames: readonly { png: Buffer; ms: number }[]): Buffer => {
  const [first] = frames;
  if (first === undefined) throw new Error("an animation needs a picture");
  const header = chunksOf(first.png).find(({ name }) => name === "IHDR")?.data ?? Buffer.alloc(0);
  let sequence = 0;
  const parts = frames.flatMap(({ png, ms }, index) => {
    const delay = Buffer.alloc(6);
    delay.writeUInt16BE(ms);
    delay.writeUInt16BE(1000, 2);
    const size = numbers(header.readUInt32BE(0), header.readUInt32BE(4));
    const control = chunk("fcTL", Buffer.concat([numbers(sequence++), size, numbers(0, 0), delay]));
    const pixels = chunksOf(png).filter(({ name }) => name === "IDAT");
    return [
      control,
      ...pixels.map(({ data }) =>
        index === 0 ? chunk("IDAT", data) : chunk("fdAT", Buffer.concat([numbers(sequence++), data])),
      ),
    ];
  });
  const control = chunk("acTL", numbers(frames.length, 0));
  const signature = first.png.subarray(0, SIGNATURE_BYTES);
  return Buffer.concat([signature, chunk("IHDR", header), control, ...parts, chunk("IEND", Buffer.alloc(0))]);
};
