import type { ComponentChildren } from "preact";
import type { ActionResult } from "../app/status.ts";
import { explainFailure } from "../texts.ts";
import { useAction } from "./doing.ts";
import { useMissingRole, type MemberRole } from "./needs.tsx";

type ActionProps = {
  /** The status line shows the result. */
  action: () => Promise<ActionResult>;
  children: ComponentChildren;
  /** The button's name for screen readers, if another button has the same text. */
  label?: string | undefined;
  /** The id of the element that describes the button to screen readers. */
  describedBy?: string | undefined;
  /** The key that presses the button in a focused row. */
  keyHint?: string;
  look?: "main" | "plain" | "danger";
  /** True if the action is running because it was started elsewhere on the page. */
  busy?: boolean;
  busyText?: string;
  /** The role that the action needs; by default, the page's role. */
  role?: MemberRole | undefined;
};

/** Shows a button that runs an action, and the reason if the action fails. */
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
