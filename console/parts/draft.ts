import { useState } from "preact/hooks";

/** The content of a form as it is typed, and a function that changes parts of it. */
export const useDraft = <Draft extends object>(
  initial: Draft | (() => Draft),
): [draft: Draft, change: (some: Partial<Draft>) => void] => {
  const [draft, setDraft] = useState(initial);
  return [draft, (some) => setDraft((before) => ({ ...before, ...some }))];
};
