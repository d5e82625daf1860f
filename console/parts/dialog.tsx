import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { texts } from "../texts.ts";

/** Shows a dialog, which is open as long as it is rendered. The element with `data-first` gets the first focus. */
export const Dialog = ({
  heading,
  close,
  children,
}: {
  heading: string;
  close: () => void;
  children: ComponentChildren;
}) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close}>
      <div class="dialog-head">
        <h2 id={id}>{heading}</h2>
        <button type="button" class="quiet" aria-label={texts.close} onClick={() => dialog.current?.close()}>
          ✕
        </button>
      </div>
      {children}
    </dialog>
  );
};
