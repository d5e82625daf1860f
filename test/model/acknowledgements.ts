/**
 * The state that the API showed after somebody acknowledged or snoozed an event. `rule`: the rule of the acknowledged
 * notification; null: the whole event. `again`: whether the event was acknowledged before. `until`: the end of the
 * acknowledgement, if it has one.
 */
export type RecordedAck = {
  from: number;
  to: number;
  rule: string | null;
  snoozed: number | null;
  again: boolean;
  state: string;
  until: number | null;
};

export const isAnyTemporary = (holds: readonly RecordedAck[]): boolean => holds.some(({ until }) => until !== null);

/** Returns whether an event may be open again although it was acknowledged. */
export const mayBeOpenAgain = (holds: readonly RecordedAck[], at: number): boolean =>
  holds.some(({ until }) => until !== null && until <= at);

/** Returns the state of an event that nobody resolved, once its last acknowledgement has ended; a permanent one remains. */
export const computeFinalState = (holds: readonly RecordedAck[], needsAck: boolean): string => {
  const last = holds.at(-1);
  return last?.until === null ? last.state : needsAck ? "open" : "none";
};
