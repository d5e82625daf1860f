/* Counts what happened a second time in a history, such as a second acknowledgement: some defects appear only then. */

export type Repeats = Record<"opened" | "acknowledged" | "grouped" | "silenced", number>;

export const createRepeats = (): Repeats => ({ opened: 0, acknowledged: 0, grouped: 0, silenced: 0 });

export const addRepeats = (all: Repeats, some: Repeats): void => {
  for (const name of Object.keys(all) as (keyof Repeats)[]) all[name] += some[name];
};
