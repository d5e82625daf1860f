/** An escalation belongs to one event and one of its rules. The size does not depend on the number of fired steps. */
export type Escalation = {
  acknowledged: boolean;
  next: { cursor: number; due: number } | undefined;
  /** 0 before the first step. */
  fired: number;
  /** A person counts once for each step. */
  told: number;
  /** When the acknowledgement ends that stops the escalation, in milliseconds. */
  until?: number | undefined;
  /** How many repeats were added, and when the chain of acknowledgements is over. Set after the first acknowledgement ends. */
  added?: number | undefined;
  ends?: number | undefined;
};
