import { deflateSync, crc32 } from "node:zlib";

const ACCENT = [0x1f, 0x6f, 0xeb] as const;
const WHITE = [0xff, 0xff, 0xff] as const;

const createPngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};

/** Returns whether a point is inside the drawn bell. `x`, `y`: from 0 (left, top) to 1. */
const isInsideBell = (x: number, y: number): boolean => {
  const dome = y < 0.48 ? (x - 0.5) ** 2 + (y - 0.48) ** 2 < 0.18 ** 2 : y < 0.64 && Math.abs(x - 0.5) < 0.18;
  const rim = y >= 0.64 && y < 0.7 && Math.abs(x - 0.5) < 0.27;
  const clapper = y >= 0.73 && (x - 0.5) ** 2 + (y - 0.73) ** 2 < 0.07 ** 2;
  const knob = (x - 0.5) ** 2 + (y - 0.28) ** 2 < 0.035 ** 2;
  return dome || rim || clapper || knob;
};

/** A pixel's colour is the mean of 2 by 2 points, for smooth edges. */
const SAMPLES = 2;

/** Returns a square PNG, `size` pixels wide, without margins, because platforms round the corners themselves. */
export const drawIcon = (size: number): Buffer => {
  const rows: Buffer[] = [];
  for (let y = 0; y < size; y += 1) {
    // PNG's filter type 0 leaves the row unfiltered.
    const row = Buffer.alloc(1 + size * 3);
    for (let x = 0; x < size; x += 1) {
      let covered = 0;
      for (let dy = 0; dy < SAMPLES; dy += 1)
        for (let dx = 0; dx < SAMPLES; dx += 1)
          if (isInsideBell((x + (dx + 0.5) / SAMPLES) / size, (y + (dy + 0.5) / SAMPLES) / size)) covered += 1;
      const share = covered / SAMPLES ** 2;
      for (const [channel, base] of ACCENT.entries())
        row[1 + x * 3 + channel] = Math.round(base + ((WHITE[channel] ?? base) - base) * share);
    }
    rows.push(row);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Each pixel has eight bits each for red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    createPngChunk("IHDR", header),
    createPngChunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
    createPngChunk("IEND", Buffer.alloc(0)),
  ]);
};
