import type { Texts } from "../en/settings.ts";
import { formatCount as count, formatNumber } from "../numbers.ts";

export const texts = {
  settings: {
    setUp: "Einrichtungsdatei",
    setUpLead:
      "Die Datei nennt Personen, Gruppen, Dienstpläne, Richtlinien, Regeln, Schlüssel, Stummschaltungen, Webhooks und Verbindungen, ohne Geheimnisse. Bewahren Sie die Datei in einem Repository auf, vergleichen Sie Versionen, und wenden Sie die Datei auf diesen oder einen anderen Arbeitsbereich an.",
    export: "Exportieren",
    setUpToken: "Setzen Sie die Umgebungsvariable SESSION_TOKEN auf Ihr Zugangstoken.",
    name: "Name des Arbeitsbereichs",
    limited: "Grenze für Alarme je Person",
    limitedHint:
      "Alarme über dieser Grenze werden ohne Ton in einer Benachrichtigung zusammengefasst. Bei höherer Priorität wird trotzdem alarmiert.",
    loud: "Alarme je Person in zehn Minuten",
    open: "Nur auf der Ereignisseite quittieren",
    openHint: "Alarme lassen sich nicht vom Sperrbildschirm eines Telefons quittieren.",
    floor: "Pflichtkanäle für dringende Alarme",
    floorHint: "Gilt auch, wenn jemandes Benachrichtigungsschritte etwas anderes festlegen.",
    floorWays: "Mindestens einer dieser Kanäle",
    floorMinutes: "Frist in Minuten",
    proof: "Erreichbarkeit vor Schichten prüfen",
    proofHint:
      "Vor einer Schicht muss ein Gerät der Person, deren Schicht beginnt, einen stillen Push bestätigen; sonst wird der nächste Kanal versucht. Bestätigt kein Gerät, werden die Verwalter und die Person benachrichtigt, die vor der Schicht Bereitschaft hat.",
    proofMinutes: "Minuten vor der Schicht",
    pay: "Vergütung der Bereitschaft",
    payHint:
      "Sätze in Cent: 1250 bedeutet 12,50 in Ihrer Währung. Die Seite „Belastung“ zeigt dann die Vergütung, nur für Eigentümer.",
    cents: "Cent je Stunde und je Alarm in der Nacht",
    paid: {
      weekday: "Stunde an Werktagen (Cent)",
      night: "Stunde in der Nacht (Cent)",
      weekend: "Stunde am Wochenende (Cent)",
      holiday: "Stunde an Feiertagen (Cent)",
      nightPage: "Alarm in der Nacht (Cent)",
    },
    topics: "Topics von Amazon SNS",
    topicsHint: "Eine ARN je Zeile. Abonnements dieser Topics werden automatisch bestätigt.",
    save: "Speichern",
    saved: "Die Einstellungen sind gespeichert.",
    remove: "Diesen Arbeitsbereich löschen",
    removeLead:
      "Das Löschen gilt sofort für alle: Niemand kann den Arbeitsbereich öffnen, seine API-Schlüssel werden abgewiesen, niemand wird mehr benachrichtigt. Das lässt sich nicht rückgängig machen. Die Daten werden innerhalb von Stunden gelöscht.",
    removeName: "Zum Löschen den Namen des Arbeitsbereichs eingeben",
    plan: "Tarif und Nutzung",
    events: "Ereignisse in diesem Monat",
    used: (used: number, limit: number) => `${formatNumber(used)} von ${formatNumber(limit)}`,
    resetAt: "Neue Zählung",
    perMinute: "Ereignisse je Minute",
    perMinuteOf: (perMinute: number, burst: number) =>
      `${formatNumber(perMinute)}, kurzzeitig ${formatNumber(burst)} auf einmal`,
    kept: "Aufbewahrung",
    keptFor: (days: number) => count(days, "Tag", "Tage"),
  },
} satisfies Texts;
