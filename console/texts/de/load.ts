import type { Texts } from "../en/load.ts";
import { formatCount as count, formatNumber } from "../numbers.ts";

export const texts = {
  load: {
    inMonth: (month: string) => `Belastung im ${month}`,
    inMonthHint: "Stunden Bereitschaft in allen Gruppen; das Ende jedes Balkens zeigt die Wochenendstunden.",
    ofPerson: (hours: number, weekend: number) =>
      `${count(hours, "Stunde", "Stunden")}, davon ${formatNumber(weekend)} an Wochenenden`,
    hours: (n: number) => `${formatNumber(n)} h`,
    by: "Belastung nach",
    byOptions: { person: "Person", group: "Gruppe" },
    empty:
      "In diesen drei Monaten hatte niemand Bereitschaft. Legen Sie einen Dienstplan an, um zu sehen, wie sich die Bereitschaft verteilt.",
    nobody: "Niemand hatte Bereitschaft.",
    soFar: (month: string) => `${month}, bisher`,
    total: "Stunden",
    nights: "Nacht\u00adstunden",
    weekends: "Wochenend\u00adstunden",
    holidays: "Feiertags\u00adstunden",
    pages: "Alarmie\u00adrungen",
    pagesAtNight: "Alarmie\u00adrungen nachts",
    toResolve: "Alarmie\u00adrung bis Lösung",
    minutes: (minutes: number) => `${formatNumber(minutes)} min`,
    shortRests: "Kurze Ruhe\u00adzeiten",
    covers: "Vertre\u00adtungen abgegeben / über\u00adnommen",
    pay: "Vergütung",
    drawn: "Nacht- und Wochenendstunden",
    drawnHint: "Jeder Balken zeigt zuerst die Nachtstunden, dann die Wochenendstunden.",
    said: (night: string, weekend: string) => `${night} Nachtstunden, ${weekend} Wochenendstunden`,
    csv: "CSV herunterladen",
    csvOf: (month: string) => `CSV herunterladen: ${month}`,
    howCounted:
      "Monate gelten in UTC. Nacht ist von 22:00 bis 07:00 Uhr in der Zeitzone des Dienstplans. Ein Monat wird 24 Stunden nach seinem Ende abgeschlossen und ändert sich dann nicht mehr.",
  },
} satisfies Texts;
