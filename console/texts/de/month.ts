import type { Texts } from "../en/month.ts";

export const texts = {
  month: {
    hint: "Für eine Vertretung über Tage ziehen, oder Umschalt und Pfeiltasten drücken, dann die Eingabetaste.",
    covers: (who: string, whom: string) => `${who} für ${whom}`,
    from: (who: string, time: string) => `${who} ab ${time}`,
  },
} satisfies Texts;
