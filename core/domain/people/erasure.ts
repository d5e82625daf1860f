import { isReserved } from "../basics/event-key.ts";

/*
 * Stored data of a person besides their memberships: their name, and often their address, beside their id in
 * notifications, acknowledgements, notes and messages, and in the texts of the service's own events. After erasing
 * those, the remaining id has no meaning.
 */

/** The person to erase: the ids of their accounts, and the names and addresses by which texts of the service name them. */
export type Traced = { ids: ReadonlySet<string>; words: Set<string> };

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const NAMING = ["name", "email"] as const;

/** Whether an object identifies somebody: by an id, and a name or an address beside it. */
const saysWho = (value: Fields, isMeant: (id: string) => boolean): boolean =>
  [value["id"], value["userId"]].some((id) => typeof id === "string" && isMeant(id)) &&
  NAMING.some((field) => typeof value[field] === "string");

/** Used in a text of the service in place of a name. */
const ERASED = "(erased)";
const TEXTS = ["title", "body"] as const;
const SHORTEST_WORD = 2;

const escaped = (word: string): string => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

const withoutWords = (text: string, words: Iterable<string>): string => {
  let left = text;
  // The longest first: "Ann Bell" before "Ann".
  for (const word of [...words].sort((a, b) => b.length - a.length)) {
    if (word.length < SHORTEST_WORD) continue;
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`, "gu");
    // Not in replaced text: "erased" can be a name too, and would be found there again and again.
    const parts = left.split(ERASED).map((part) => part.replace(whole, ERASED));
    left = parts.join(ERASED);
  }
  return left;
};

/** Fields with replaced values; the same object if none differs. */
const withFields = <Value extends Fields>(value: Value, changed: Fields): Value =>
  Object.entries(changed).every(([name, field]) => value[name] === field) ? value : { ...value, ...changed };

const bare = (value: Fields, { ids, words }: Traced): Fields => {
  if (!saysWho(value, (id) => ids.has(id))) return value;
  const said = NAMING.filter((field) => typeof value[field] === "string");
  for (const field of said) words.add(String(value[field]));
  words.delete("");
  return withFields(value, Object.fromEntries(said.map((field) => [field, ""])));
};

/**
 * Whether a notice is about somebody, whatever it calls them and their devices: it names them, or it is about a device
 * and was for its owner alone, as its event and its notifications show.
 */
const isAbout = ({ eventKey, data, notice, recipients }: Fields, ids: ReadonlySet<string>): boolean => {
  if (isFields(data) && ids.has(String(data["user"]))) return true;
  const to = isFields(notice) ? notice["to"] : recipients;
  if (eventKey !== "service.device" || !Array.isArray(to) || to.length === 0) return false;
  return to.every((one) => ids.has(String(isFields(one) ? one["userId"] : one)));
};

const unsaid = (value: Fields, { ids, words }: Traced): Fields => {
  const { eventKey } = value;
  if (typeof eventKey !== "string" || !isReserved(eventKey)) return value;
  const left = isAbout(value, ids) ? () => ERASED : (text: string) => withoutWords(text, words);
  const texts = TEXTS.flatMap((field) => {
    const text = value[field];
    return typeof text === "string" ? [[field, left(text)] as const] : [];
  });
  return withFields(value, Object.fromEntries(texts));
};

/**
 * A value without the data of a person except their id; the same value if it has none. Names beside the id are added to
 * the words. `within`: processes what is packed into a value.
 */
export const withoutPerson = (value: unknown, traced: Traced, within: (value: unknown) => unknown): unknown => {
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutPerson(item, traced, within));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isFields(value)) return within(value);
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withoutPerson(field, traced, within)]),
  );
  return unsaid(bare(withFields(value, fields), traced), traced);
};

const PERSON = /^(?:usr|mch)_/;

/** Whether a value contains one of the ids anywhere. */
export const mentions = (value: unknown, ids: ReadonlySet<string>): boolean => {
  if (typeof value === "string") return ids.has(value);
  if (Array.isArray(value) || value instanceof Set) return [...value].some((item) => mentions(item, ids));
  return isFields(value) && Object.values(value).some((field) => mentions(field, ids));
};

/** A value as one person may see it: of others at most ids, and nothing in lists of people. */
export const asOnePerson = (value: unknown, ids: ReadonlySet<string>): unknown => {
  if (value instanceof Set) return [...value];
  if (Array.isArray(value))
    return value
      .filter((item) => !(isFields(item) && typeof item["userId"] === "string" && !ids.has(item["userId"])))
      .map((item) => asOnePerson(item, ids));
  if (!isFields(value)) return value;
  const isOther = saysWho(value, (id) => PERSON.test(id) && !ids.has(id));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isOther || !NAMING.some((field) => field === name))
      .map(([name, field]) => [name, asOnePerson(field, ids)]),
  );
};
