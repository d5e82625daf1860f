import type { Texts } from "../en/silences.ts";
import { formatNumber } from "../numbers.ts";

export const texts = {
  silence: {
    heading: "Stummschaltung",
    newSilence: "Neue Stummschaltung",
    empty:
      "Keine Stummschaltungen. Legen Sie eine für eine Wartung an: Ereignisse gehen ein, aber niemand wird benachrichtigt.",
    everyWeek: (days: readonly string[], from: string, to: string, zone: string) =>
      `${days.join(", ")} ${from} bis ${to}, ${zone}`,
    active: (until: string | undefined) => (until === undefined ? "Aktiv" : `Aktiv bis ${until}`),
    idle: (from: string | undefined) => (from === undefined ? "Beendet" : `Aktiv ab ${from}`),
    when: "Wann",
    once: "Einmal",
    weekly: "Jede Woche",
    starts: "Beginnt",
    ends: "Endet",
    endsHint: "Leer: jede Woche ohne Ende.",
    includeUrgent: "Dringende Ereignisse einschließen",
    includeUrgentHint: "Ist dies ausgeschaltet, wird über dringende Ereignisse weiter benachrichtigt.",
    save: "Speichern",
    everything: "Alle Ereignisse",
    everythingHint:
      "Nur dringende Ereignisse benachrichtigen noch jemanden. Um weniger Ereignisse stummzuschalten, geben Sie oben einen Ereignisschlüssel oder Bedingungen an.",
    tells: "Am Ende der Stummschaltung benachrichtigen",
    tellsHint: "Benachrichtigt wird über Ereignisse der letzten 24 Stunden, die noch quittiert werden müssen.",
    saved: (name: string, { events, of }: { events: number; of: number }) =>
      `Die Stummschaltung „${name}“ ist gespeichert. Von ${of === 1 ? "dem letzten Ereignis" : `den letzten ${formatNumber(of)} Ereignissen`} (höchstens eine Woche alt) hätte die Stummschaltung ${events} erfasst.`,
    delete: "Stummschaltung löschen",
    deleteQuestion: (name: string) =>
      `Die Stummschaltung „${name}“ löschen? Über neue Ereignisse wird sofort wieder benachrichtigt, über zurückgehaltene innerhalb einer Minute.`,
    deleted: (name: string) => `Die Stummschaltung „${name}“ ist gelöscht.`,
  },
} satisfies Texts;
