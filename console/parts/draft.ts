import { useState } from "preact/hooks";

/** What is being typed into a form, and how some of it changes. */
export const useDraft = <Draft extends object>(
  initial: Draft | (() => Draft),
): [draft: Draft, change: (some: Partial<Draft>) => void] => {
  const [draft, setDraft] = useState(initial);
  return [draft, (some) => setDraft((before) => ({ ...before, ...some }))];
};
