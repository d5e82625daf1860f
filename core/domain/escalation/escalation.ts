/** The escalation of one event under one of its rules. It stays as small as it was armed, however often it fires. */
export type Escalation = {
  acknowledged: boolean;
  next: { cursor: number; due: number } | undefined;
  /** The cursor of the last firing that happened, 0 before the first; all that were due before it happened, too. */
  fired: number;
  /** People whom the firings have told, each counted once a firing. */
  told: number;
};
