import type { ComponentChildren } from "preact";
import { sentenceOf } from "../texts.ts";
import { useDoing } from "./doing.ts";
import { useReasonAgainst, type Role } from "./needs.tsx";

type ActionProps = {
  /** Does the work; its result is shown in the status line. */
  action: () => Promise<string | undefined>;
  children: ComponentChildren;
  /** The name for screen readers, for a text that another button has too. */
  label?: string | undefined;
  /** The id of what it is about, for screen readers. */
  describedBy?: string | undefined;
  /** The key that presses it in the focused row. */
  keyHint?: string;
  look?: "main" | "plain" | "danger";
  /** That the same is being done from elsewhere on the page. */
  busy?: boolean;
  /** What it says while it is busy. */
  busyText?: string;
  /** The role that it needs, if not that of the page. */
  role?: Role | undefined;
};

/** A button that does something: busy while it does, with the reason next to it if it failed. */
export const Action = (props: ActionProps) => {
  const { action, children, label, describedBy, keyHint, look = "plain", busy: isBusy, busyText, role } = props;
  const reason = useReasonAgainst(role);
  const { busy: isDoing, failure, run } = useDoing(action);
  const busy = isBusy ?? isDoing;
  return (
    <>
      <button
        type="button"
        class={look}
        aria-busy={busy}
        disabled={reason !== undefined}
        title={reason}
        aria-label={label}
        aria-describedby={describedBy}
        aria-keyshortcuts={keyHint}
        data-key={keyHint}
        onClick={() => (busy ? undefined : void run())}
      >
        {busy && busyText !== undefined ? (
          <>
            <span class="spinner" aria-hidden="true" />
            {busyText}
          </>
        ) : (
          children
        )}
      </button>
      {failure !== undefined && (
        <span class="wrong" role="alert">
          {sentenceOf(failure)}
        </span>
      )}
    </>
  );
};
