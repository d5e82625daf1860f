/**
 * A step of a probe, or of a round of a switch. `at`: the time at which the step was reached. `remedy`: why it is broken, and
 * what to do. `isOld`: whether it was reached before an earlier step broke.
 */
export type ShownStep = { name: string; at: string | null; remedy: string | undefined; isOld?: boolean };
