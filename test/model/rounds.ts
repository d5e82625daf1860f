/* Parts of an event's life that a history lived a second time, because a change can break only the second time. */

export type Rounds = Record<"opened" | "acknowledged" | "grouped" | "silenced", number>;

export const createRounds = (): Rounds => ({ opened: 0, acknowledged: 0, grouped: 0, silenced: 0 });

export const addRounds = (all: Rounds, some: Rounds): void => {
  for (const name of Object.keys(all) as (keyof Rounds)[]) all[name] += some[name];
};
