/** The escalation of one event under one of its rules. The size of an escalation does not depend on the number of fired steps. */
export type Escalation = {
  acknowledged: boolean;
  next: { cursor: number; due: number } | undefined;
  /** The number of the last step that fired; 0 before the first step. */
  fired: number;
  /** How many people the escalation has notified; a person counts once for each step. */
  told: number;
  /** When the temporary acknowledgement ends that stops the escalation, in milliseconds. */
  until?: number | undefined;
  /** How many repeats were added, and when the chain of acknowledgements is over; set after the first acknowledgement ends. */
  added?: number | undefined;
  ends?: number | undefined;
};
