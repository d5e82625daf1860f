import type { ComponentChildren } from "preact";
import { sentenceOf } from "../texts.ts";
import { useDoing } from "./doing.ts";

type ActionProps = {
  /** Does it; what it gives is said in the status line. */
  action: () => Promise<string | undefined>;
  children: ComponentChildren;
  /** The name for screen readers, where the text alone could be that of another button. */
  label?: string;
  /** The key that presses it in the row that has the focus. */
  keyHint?: string;
  look?: "main" | "plain" | "danger";
};

/** A button that does something: busy while it does, and why it failed beside it. */
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
