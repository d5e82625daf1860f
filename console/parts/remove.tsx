import { useState } from "preact/hooks";
import { Action } from "./action.tsx";
import { Dialog } from "./dialog.tsx";

type RemoveProps = {
  /** The text of the button, and the heading of the question. */
  text: string;
  /** The name for screen readers, for a text that another button has too. */
  label?: string;
  question: string;
  remove: () => Promise<string | undefined>;
};

/** A button that deletes something for good, and asks first. */
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
