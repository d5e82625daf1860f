/*
 * Stores the unsaved input of a form in the tab, so that an accidental click on a link, an expired session or a
 * reload does not lose it.
 */

/** Raised when the lists in a form's draft change their shape: older stored drafts are dropped then. */
const FORMAT = 1;

/** `version`: the version of the stored item which the draft is based on; undefined for a new item. */
export type KeptDraft<Draft> = { draft: Draft; version: number | undefined };

/** What identifies a form: its person, workspace and URL. */
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
    // Without storage space in the tab the draft is lost, but typing must continue.
    if (!(error instanceof DOMException)) throw error;
  }
};

export const dropDraft = (place: DraftPlace): void => sessionStorage.removeItem(storageKey(place));
