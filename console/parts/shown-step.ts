/**
 * A step of a probe, or of a round of the switch. `at`: when the step was reached. `remedy`: what is broken, and what to do.
 * `isOld`: reached before an earlier step broke.
 */
export type ShownStep = { name: string; at: string | null; remedy: string | undefined; isOld?: boolean };
