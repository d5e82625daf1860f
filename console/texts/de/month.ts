import type { Texts } from "../en/month.ts";

export const texts = {
  month: {
    hint: "Für eine Vertretung ziehen Sie über Tage. Mit der Tastatur wählen Sie die Tage mit Umschalt und Pfeiltasten und drücken dann die Eingabetaste.",
    covers: (who: string, whom: string) => `${who} für ${whom}`,
    from: (who: string, time: string) => `${who} ab ${time}`,
  },
} satisfies Texts;
