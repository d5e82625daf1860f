/* Whether a history lived a part of an event's life a second time, which a change can break although the first is right. */

export type Rounds = Record<"opened" | "acknowledged" | "grouped" | "silenced", number>;

export const createRounds = (): Rounds => ({ opened: 0, acknowledged: 0, grouped: 0, silenced: 0 });

/** Adds counts to others. */
export const addRounds = (all: Rounds, some: Rounds): void => {
  for (const name of Object.keys(all) as (keyof Rounds)[]) all[name] += some[name];
};
