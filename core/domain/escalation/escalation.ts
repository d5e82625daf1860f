/** An escalation of one event by one of its rules. The size of this item does not grow with the steps. */
export type Escalation = {
  acknowledged: boolean;
  next: { cursor: number; due: number } | undefined;
  /** The number of the last step that fired; 0 before the first step. */
  fired: number;
  /** How many people were notified. Each step counts a person again. */
  told: number;
  /** When the acknowledgement that stops the escalation ends, in milliseconds. */
  until?: number | undefined;
  /** The number of added repeats, and the end of the chain of acknowledgements. Set after the first acknowledgement ends. */
  added?: number | undefined;
  ends?: number | undefined;
};
