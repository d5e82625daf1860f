import * as v from "valibot";

/*
 * The devices that this browser is, and when each was last registered: one for each person and workspace. Signing out
 * needs them at once, so they stand apart from what subscribes.
 */

const Registered = v.array(
  v.object({ workspaceId: v.string(), userId: v.string(), deviceId: v.string(), at: v.number() }),
);
export type Registered = v.InferOutput<typeof Registered>;
const KEPT = "device";

export const readRegistered = (): Registered => {
  const kept = v.safeParse(v.pipe(v.string(), v.parseJson(), Registered), localStorage.getItem(KEPT));
  return kept.success ? kept.output : [];
};

export const writeRegistered = (next: Registered): void => localStorage.setItem(KEPT, JSON.stringify(next));

/** The devices that this browser is for one person. */
export const registeredFor = (userId: string): Registered => readRegistered().filter((one) => one.userId === userId);
