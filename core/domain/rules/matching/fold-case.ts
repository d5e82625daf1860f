const BEYOND_ASCII = /[^\0-\x7f]/;

/** Matches characters that folding may change: characters that Unicode lower-cases or folds, and three more characters. */
const CASED = /[\p{Changes_When_Lowercased}\p{Changes_When_Casefolded}\u1fbe\u1fd3\u1fe3]/gu;

/** Characters that RE2 folds differently from `foldCharacter`, with their folded forms. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ["\u0131", "\u0131"],
  ["\u1fd3", "\u0390"],
  ["\u1fe3", "\u03b0"],
  ["\ufb05", "\ufb06"],
]);

/** Returns `changed` if it is as long as `character`, and otherwise `character`. */
const preferSameLength = (changed: string, character: string): string =>
  changed.length === character.length ? changed : character;

const foldCharacter = (character: string): string => {
  const known = exceptions.get(character);
  if (known !== undefined) return known;
  const lower = preferSameLength(character.toLowerCase(), character);
  const upper = preferSameLength(lower.toUpperCase(), lower);
  return preferSameLength(upper.toLowerCase(), lower);
};

/** Folds case like RE2: results are equal if and only if texts match ignoring case. Keeps positions: \u00df stays one letter. */
export const foldCase = (text: string): string =>
  BEYOND_ASCII.test(text) ? text.replace(CASED, foldCharacter) : text.toLowerCase();

const SURROGATE_FIRST = 0xd800;
const SURROGATE_LAST = 0xdfff;
/** Half of a surrogate pair cannot be folded, so one value represents all halves. */
const ANY_SURROGATE = SURROGATE_FIRST;

const units = new Uint16Array(0x10000);

/** Folds the case of one UTF-16 unit. Texts that are equal after `foldCase` have equal folded units. */
export const foldUnit = (unit: number): number => {
  const known = units[unit] ?? 0;
  if (known !== 0) return known;
  const isSurrogate = unit >= SURROGATE_FIRST && unit <= SURROGATE_LAST;
  const folded = isSurrogate ? ANY_SURROGATE : foldCase(String.fromCharCode(unit)).charCodeAt(0);
  units[unit] = folded;
  return folded;
};
