import type { ComponentChildren } from "preact";

type WhoIsOnCallProps = {
  onCall: readonly { name: string }[];
  /** The text for a group without anybody on call. */
  nobody: string;
  /** The content to show instead of the names. */
  children?: ComponentChildren;
};

/** Shows the people who are on call in a group now. */
export const WhoIsOnCall = ({ onCall, nobody, children }: WhoIsOnCallProps) =>
  onCall.length === 0 ? (
    <strong class="status-failed">{nobody}</strong>
  ) : (
    <>{children ?? onCall.map(({ name }) => name).join(", ")}</>
  );
