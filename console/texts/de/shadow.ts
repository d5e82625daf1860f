import type { Texts } from "../en/shadow.ts";
import { formatNumber } from "../numbers.ts";

export const texts = {
  shadow: {
    lead: "Im Schattenbetrieb ermittelt der Dienst, wen er benachrichtigen würde, benachrichtigt aber niemanden. Nutzen Sie den Schattenbetrieb, solange Ihr alter Dienst noch benachrichtigt, und vergleichen Sie beide Dienste.",
    until: "Endet am",
    untilHint:
      "In Ihrer Zeitzone, höchstens 14 Tage ab jetzt. Eigentümer werden einen Tag und eine Stunde vor dem Ende benachrichtigt.",
    begin: "Schattenbetrieb beginnen",
    change: "Ende ändern",
    begun: (until: string) => `Schattenbetrieb bis ${until}. Neue Ereignisse benachrichtigen niemanden.`,
    comparison: "Vergleich",
    span: (since: string, until: string) => `Ereignisse von ${since} bis ${until}.`,
    empty:
      "Noch kein Schattenbetrieb. Sobald einer begonnen hat, steht hier bei jedem Ereignis, wen der alte Dienst benachrichtigt hat und wen dieser Dienst benachrichtigt hätte.",
    noEvents: "Keine Ereignisse in diesem Schattenbetrieb. Lassen Sie Ihre Werkzeuge an beide Dienste senden.",
    noMatch: "Kein Ereignis dieser Seite hat dieses Ergebnis.",
    result: "Ergebnis",
    counted: (result: string, n: number) => `${result}: ${formatNumber(n)}`,
    allResults: "Alle",
    event: "Ereignis",
    theirs: "Alter Dienst",
    ours: "Dieser Dienst",
    nobody: "niemand",
    results: {
      nobody: "Niemand",
      "other person": "Andere Person",
      later: "Später",
      earlier: "Früher",
      "more people": "Mehr Personen",
      same: "Gleich",
      unknown: "Nicht gemeldet",
    },
    hints:
      "„Niemand“: Nur der alte Dienst hat jemanden benachrichtigt. „Nicht gemeldet“: Der alte Dienst hat nicht mitgeteilt, wen er benachrichtigt hat.",
    older: "Frühere Ereignisse",
    newest: "Neueste Ereignisse",
    pages: "Seiten",
  },
} satisfies Texts;
