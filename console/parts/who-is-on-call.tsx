import type { ComponentChildren } from "preact";

type WhoIsOnCallProps = {
  onCall: readonly { name: string }[];
  /** What is said in a group without anybody on call. */
  nobody: string;
  /** Replaces the plain names. */
  children?: ComponentChildren;
};

/** Who is on call in a group now. */
export const WhoIsOnCall = ({ onCall, nobody, children }: WhoIsOnCallProps) =>
  onCall.length === 0 ? (
    <strong class="status-failed">{nobody}</strong>
  ) : (
    <>{children ?? onCall.map(({ name }) => name).join(", ")}</>
  );
