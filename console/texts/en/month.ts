import type { Catalogue } from "../catalogue.ts";

/** The texts of a group's month. */
export const texts = {
  month: {
    hint: "To override, drag over days, or press Shift and the arrow keys, then Enter.",
    covers: (who: string, whom: string) => `${who} for ${whom}`,
    from: (who: string, time: string) => `${who} from ${time}`,
  },
};
export type Texts = Catalogue<typeof texts>;
