import type { Texts } from "../en/import.ts";
import { formatCount as count } from "../numbers.ts";
import { translateImported } from "../importer/de.ts";

/** Maps the importers' English names of items to German. */
const ITEMS: Readonly<Record<string, string>> = {
  users: "Personen",
  teams: "Teams",
  schedules: "Dienstpläne",
  overrides: "Vertretungen",
  "contact methods": "Kontaktwege",
  "notification steps": "Benachrichtigungsschritte",
  escalations: "Eskalationen",
  "escalation policies": "Eskalationsrichtlinien",
  "escalation chains": "Eskalationsketten",
  services: "Dienste",
  integrations: "Integrationen",
  routes: "Routen",
  "routing rules": "Weiterleitungsregeln",
  policies: "Richtlinien",
  actions: "Aktionen",
  heartbeats: "Lebenszeichen",
  others: "Andere",
  rulesets: "Regelsätze",
  "orchestration paths": "Orchestrierungspfade",
  "orchestration rules": "Orchestrierungsregeln",
};

export const texts: Texts = {
  import: {
    lead: "Von Opsgenie, PagerDuty oder Grafana OnCall umziehen: Lesen Sie einen Export, prüfen Sie das Ergebnis, und wenden Sie es auf diesen Arbeitsbereich an. Der Export bleibt in diesem Browser.",
    service: "Dienst",
    files: "Dateien",
    filesHint: "Die .json-Dateien und .ics-Kalender des Exports. Zip-Dateien vorher entpacken.",
    folder: "Ordner",
    folderHint:
      "Statt einzelner Dateien können Sie einen ganzen Ordner wählen, etwa eine Konfigurationssicherung von Opsgenie.",
    read: "Export lesen",
    noFiles: "Wählen Sie die Dateien des Exports oder seinen Ordner.",
    report: "Bericht",
    counts: "Was der Export enthält",
    columns: ["Art", "Im Export", "Übernommen", "Mit Abweichung", "Nicht übernommen"],
    itemsOf: (kind) => ITEMS[kind] ?? kind,
    kinds: {
      warning: "Zuerst lesen",
      missing: "Fehlt im Export",
      left: "Nicht übernommen",
      different: "Mit Abweichung übernommen",
      taken: "Übernommen",
    },
    kindOf: (kind, n) => `${kind} (${n})`,
    remark: translateImported,
    downloads: {
      report: "Bericht",
      people: "Personen",
      contacts: "Kontakte",
      setUp: "Einrichtungsdatei",
      keys: "Schlüssel",
    },
    download: (what) => `Herunterladen: ${what}`,
    setUp: "Einrichtungsdatei",
    setUpHint:
      "Sie können die Datei vor dem Anwenden bearbeiten. Jede Person muss Mitglied sein oder im Abschnitt „people“ den Eintrag „invite: true“ haben.",
    preview: "Plan anzeigen",
    plan: "Plan",
    leftOut: "Nicht angewendet",
    apply: "Anwenden",
    applying: (done, of) => `${done} von ${count(of, "Schritt", "Schritten")}`,
    applied: "Einrichtungsdatei angewendet.",
    result: "Ergebnis",
    keysHint:
      "Die neuen API-Schlüssel. Sie werden nur einmal angezeigt: Laden Sie die Schlüssel herunter, bevor Sie diese Seite verlassen.",
  },
};
