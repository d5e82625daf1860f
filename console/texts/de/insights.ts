import type { Texts } from "../en/insights.ts";
import { formatCount as count, formatNumber } from "../numbers.ts";

export const texts = {
  statistics: {
    empty:
      "Noch keine Statistik. Sie zählt Ereignisse, zeigt, wie schnell jemand quittiert, und wird etwa stündlich aktualisiert.",
    by: "Statistik nach",
    byOptions: { workspace: "Arbeitsbereich", rule: "Regeln", group: "Gruppen" },
    weeks: "Wochen",
    span: (n: number) => `Die letzten ${n} Wochen`,
    week: "Woche ab",
    soFar: (day: string) => `${day}, bisher`,
    byWeek: "Woche für Woche",
    parts: { rule: "Regel", group: "Gruppe" },
    caption: (by: string, week: string) => `${by}, Woche ab ${week}`,
    nobody: "In dieser Woche hat keine Regel zugetroffen.",
    none: "keine",
    events: "Ereignisse",
    acknowledged: "Quittiert",
    of: (n: number, all: number) => `${formatNumber(n)} von ${formatNumber(all)}`,
    toAcknowledge: "Zeit bis zum Quittieren",
    toResolve: "Zeit bis zur Lösung",
    drawn: (what: string) => `${what}, Woche für Woche`,
    medianAndMost:
      "Der Balken zeigt den Median, bei weniger als 20 Werten den Mittelwert. Die Linie zeigt das 90. Perzentil.",
    took: (half: string, most: string) => `die Hälfte innerhalb von ${half}, 90 % innerhalb von ${most}`,
    meanOf: (n: number) => `Mittel aus ${count(n, "Wert", "Werten")}`,
    export: "Als CSV exportieren",
    p90: (duration: string) => `90 % in ${duration}`,
    notifications: "Benachrich\u00adtigungen",
    atNight: "Nachts alarmiert",
    saved: "Durch Gruppieren vermiedene Benachrich\u00adtigungen",
    howCounted:
      "Fett gesetzte Zeiten sind Mediane, bei weniger als 20 Werten Mittelwerte. Eine Woche beginnt montags um 00:00 UTC und umfasst die Ereignisse, die in dieser Woche eingingen. Nacht ist von 22:00 bis 07:00 in der Zeitzone des Dienstplans. Die Statistik wird etwa stündlich aktualisiert.",
  },
} satisfies Texts;
