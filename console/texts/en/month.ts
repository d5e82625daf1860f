import type { Catalogue } from "../catalogue.ts";

export const texts = {
  month: {
    hint: "To add an override, drag the mouse over days. With the keyboard, select days with Shift and the arrow keys, then press Enter.",
    covers: (who: string, whom: string) => `${who} for ${whom}`,
    from: (who: string, time: string) => `${who} from ${time}`,
  },
};
export type Texts = Catalogue<typeof texts>;
