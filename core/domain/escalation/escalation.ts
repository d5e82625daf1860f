/** The escalation of one event under one of its rules. It does not grow, however often it fires. */
export type Escalation = {
  acknowledged: boolean;
  next: { cursor: number; due: number } | undefined;
  /** The cursor of the last firing that happened, 0 before the first. All earlier firings have happened, too. */
  fired: number;
  /** How many people the escalation has notified; a person counts once for each step. */
  told: number;
  /** Until when a temporary acknowledgement stops it (milliseconds). */
  until?: number | undefined;
  /** Repeats beyond those of its policy, and when its chain is over: both since it first continued after such an end. */
  added?: number | undefined;
  ends?: number | undefined;
};
