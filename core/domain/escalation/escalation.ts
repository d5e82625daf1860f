/** The escalation of one event under one of its rules. Its size does not depend on how often it fires. */
export type Escalation = {
  acknowledged: boolean;
  next: { cursor: number; due: number } | undefined;
  /** The number of the last step that fired, 0 before the first. All steps before it fired, too. */
  fired: number;
  /** How many people the escalation has notified; a person counts once for each step. */
  told: number;
  /** Until when a temporary acknowledgement stops the escalation (milliseconds). */
  until?: number | undefined;
  /** The repeats added to the policy's own, and when the chain of acknowledgements is over. Both are set once an acknowledgement has ended. */
  added?: number | undefined;
  ends?: number | undefined;
};
