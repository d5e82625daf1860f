import type { ComponentChildren } from "preact";
import type { Result } from "../app/status.ts";
import { explainFailure } from "../texts.ts";
import { useAction } from "./doing.ts";
import { useMissingRole, type Role } from "./needs.tsx";

type ActionProps = {
  /** Performs the action, whose result is shown in the status line. */
  action: () => Promise<Result>;
  children: ComponentChildren;
  /** The name for screen readers, if another button has the same text. */
  label?: string | undefined;
  /** The id of the element that the button is about, for screen readers. */
  describedBy?: string | undefined;
  /** The key that presses the button in the focused row. */
  keyHint?: string;
  look?: "main" | "plain" | "danger";
  /** Whether the same action was started elsewhere on the page. */
  busy?: boolean;
  /** The text of the button while it is busy. */
  busyText?: string;
  /** The required role, if it differs from the page's. */
  role?: Role | undefined;
};

/** A button that performs an action. Shows while the action is running, and the reason after a failure. */
export const Action = (props: ActionProps) => {
  const { action, children, label, describedBy, keyHint, look = "plain", busy: isBusy, busyText, role } = props;
  const reason = useMissingRole(role);
  const { busy: isDoing, failure, run } = useAction(action);
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
          {explainFailure(failure)}
        </span>
      )}
    </>
  );
};
