/*
 * Unsaved input of a form, stored in the tab: a stray link, a session that ends or a page that is reloaded must not
 * lose it.
 */

/** Raised when the lists in a form's draft change their shape: older stored drafts are dropped then. */
const FORMAT = 1;

/** `version`: that of the stored thing which the draft was begun on; undefined for a new one. */
export type KeptDraft<Draft> = { draft: Draft; version: number | undefined };

/** The location of a form: its person, workspace and URL. */
export type DraftPlace = { me: string; workspaceId: string; path: string };

const keyOf = ({ me, workspaceId, path }: DraftPlace): string => `draft ${FORMAT} ${me} ${workspaceId} ${path}`;

const kindOf = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value);

/** Whether a value has the fields of another, each of the same kind. */
const isLike = <Draft extends object>(value: unknown, other: Draft): value is Draft => {
  if (typeof value !== "object" || value === null) return false;
  const found = new Map<string, unknown>(Object.entries(value));
  return Object.entries(other).every(([name, one]) => kindOf(found.get(name)) === kindOf(one));
};

/** The stored draft; undefined if there is none, or none that fits the form now. */
export const readDraft = <Draft extends object>(place: DraftPlace, empty: Draft): KeptDraft<Draft> | undefined => {
  const text = sessionStorage.getItem(keyOf(place));
  if (text === null) return undefined;
  const kept: { draft?: unknown; version?: number } = JSON.parse(text);
  return isLike(kept.draft, empty) ? { draft: kept.draft, version: kept.version } : undefined;
};

export const writeDraft = <Draft extends object>(place: DraftPlace, kept: KeptDraft<Draft>): void => {
  try {
    sessionStorage.setItem(keyOf(place), JSON.stringify(kept));
  } catch (error) {
    // A tab without storage space loses the draft; typing must continue.
    if (!(error instanceof DOMException)) throw error;
  }
};

export const dropDraft = (place: DraftPlace): void => sessionStorage.removeItem(keyOf(place));
