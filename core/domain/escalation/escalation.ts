/** The escalation of one event under one of its rules. It does not grow, however often it fires. */
export type Escalation = {
  acknowledged: boolean;
  next: { cursor: number; due: number } | undefined;
  /** The cursor of the last firing that happened, 0 before the first. All earlier firings have happened, too. */
  fired: number;
  /** How many people the firings have told; a person counts once for each firing. */
  told: number;
  /** Where an acknowledgement for a time has ended it: until when that holds (milliseconds). */
  until?: number | undefined;
  /** Rounds beyond those of its policy, and when its chain is over: both since it first went on after such an end. */
  added?: number | undefined;
  ends?: number | undefined;
};
