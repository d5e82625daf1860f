import type { ComponentChildren } from "preact";

type WhoIsOnCallProps = {
  onCall: readonly { name: string }[];
  nobody: string;
  /** What is shown instead of the names. */
  children?: ComponentChildren;
};

export const WhoIsOnCall = ({ onCall, nobody, children }: WhoIsOnCallProps) =>
  onCall.length === 0 ? (
    <strong class="status-failed">{nobody}</strong>
  ) : (
    <>{children ?? onCall.map(({ name }) => name).join(", ")}</>
  );
