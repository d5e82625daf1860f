import type { Texts } from "../en/statistics.ts";
import { number } from "../numbers.ts";

export const texts = {
  statistics: {
    empty: "Noch keine Zahlen. Sie werden etwa stündlich aus den eingegangenen Ereignissen gezählt.",
    by: "Zahlen nach",
    byOptions: { workspace: "Arbeitsbereich", rule: "Regeln", group: "Gruppen" },
    weeks: "Wochen",
    span: (n: number) => `Die letzten ${n}`,
    week: "Woche ab",
    soFar: (day: string) => `${day}, bisher`,
    byWeek: "Woche für Woche",
    parts: { rule: "Regel", group: "Gruppe" },
    caption: (by: string, week: string) => `${by}, Woche ab ${week}`,
    nobody: "In dieser Woche passte keine Regel auf ein Ereignis.",
    none: "keine",
    events: "Ereignisse",
    acknowledged: "Quittiert",
    of: (n: number, all: number) => `${number(n)} von ${number(all)}`,
    toAcknowledge: "Zeit bis zum Quittieren",
    toResolve: "Zeit bis zur Lösung",
    drawn: (what: string) => `${what}, Woche für Woche`,
    medianAndMost: "Balken: die Hälfte. Linie: 90 %.",
    took: (half: string, most: string) => `die Hälfte innerhalb von ${half}, 90 % innerhalb von ${most}`,
    p90: (duration: string) => `90 % innerhalb von ${duration}`,
    notifications: "Benachrichtigungen",
    atNight: "Nachts geweckt",
    saved: "Durch Gruppieren erspart",
    howCounted:
      "Fett gesetzte Zeiten sind Mediane. Eine Woche beginnt montags um 00:00 UTC und umfasst, was aus den Ereignissen wurde, die dann eingingen. Nacht ist von 22:00 bis 07:00 nach der Uhr des Dienstplans, durch den jemand benachrichtigt wird. Gezählt wird etwa stündlich.",
  },
} satisfies Texts;
