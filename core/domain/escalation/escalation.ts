/** An escalation of one event by one of its rules. The item's size does not grow with the steps. */
export type Escalation = {
  acknowledged: boolean;
  next: { cursor: number; due: number } | undefined;
  /** The number of the last step that fired; 0 before the first step. */
  fired: number;
  /** How many people were notified. A person whom several steps notify counts several times. */
  told: number;
  /** When the acknowledgement that stops the escalation ends, in milliseconds. */
  until?: number | undefined;
  /** The number of repeats added because temporary acknowledgements ended. */
  added?: number | undefined;
  /** When the last possible temporary acknowledgement ends, in milliseconds. */
  ends?: number | undefined;
};
