import type { ComponentChildren } from "preact";
import { sentenceOf } from "../texts.ts";
import { useDoing } from "./doing.ts";

type ActionProps = {
  /** Does the work; its result is shown in the status line. */
  action: () => Promise<string | undefined>;
  children: ComponentChildren;
  /** The name for screen readers, for a text that another button has too. */
  label?: string;
  /** The key that presses it in the focused row. */
  keyHint?: string;
  look?: "main" | "plain" | "danger";
};

/** A button that does something: busy while it does, with the reason next to it if it failed. */
export const Action = ({ action, children, label, keyHint, look = "plain" }: ActionProps) => {
  const { busy, failure, run } = useDoing(action);
  return (
    <>
      <button
        type="button"
        class={look}
        aria-busy={busy}
        aria-label={label}
        aria-keyshortcuts={keyHint}
        data-key={keyHint}
        onClick={() => void run()}
      >
        {children}
      </button>
      {failure !== undefined && (
        <span class="wrong" role="alert">
          {sentenceOf(failure)}
        </span>
      )}
    </>
  );
};
