/** Of one event, under one of its rules. The size does not depend on the number of fired steps. */
export type Escalation = {
  acknowledged: boolean;
  next: { cursor: number; due: number } | undefined;
  /** 0 before the first step. */
  fired: number;
  /** A person counts once for each step. */
  told: number;
  /** When the acknowledgement ends that stops the escalation, in milliseconds. */
  until?: number | undefined;
  /** The added repeats, and the end of the chain of acknowledgements; set after the first acknowledgement ends. */
  added?: number | undefined;
  ends?: number | undefined;
};
