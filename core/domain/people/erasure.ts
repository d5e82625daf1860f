import { isReservedEventKey } from "../basics/event-key.ts";

/* Erases a person's names and addresses from objects with the person's id, and from the service's texts. Keeps the ids. */

/** The ids of a person's accounts, and the names and addresses (`words`) to erase in texts. */
export type Traces = { ids: ReadonlySet<string>; words: Set<string> };

type Fields = Readonly<Record<string, unknown>>;

export const isPlainObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const NAMING = ["name", "email"] as const;

/** Returns whether the object contains the person's id, and a name or an address. */
const identifiesPerson = (value: Fields, isIdOfPerson: (id: string) => boolean): boolean =>
  [value["id"], value["userId"]].some((id) => typeof id === "string" && isIdOfPerson(id)) &&
  NAMING.some((field) => typeof value[field] === "string");

const ERASED = "(erased)";
const TEXTS = ["title", "body"] as const;
const SHORTEST_WORD = 2;

const escapeRegex = (word: string): string => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** Replaces each of the words by "(erased)", unless it is part of a longer word or has only one character. */
const eraseWords = (text: string, words: Iterable<string>): string => {
  let left = text;
  // The longest words are replaced first, so that "Ann Bell" is replaced before "Ann".
  for (const word of [...words].sort((a, b) => b.length - a.length)) {
    if (word.length < SHORTEST_WORD) continue;
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegex(word)}(?![\\p{L}\\p{N}])`, "gu");
    // Replaced text is not searched again, because somebody may be called "erased".
    const parts = left.split(ERASED).map((part) => part.replace(whole, ERASED));
    left = parts.join(ERASED);
  }
  return left;
};

/** Returns the value with the changed fields; the same object if nothing changes. */
const replaceFields = <Value extends Fields>(value: Value, changed: Fields): Value =>
  Object.entries(changed).every(([name, field]) => value[name] === field) ? value : { ...value, ...changed };

/** Empties the name and the email address of an object with the person's id, and adds both to `words`. */
const eraseIdentity = (value: Fields, { ids, words }: Traces): Fields => {
  if (!identifiesPerson(value, (id) => ids.has(id))) return value;
  const said = NAMING.filter((field) => typeof value[field] === "string");
  for (const field of said) words.add(String(value[field]));
  words.delete("");
  return replaceFields(value, Object.fromEntries(said.map((field) => [field, ""])));
};

/** Returns whether the notice has the person's id, or was sent only to the person as the owner of a device. */
const isNoticeAbout = ({ eventKey, data, notice, recipients }: Fields, ids: ReadonlySet<string>): boolean => {
  if (isPlainObject(data) && ids.has(String(data["user"]))) return true;
  const to = isPlainObject(notice) ? notice["to"] : recipients;
  if (eventKey !== "service.device" || !Array.isArray(to) || to.length === 0) return false;
  return to.every((one) => ids.has(String(isPlainObject(one) ? one["userId"] : one)));
};

/** Erases the person from the title and body of the service's own events; other texts stay. */
const eraseMentions = (value: Fields, { ids, words }: Traces): Fields => {
  const { eventKey } = value;
  if (typeof eventKey !== "string" || !isReservedEventKey(eventKey)) return value;
  const left = isNoticeAbout(value, ids) ? () => ERASED : (text: string) => eraseWords(text, words);
  const texts = TEXTS.flatMap((field) => {
    const text = value[field];
    return typeof text === "string" ? [[field, left(text)] as const] : [];
  });
  return replaceFields(value, Object.fromEntries(texts));
};

/** Erases the person; returns the same value if nothing changes. `eraseOther`: for values other than lists and objects. */
export const erasePerson = (value: unknown, traced: Traces, eraseOther: (value: unknown) => unknown): unknown => {
  if (Array.isArray(value)) {
    const items = value.map((item) => erasePerson(item, traced, eraseOther));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isPlainObject(value)) return eraseOther(value);
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, erasePerson(field, traced, eraseOther)]),
  );
  return eraseMentions(eraseIdentity(replaceFields(value, fields), traced), traced);
};

const PERSON = /^(?:usr|mch)_/;

export const containsId = (value: unknown, ids: ReadonlySet<string>): boolean => {
  if (typeof value === "string") return ids.has(value);
  if (Array.isArray(value) || value instanceof Set) return [...value].some((item) => containsId(item, ids));
  return isPlainObject(value) && Object.values(value).some((field) => containsId(field, ids));
};

/** Removes other people, who are not in `ids`: their names and email addresses, and list entries with their `userId`. */
export const hideOtherPeople = (value: unknown, ids: ReadonlySet<string>): unknown => {
  if (value instanceof Set) return [...value];
  if (Array.isArray(value))
    return value
      .filter((item) => !(isPlainObject(item) && typeof item["userId"] === "string" && !ids.has(item["userId"])))
      .map((item) => hideOtherPeople(item, ids));
  if (!isPlainObject(value)) return value;
  const isOther = identifiesPerson(value, (id) => PERSON.test(id) && !ids.has(id));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isOther || !NAMING.some((field) => field === name))
      .map(([name, field]) => [name, hideOtherPeople(field, ids)]),
  );
};
