import { useLayoutEffect, useRef } from "preact/hooks";
import { retryUnsentNow, unsentIds } from "../app/outbox.ts";
import { pressed } from "../app/pressed.ts";
import { texts } from "../texts.ts";
import { Action } from "./action.tsx";

/** `describedBy`: the id of the element that names the events. */
type AcknowledgeProps = { eventIds: readonly string[]; describedBy?: string; run: () => Promise<string> };

/** Shows a button that acknowledges events, "Sending" until the service answers, and "Acknowledged" only after success. */
export const Acknowledge = ({ eventIds, describedBy, run }: AcknowledgeProps) => {
  const element = useRef<HTMLSpanElement>(null);
  const isUnsent = eventIds.some((id) => unsentIds.value.has(id));
  const [first = ""] = eventIds;
  const state = isUnsent ? "unsent" : pressed.value.get(first);
  // The pressed button disappears, so the row gets the focus.
  useLayoutEffect(() => {
    if (state === undefined || document.activeElement !== document.body) return;
    element.current?.closest<HTMLElement>("[data-row]")?.focus();
  }, [state]);
  return (
    <span ref={element} class="acknowledge">
      {state === "acknowledged" && <strong class="status-acknowledged">{texts.status.ACKNOWLEDGED}</strong>}
      {state === "unsent" && (
        <>
          <strong class="wrong">{texts.inbox.notSent}</strong> <Action action={retryUnsentNow}>{texts.tryAgain}</Action>
        </>
      )}
      {(state === undefined || state === "sending") && (
        <Action
          look="main"
          keyHint="a"
          describedBy={describedBy}
          action={run}
          busy={state === "sending"}
          busyText={texts.inbox.sending}
        >
          {texts.inbox.acknowledge}
        </Action>
      )}
    </span>
  );
};
