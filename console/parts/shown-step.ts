/**
 * The step belongs to a probe, or to a round of a switch. `at`: when the step was reached. `remedy`: why it is
 * broken, and what to do. `isOld`: the step was reached before an earlier step broke.
 */
export type ShownStep = { name: string; at: string | null; remedy: string | undefined; isOld?: boolean };
