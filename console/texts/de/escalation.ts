import type { Texts } from "../en/escalation.ts";
import { formatCount as count, formatNumber } from "../numbers.ts";

export const texts = {
  policy: {
    heading: "Eskalationsrichtlinie",
    newPolicy: "Neue Richtlinie",
    empty:
      "Noch keine Richtlinie. Eine Richtlinie legt fest, wer benachrichtigt wird, wenn niemand quittiert: zum Beispiel nach 10 Minuten die ganze Gruppe Platform.",
    step: (minutes: number, who: readonly string[]) =>
      `nach ${minutes} min ${who.length === 0 ? "niemand" : who.join(", ")}`,
    repeats: (times: number) =>
      times === 0 ? "einmal" : times === 1 ? "dann noch einmal" : `dann noch ${formatNumber(times)}-mal`,
    personGone: "ein früheres Mitglied",
    onCallOf: (group: string) => `${group} (Bereitschaft)`,
    name: "Name",
    lineAfter: "nach",
    lineNotify: "min benachrichtigen",
    stepNumber: (n: number) => `Stufe ${n}`,
    delay: "Minuten ohne Quittierung",
    tell: "Benachrichtigen",
    addStep: "Stufe hinzufügen",
    removeStep: "Stufe entfernen",
    removeStepNumber: (n: number) => `Stufe entfernen: ${n}`,
    repeat: "Wiederholungen",
    confirm: "Sekunden, in denen ein Gerät bestätigen muss",
    confirmHint:
      "30 bis 600. Bestätigt in dieser Zeit kein Gerät einen Push, beginnt die nächste Stufe sofort. Leer: Jede Stufe beginnt erst nach ihrer eigenen Wartezeit.",
    ackMinutes: "Gültigkeit einer Quittierung in Minuten",
    ackMinutesHint:
      "5 bis 1440. Kurz vor dem Ablauf fragt der Dienst die Person, die quittiert hat, ob sie noch an dem Ereignis arbeitet. Nach dem Ablauf ist das Ereignis wieder offen, und die nächste Stufe beginnt. Leer: ohne Ablauf.",
    run: "Wenn niemand quittiert",
    after: (minutes: number) => `nach ${minutes} min`,
    ends: "Jede Quittierung beendet die Eskalation.",
    probes: {
      heading: "Probelauf",
      lead: "Die Richtlinie ist bestätigt, wenn in jeder Stufe mindestens eine Person in den letzten acht Tagen den Push eines Probelaufs bestätigt hat.",
      none: "Keine Regel benutzt diese Richtlinie, deshalb prüft kein Probelauf die Richtlinie.",
      step: (n: number, confirmed: number, people: number) =>
        `Stufe ${n}: bestätigt von ${formatNumber(confirmed)} von ${count(people, "Person", "Personen")}`,
    },
    save: "Speichern",
    saved: (name: string) => `Die Richtlinie „${name}“ ist gespeichert.`,
    delete: "Richtlinie löschen",
    deleteQuestion: (name: string, rules: readonly string[]) =>
      rules.length === 0
        ? `Die Richtlinie „${name}“ löschen? Keine Regel benutzt sie. Laufende Eskalationen gehen weiter.`
        : `Die Richtlinie „${name}“ löschen? Diese Regeln eskalieren dann nicht mehr: ${rules.map((rule) => `„${rule}“`).join(", ")}. Laufende Eskalationen gehen weiter.`,
    deleted: (name: string) => `Die Richtlinie „${name}“ ist gelöscht.`,
  },
} satisfies Texts;
