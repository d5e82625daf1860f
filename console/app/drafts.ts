/*
 * Stores the unsaved input of a form in the tab, so that an accidental click on a link, an expired session or a
 * reload does not lose it.
 */

/** The version of the stored format. Increase it when a draft's lists change their shape, to drop older drafts. */
const FORMAT = 1;

/** A stored draft. `version`: the version of the item on which the draft is based; undefined for a new item. */
export type KeptDraft<Draft> = { draft: Draft; version: number | undefined };

/** The identity of a form: person, workspace and URL. */
export type DraftPlace = { me: string; workspaceId: string; path: string };

const storageKey = ({ me, workspaceId, path }: DraftPlace): string => `draft ${FORMAT} ${me} ${workspaceId} ${path}`;

const typeOfValue = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value);

/** Returns whether a value has the fields of another, each with the same type. */
const hasSameShape = <Draft extends object>(value: unknown, other: Draft): value is Draft => {
  if (typeof value !== "object" || value === null) return false;
  const found = new Map<string, unknown>(Object.entries(value));
  return Object.entries(other).every(([name, one]) => typeOfValue(found.get(name)) === typeOfValue(one));
};

/** Returns the stored draft; undefined if there is none, or none with the form's current fields. */
export const readDraft = <Draft extends object>(place: DraftPlace, empty: Draft): KeptDraft<Draft> | undefined => {
  const text = sessionStorage.getItem(storageKey(place));
  if (text === null) return undefined;
  const kept: { draft?: unknown; version?: number } = JSON.parse(text);
  return hasSameShape(kept.draft, empty) ? { draft: kept.draft, version: kept.version } : undefined;
};

export const writeDraft = <Draft extends object>(place: DraftPlace, kept: KeptDraft<Draft>): void => {
  try {
    sessionStorage.setItem(storageKey(place), JSON.stringify(kept));
  } catch (error) {
    // If the tab has no storage space, the draft is not kept, but the reader can continue to type.
    if (!(error instanceof DOMException)) throw error;
  }
};

export const dropDraft = (place: DraftPlace): void => sessionStorage.removeItem(storageKey(place));
