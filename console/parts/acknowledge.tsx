import { useLayoutEffect, useRef } from "preact/hooks";
import { sendNow, unsentIds } from "../app/outbox.ts";
import { pressed } from "../app/pressed.ts";
import { texts } from "../texts.ts";
import { Action } from "./action.tsx";

type AcknowledgeProps = { eventId: string; run: () => Promise<string> };

/**
 * The button that acknowledges an event, and then what became of that: "Sending" while nobody knows, "Acknowledged" when
 * the service has said so, "Not sent yet" for what is kept.
 */
export const Acknowledge = ({ eventId, run }: AcknowledgeProps) => {
  const element = useRef<HTMLSpanElement>(null);
  const isUnsent = unsentIds.value.has(eventId);
  const state = isUnsent ? "unsent" : pressed.value.get(eventId);
  // The button that was pressed is gone: the focus stays in its row.
  useLayoutEffect(() => {
    if (state === undefined || document.activeElement !== document.body) return;
    element.current?.closest<HTMLElement>("[data-row]")?.focus();
  }, [state]);
  return (
    <span ref={element} class="acknowledge">
      {state === "acknowledged" && <strong class="status-acknowledged">{texts.status.ACKNOWLEDGED}</strong>}
      {state === "unsent" && (
        <>
          <strong class="wrong">{texts.inbox.notSent}</strong> <Action action={sendNow}>{texts.tryAgain}</Action>
        </>
      )}
      {(state === undefined || state === "sending") && (
        <Action look="main" keyHint="a" action={run} busy={state === "sending"} busyText={texts.inbox.sending}>
          {texts.inbox.acknowledge}
        </Action>
      )}
    </span>
  );
};
