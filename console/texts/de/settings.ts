import type { Texts } from "../en/settings.ts";
import { number } from "../numbers.ts";

export const texts = {
  settings: {
    setUp: "Die Einrichtung als Datei",
    setUpLead:
      "Personen, Gruppen, Dienstpläne, Richtlinien, Regeln, Schlüssel, Stummschaltungen, Webhooks und Verbindungen mit ihren Namen, ohne jedes Geheimnis: um sie in einem Repository aufzubewahren, zu vergleichen und auf diesen oder einen anderen Arbeitsbereich anzuwenden.",
    export: "Exportieren",
    setUpToken: "Verlangt SESSION_TOKEN, ein Zugangstoken von Ihnen, in der Umgebung.",
    name: "Name des Arbeitsbereichs",
    limited: "Bei niemandem zu oft klingeln",
    limitedHint:
      "Was darüber hinausgeht, wird ohne Ton in einer Zeile gemeldet. Eine höhere Priorität klingelt trotzdem.",
    loud: "Klingeln bei einer Person innerhalb von zehn Minuten",
    open: "Zum Quittieren die Seite öffnen",
    openHint: "Wer ein gesperrtes Telefon in der Hand hält, kann dann nicht vom Sperrbildschirm quittieren.",
    floor: "Dringende Alarme erreichen alle rechtzeitig",
    floorHint: "Was immer jemandes eigene Benachrichtigungsregeln sagen.",
    floorWays: "Auf einem dieser Wege",
    floorMinutes: "Innerhalb wie vieler Minuten",
    proof: "Eine Schicht beginnt mit einem Nachweis",
    proofHint:
      "Vorher muss ein Gerät dessen, der Bereitschaft bekommt, einen stillen Push bestätigen, sonst wird der nächste Weg versucht. Kommt nichts, erfahren es, wer vorher Bereitschaft hat, und die Verwalter.",
    proofMinutes: "Wie viele Minuten vorher",
    topics: "Topics von Amazon SNS",
    topicsHint: "Ihre ARNs, eine je Zeile: Abonnements dieser Topics werden bestätigt.",
    save: "Speichern",
    saved: "Die Einstellungen sind gespeichert.",
    remove: "Diesen Arbeitsbereich löschen",
    removeLead:
      "Endgültig und sofort für alle: Niemand kann ihn öffnen, seine API-Schlüssel werden abgewiesen, niemand wird mehr alarmiert. Was darin war, wird in den Stunden danach entfernt. Nichts bringt ihn zurück.",
    removeName: "Zum Löschen den Namen des Arbeitsbereichs eingeben",
    plan: "Tarif und Nutzung",
    events: "Ereignisse in diesem Monat",
    used: (used: number, limit: number) => `${number(used)} von ${number(limit)}`,
    resetAt: "Die Zählung beginnt neu",
    perMinute: "Ereignisse je Minute",
    perMinuteOf: (perMinute: number, burst: number) => `${number(perMinute)}, und ${number(burst)} auf einmal`,
    kept: "Ereignisse bleiben",
    keptFor: (days: number) => `${number(days)} Tage`,
  },
} satisfies Texts;
