/**
 * A step of a probe, or of the dead man's switch. `at`: the time at which the step was last reached. `remedy`: what is broken,
 * and what to do. `isOld`: the step was reached before an earlier step broke.
 */
export type ShownStep = { name: string; at: string | null; remedy: string | undefined; isOld?: boolean };
