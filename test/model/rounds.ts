/* Counts what happened a second time in a history, such as a second acknowledgement: some defects appear only then. */

export type Rounds = Record<"opened" | "acknowledged" | "grouped" | "silenced", number>;

export const createRounds = (): Rounds => ({ opened: 0, acknowledged: 0, grouped: 0, silenced: 0 });

export const addRounds = (all: Rounds, some: Rounds): void => {
  for (const name of Object.keys(all) as (keyof Rounds)[]) all[name] += some[name];
};
