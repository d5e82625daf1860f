import * as v from "valibot";

/** Crockford's base 32 in lower case: texts sort like their numbers, and no letter looks like a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const BITS = 5;

export const ID_PREFIXES = [
  "ws",
  "usr",
  "mch",
  "key",
  "evt",
  "ntf",
  "rule",
  "grp",
  "dev",
  "pol",
  "ovr",
  "cov",
  "sil",
  "hb",
  "note",
  "wh",
  "con",
  "tst",
  "prb",
  "req",
  "lease",
  "aud",
  "inv",
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];
export type NewId = (prefix: IdPrefix) => string;

/** A type for each kind of id detects swapped ids at compile time. */
export type WorkspaceId = `ws_${string}`;

export const WorkspaceId = v.pipe(
  v.string(),
  v.guard((text): text is WorkspaceId => text.startsWith("ws_")),
);

/** The type detects at compile time if the owner's id is passed as a device's id. */
export type DeviceId = `dev_${string}`;

export const DeviceId = v.pipe(
  v.string(),
  v.guard((text): text is DeviceId => text.startsWith("dev_")),
);

const SHAPE = /^([a-z]+)_[0-9A-Za-z]{1,64}$/;

export const isId = <Prefix extends IdPrefix>(prefix: Prefix, text: string): text is `${Prefix}_${string}` =>
  SHAPE.exec(text)?.[1] === prefix;

/** Returns whether the text is the id of a person, or of a machine that is a member. */
export const isActorId = (text: string): boolean => isId("usr", text) || isId("mch", text);

/** Encodes an integer from 0 to 2^53. The texts sort like the integers. Throws if the integer does not fit. */
export const encodeBase32 = (value: number, width: number): string => {
  let rest = value;
  let text = "";
  for (let index = 0; index < width; index += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  if (rest !== 0) throw new RangeError(`${value} does not fit into ${width} base-32 digits`);
  return text;
};

/** Decodes an integer. Returns undefined if a character is not a base-32 digit, or if the integer is above 2^53. */
export const decodeBase32 = (text: string): number | undefined => {
  let value = 0;
  for (const char of text) {
    const digit = ALPHABET.indexOf(char);
    if (digit < 0) return undefined;
    value = value * 32 + digit;
  }
  return Number.isSafeInteger(value) ? value : undefined;
};

/** Encodes the bytes, five bits per character. Leaves out a rest of fewer than five bits. */
export const toBase32Chars = (bytes: Uint8Array): string => {
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

/** `seq`: the event's sequence number, from which the key of the event's stored item is computed. */
export type EventId = { seq: number; nonce: string };

export const formatEventId = ({ seq, nonce }: EventId): string => `evt_${encodeBase32(seq, SEQ_WIDTH)}${nonce}`;

/** The first character of the nonce if the workspace's events are spread over several partitions. */
const SPREAD = "u";

/** Returns the part of an event id that nobody can guess. `spread`: whether the workspace's events are in several partitions. */
export const formatNonce = (randomId: string, spread = false): string => {
  const random = randomId.slice(randomId.indexOf("_") + 1);
  return `${spread ? SPREAD : ""}${random}`.slice(0, NONCE_WIDTH).padEnd(NONCE_WIDTH, "0");
};

export const parseEventId = (id: string): EventId | undefined => {
  if (!isId("evt", id) || id.length !== 4 + SEQ_WIDTH + NONCE_WIDTH) return undefined;
  const seq = decodeBase32(id.slice(4, 4 + SEQ_WIDTH));
  return seq === undefined ? undefined : { seq, nonce: id.slice(4 + SEQ_WIDTH) };
};

/** Returns the event's sequence number; 0 if the text is not an event id. */
export const parseSeq = (eventId: string): number => parseEventId(eventId)?.seq ?? 0;

/** Returns whether the event belongs to a workspace whose events are spread over several partitions. */
export const isSpread = (eventId: string): boolean => parseEventId(eventId)?.nonce.startsWith(SPREAD) ?? false;

/** Ids sort by time, so that a reverse query returns the newest packs first. `spread`: the events are in several partitions. */
export type PackId = { at: number; seq: number; spread: boolean; rule: number; cursor: number; pack: number };

const widths = { at: 9, seq: SEQ_WIDTH, cursor: 3, pack: 3 } as const;
/** A rule's number has two digits unless an event has more than 1,024 rules. */
const RULE_WIDTHS = [2, 4] as const;
const OTHER_WIDTH = widths.at + widths.seq + widths.cursor + widths.pack;

const chooseRuleIndexWidth = (ruleIndex: number): number =>
  RULE_WIDTHS.find((width) => ruleIndex < 32 ** width) ?? RULE_WIDTHS[1];

export const formatPackId = (id: PackId): string =>
  encodeBase32(id.at, widths.at) +
  (id.spread ? SPREAD + encodeBase32(id.seq, widths.seq - 1) : encodeBase32(id.seq, widths.seq)) +
  encodeBase32(id.rule, chooseRuleIndexWidth(id.rule)) +
  encodeBase32(id.cursor, widths.cursor) +
  encodeBase32(id.pack, widths.pack);

export const parsePackId = (text: string): PackId | undefined => {
  let from = 0;
  const readNumber = (width: number) => decodeBase32(text.slice(from, (from += width)));
  const width = RULE_WIDTHS.find((one) => text.length === OTHER_WIDTH + one);
  if (width === undefined) return undefined;
  const spread = text[widths.at] === SPREAD;
  const at = readNumber(widths.at);
  if (spread) from += 1;
  const [seq, rule, cursor, pack] = [
    readNumber(spread ? widths.seq - 1 : widths.seq),
    readNumber(width),
    readNumber(widths.cursor),
    readNumber(widths.pack),
  ];
  if (at === undefined || seq === undefined || rule === undefined || cursor === undefined || pack === undefined)
    return undefined;
  // Refuses a rule's number with leading zeros that are not needed, because every pack has exactly one id.
  return chooseRuleIndexWidth(rule) === width ? { at, seq, spread, rule, cursor, pack } : undefined;
};

/** Returns a notification's id, the same if a retry creates the notification again. */
export const formatNotificationId = (packId: string, position: number): string =>
  `ntf_${packId}${encodeBase32(position, 1)}`;

export const parseNotificationId = (id: string): { packId: string; position: number } | undefined => {
  if (!isId("ntf", id)) return undefined;
  const packId = id.slice("ntf_".length, -1);
  const position = decodeBase32(id.slice(-1));
  return position === undefined || parsePackId(packId) === undefined ? undefined : { packId, position };
};
