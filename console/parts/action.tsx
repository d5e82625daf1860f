import type { ComponentChildren } from "preact";
import type { Result } from "../app/status.ts";
import { explainFailure } from "../texts.ts";
import { useAction } from "./doing.ts";
import { useMissingRole, type Role } from "./needs.tsx";

type ActionProps = {
  /** The status line shows the result. */
  action: () => Promise<Result>;
  children: ComponentChildren;
  /** The name for screen readers, if another button has the same text. */
  label?: string | undefined;
  /** The id of the element that the button is about, for screen readers. */
  describedBy?: string | undefined;
  /** The key that presses the button in the focused row. */
  keyHint?: string;
  look?: "main" | "plain" | "danger";
  /** The same action was started elsewhere on the page. */
  busy?: boolean;
  busyText?: string;
  /** If different from the page's role. */
  role?: Role | undefined;
};

/** Shows the reason after a failure. */
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
