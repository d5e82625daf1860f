import type { Texts } from "../en/month.ts";

export const texts = {
  month: {
    hint: "Um eine Vertretung einzutragen, ziehen Sie mit der Maus über die Tage. Mit der Tastatur wählen Sie die Tage mit der Umschalttaste und den Pfeiltasten und drücken dann die Eingabetaste.",
    covers: (who: string, whom: string) => `${who} für ${whom}`,
    from: (who: string, time: string) => `${who} ab ${time}`,
  },
} satisfies Texts;
