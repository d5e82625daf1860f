import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ActionResult } from "../app/status.ts";
import { Action } from "./action.tsx";
import { Dialog } from "./dialog.tsx";
import type { MemberRole } from "./needs.tsx";

type ConfirmProps = {
  /** The button's text and the question's heading. */
  text: string;
  /** The button's name for screen readers, if another button has the same text. */
  label?: string;
  question: string | (() => Promise<string>);
  choice?: ComponentChildren;
  action: () => Promise<ActionResult>;
  role?: MemberRole | undefined;
  look?: "danger" | "plain";
};

/** Asks before an action that cannot be undone or leaves people without alerts. */
export const Confirm = ({ text, label, question, choice, action, role, look = "danger" }: ConfirmProps) => {
  const [asking, setAsking] = useState<string>();
  const runAction = async (): Promise<ActionResult> => {
    const done = await action();
    setAsking(undefined);
    return done;
  };
  const askQuestion = async (): Promise<undefined> => {
    setAsking(typeof question === "string" ? question : await question());
  };
  return (
    <>
      <Action look={look} action={askQuestion} label={label} role={role}>
        {text}
      </Action>
      {asking !== undefined && (
        <Dialog heading={label ?? text} close={() => setAsking(undefined)}>
          <p>{asking}</p>
          {choice}
          <p class="buttons">
            <Action look="danger" action={runAction} role={role}>
              {text}
            </Action>
          </p>
        </Dialog>
      )}
    </>
  );
};
