/* Drafts are kept in the tab, so that a wrong click, an expired session or a reload does not lose them. */

/** A number to increase when the entries of a draft's list change their shape, so that older drafts are dropped. */
const FORMAT = 1;

/** `version`: the version of the item that the draft is based on; undefined for a new item. */
export type KeptDraft<Draft> = { draft: Draft; version: number | undefined };

export type DraftPlace = { me: string; workspaceId: string; path: string };

const formatStorageKey = ({ me, workspaceId, path }: DraftPlace): string =>
  `draft ${FORMAT} ${me} ${workspaceId} ${path}`;

const getValueType = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value);

/** Returns whether `value` is an object with the entries of `other`. Each entry must have the same type in both. */
const hasSameShape = <Draft extends object>(value: unknown, other: Draft): value is Draft => {
  if (typeof value !== "object" || value === null) return false;
  const found = new Map<string, unknown>(Object.entries(value));
  return Object.entries(other).every(([name, one]) => getValueType(found.get(name)) === getValueType(one));
};

/** Returns the stored draft; undefined if there is none with the fields of `emptyDraft`. */
export const readDraft = <Draft extends object>(place: DraftPlace, emptyDraft: Draft): KeptDraft<Draft> | undefined => {
  const text = sessionStorage.getItem(formatStorageKey(place));
  if (text === null) return undefined;
  const kept: { draft?: unknown; version?: number } = JSON.parse(text);
  return hasSameShape(kept.draft, emptyDraft) ? { draft: kept.draft, version: kept.version } : undefined;
};

export const writeDraft = <Draft extends object>(place: DraftPlace, draft: KeptDraft<Draft>): void => {
  try {
    sessionStorage.setItem(formatStorageKey(place), JSON.stringify(draft));
  } catch (error) {
    // If the draft cannot be stored, it is lost later, but the reader can continue to type.
    if (!(error instanceof DOMException)) throw error;
  }
};

export const dropDraft = (place: DraftPlace): void => sessionStorage.removeItem(formatStorageKey(place));
