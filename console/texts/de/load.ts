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
    nights: "Nachtstunden",
    weekends: "Wochenendstunden",
    holidays: "Feiertagsstunden",
    pages: "Alarmierungen",
    pagesAtNight: "Alarmierungen nachts",
    toResolve: "Alarmierung bis Lösung",
    minutes: (minutes: number) => `${formatNumber(minutes)} min`,
    shortRests: "Kurze Ruhezeiten",
    covers: "Vertretungen abgegeben / übernommen",
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
