/** Crockford's base 32 in lower case: sorts as it counts, and no letter is mistaken for a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const BITS = 5;

const prefixes = [
  "ws",
  "usr",
  "key",
  "evt",
  "ntf",
  "rule",
  "grp",
  "dev",
  "pol",
  "ovr",
  "sil",
  "hb",
  "tst",
  "req",
  "lease",
] as const;
export type IdPrefix = (typeof prefixes)[number];

const shapes = Object.fromEntries(prefixes.map((prefix) => [prefix, new RegExp(`^${prefix}_[0-9A-Za-z]{1,64}$`)]));

/** Whether a text could be an id of this kind. Ask before building a key from it: API Gateway decodes paths. */
export const isId = (prefix: IdPrefix, text: string): boolean => shapes[prefix]?.test(text) ?? false;

/** Whole numbers from 0 to 2^53 as text of a fixed width that sorts as the numbers do. Throws when it does not fit. */
export const encode32 = (value: number, width: number): string => {
  let rest = value;
  let text = "";
  for (let index = 0; index < width; index += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  if (rest !== 0) throw new RangeError(`${value} does not fit into ${width} base-32 digits`);
  return text;
};

/** The number of such a text, or undefined when it holds another character. */
export const decode32 = (text: string): number | undefined => {
  let value = 0;
  for (const char of text) {
    const digit = ALPHABET.indexOf(char);
    if (digit < 0) return undefined;
    value = value * 32 + digit;
  }
  return Number.isSafeInteger(value) ? value : undefined;
};

/** Random bytes (5 for every 8 characters) as base 32. */
export const randomChars = (bytes: Uint8Array): string => {
  let text = "";
  let buffer = 0;
  let held = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    held += 8;
    while (held >= BITS) {
      held -= BITS;
      text += ALPHABET.charAt((buffer >> held) & 31);
    }
    buffer &= (1 << held) - 1;
  }
  return text;
};

const SEQ_WIDTH = 9;
const NONCE_WIDTH = 11;

/** An event's id holds its place in the workspace's sequence, so that it is found without an index. */
export type EventId = { seq: number; nonce: string };

export const formatEventId = ({ seq, nonce }: EventId): string => `evt_${encode32(seq, SEQ_WIDTH)}${nonce}`;

/** Takes the first characters of a random id as the part of an event id that cannot be guessed. */
export const nonceOf = (randomId: string): string => {
  const nonce = randomId.slice(randomId.indexOf("_") + 1).slice(0, NONCE_WIDTH);
  return nonce.padEnd(NONCE_WIDTH, "0");
};

export const parseEventId = (id: string): EventId | undefined => {
  if (!isId("evt", id) || id.length !== 4 + SEQ_WIDTH + NONCE_WIDTH) return undefined;
  const seq = decode32(id.slice(4, 4 + SEQ_WIDTH));
  return seq === undefined ? undefined : { seq, nonce: id.slice(4 + SEQ_WIDTH) };
};

/** Where a pack of notifications lies: newest first is the order of its text, backwards. */
export type PackId = { at: number; seq: number; rule: number; cursor: number; pack: number };

const widths = { at: 9, seq: SEQ_WIDTH, cursor: 3, pack: 3 } as const;
/** Two digits count the rules of nearly every event; where they do not, four do, and the length of the id says so. */
const RULE_WIDTHS = [2, 4] as const;
const OTHER_WIDTH = widths.at + widths.seq + widths.cursor + widths.pack;

const ruleWidth = (rule: number): number => RULE_WIDTHS.find((width) => rule < 32 ** width) ?? RULE_WIDTHS[1];

export const formatPackId = (id: PackId): string =>
  encode32(id.at, widths.at) +
  encode32(id.seq, widths.seq) +
  encode32(id.rule, ruleWidth(id.rule)) +
  encode32(id.cursor, widths.cursor) +
  encode32(id.pack, widths.pack);

export const parsePackId = (text: string): PackId | undefined => {
  let from = 0;
  const read = (width: number) => decode32(text.slice(from, (from += width)));
  const width = RULE_WIDTHS.find((one) => text.length === OTHER_WIDTH + one);
  if (width === undefined) return undefined;
  const [at, seq, rule, cursor, pack] = [
    read(widths.at),
    read(widths.seq),
    read(width),
    read(widths.cursor),
    read(widths.pack),
  ];
  if (at === undefined || seq === undefined || rule === undefined || cursor === undefined || pack === undefined)
    return undefined;
  // Every pack has one id: a small number in many digits is none.
  return ruleWidth(rule) === width ? { at, seq, rule, cursor, pack } : undefined;
};

/** A notification's id is its pack and its place in it: derived, so a retry makes the same one. */
export const formatNotificationId = (packId: string, position: number): string =>
  `ntf_${packId}${encode32(position, 1)}`;

export const parseNotificationId = (id: string): { packId: string; position: number } | undefined => {
  if (!isId("ntf", id)) return undefined;
  const packId = id.slice("ntf_".length, -1);
  const position = decode32(id.slice(-1));
  return position === undefined || parsePackId(packId) === undefined ? undefined : { packId, position };
};
