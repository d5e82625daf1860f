/* What was seen of acknowledgements that may hold for a time. */

/**
 * What was seen after somebody acknowledged or snoozed an event. `rule`: the one whose notification was acknowledged;
 * null: the whole event. `again`: that one was acknowledged before. `until`: when the acknowledgement ends, if it does.
 */
export type Hold = {
  from: number;
  to: number;
  rule: string | null;
  snoozed: number | null;
  again: boolean;
  state: string;
  until: number | null;
};

/** Whether an event was ever acknowledged for a time. */
export const isLimited = (holds: readonly Hold[]): boolean => holds.some(({ until }) => until !== null);

/** Whether an event may be open again at a time although it was acknowledged. */
export const mayBeOpen = (holds: readonly Hold[], at: number): boolean =>
  holds.some(({ until }) => until !== null && until <= at);

/** The state that an event must have at last which was acknowledged for a time and not ended by anybody. */
export const stateAtLast = (holds: readonly Hold[], needsAck: boolean): string => {
  const last = holds.at(-1);
  return last?.until === null ? last.state : needsAck ? "open" : "none";
};
