import { formatCount as count } from "../numbers.ts";
import type { Texts } from "../en/preview.ts";

export const texts = {
  preview: {
    result: "Wer Bereitschaft hätte",
    changes: "Änderungen der Bereitschaft",
    noChanges: "In den nächsten zwei Wochen bleiben dieselben Personen in Bereitschaft.",
    moreChanges: (n: number) => `und ${count(n, "weitere Änderung", "weitere Änderungen")}`,
    nights: (weeks: number) => `Nächte in den nächsten ${weeks} Wochen`,
    sameNights: "Alle haben so viele Nächte wie bisher.",
    nightsOf: (name: string, before: number, after: number) => `${name}: ${before} → ${after}`,
    gaps: "Lücken",
    noGaps: "Keine Lücke in den nächsten zwei Wochen.",
    clocks: "Zeitumstellungen",
    clockChange: (at: string, minutes: number, names: readonly string[]) =>
      `${at}: Die Uhren werden ${minutes > 0 ? "vorgestellt" : "zurückgestellt"}; die Schicht${names.length === 0 ? "" : ` von ${names.join(", ")}`} ist ${Math.abs(minutes)} Minuten ${minutes > 0 ? "kürzer" : "länger"}.`,
    clocksRule: (zone: string) => `Übergaben folgen das ganze Jahr der Ortszeit in ${zone}.`,
  },
} satisfies Texts;
