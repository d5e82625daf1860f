import { crc32 } from "node:zlib";

const SIGNATURE_BYTES = 8;
/** The bytes of a chunk's length, name and checksum together. */
const CHUNK_OVERHEAD = 12;

/** Returns a PNG chunk: the data's length, the chunk's name, the data and a checksum. */
const toChunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
};

/** Returns the chunks of a PNG in their order, without lengths and checksums. */
const splitChunks = (png: Buffer): { name: string; data: Buffer }[] => {
  const found = [];
  for (let at = SIGNATURE_BYTES; at < png.length;) {
    const length = png.readUInt32BE(at);
    found.push({ name: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + CHUNK_OVERHEAD;
  }
  return found;
};

/** Encodes whole numbers in 32 bits each, the highest byte first. */
const encodeUint32s = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};

/** Returns an APNG (PNG, third edition) that repeats endlessly. Each frame is shown for `ms` milliseconds. */
export const buildAnimation = (frames: readonly { png: Buffer; ms: number }[]): Buffer => {
  const [first] = frames;
  if (first === undefined) throw new Error("an animation needs a picture");
  const header = splitChunks(first.png).find(({ name }) => name === "IHDR")?.data ?? Buffer.alloc(0);
  let sequence = 0;
  const parts = frames.flatMap(({ png, ms }, index) => {
    const delay = Buffer.alloc(6);
    delay.writeUInt16BE(ms);
    delay.writeUInt16BE(1000, 2);
    const size = encodeUint32s(header.readUInt32BE(0), header.readUInt32BE(4));
    const control = toChunk("fcTL", Buffer.concat([encodeUint32s(sequence++), size, encodeUint32s(0, 0), delay]));
    const pixels = splitChunks(png).filter(({ name }) => name === "IDAT");
    return [
      control,
      ...pixels.map(({ data }) =>
        index === 0 ? toChunk("IDAT", data) : toChunk("fdAT", Buffer.concat([encodeUint32s(sequence++), data])),
      ),
    ];
  });
  const control = toChunk("acTL", encodeUint32s(frames.length, 0));
  const signature = first.png.subarray(0, SIGNATURE_BYTES);
  return Buffer.concat([signature, toChunk("IHDR", header), control, ...parts, toChunk("IEND", Buffer.alloc(0))]);
};
