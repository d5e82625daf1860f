import { useState } from "preact/hooks";
import { Action } from "./action.tsx";
import { Dialog } from "./dialog.tsx";

type RemoveProps = {
  /** What the button says, and the heading of the question. */
  text: string;
  /** The name for screen readers, where the text alone could be that of another button. */
  label?: string;
  question: string;
  remove: () => Promise<string | undefined>;
};

/** A button that takes something away for good: it asks first. */
export const Remove = ({ text, label, question, remove }: RemoveProps) => {
  const [asking, setAsking] = useState(false);
  const run = async (): Promise<string | undefined> => {
    const done = await remove();
    setAsking(false);
    return done;
  };
  return (
    <>
      <button type="button" class="danger" aria-label={label} onClick={() => setAsking(true)}>
        {text}
      </button>
      {asking && (
        <Dialog heading={label ?? text} close={() => setAsking(false)}>
          <p>{question}</p>
          <p class="buttons">
            <Action look="danger" action={run}>
              {text}
            </Action>
          </p>
        </Dialog>
      )}
    </>
  );
};
