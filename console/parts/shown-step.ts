/**
 * A step that a probe or a round reaches. `at`: when it was reached. `remedy`: why it is broken, and what to do. `isOld`:
 * whether it was reached before an earlier step broke.
 */
export type ShownStep = { name: string; at: string | null; remedy: string | undefined; isOld?: boolean };
