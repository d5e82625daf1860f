import type { Texts } from "../en/silences.ts";

export const texts = {
  silence: {
    heading: "Stummschaltung",
    newSilence: "Neue Stummschaltung",
    empty: "Keine Stummschaltung. Legen Sie eine für eine Wartung an: Ereignisse gehen dann ein und wecken niemanden.",
    everyWeek: (days: readonly string[], from: string, to: string, zone: string) =>
      `${days.join(", ")} ${from} bis ${to}, ${zone}`,
    active: (until: string | undefined) => (until === undefined ? "In Kraft" : `In Kraft bis ${until}`),
    idle: (from: string | undefined) => (from === undefined ? "Vorbei" : `In Kraft ab ${from}`),
    when: "Wann",
    once: "Einmal",
    weekly: "Jede Woche",
    starts: "Beginnt",
    ends: "Endet",
    endsHint: "Leer: Sie geht Woche für Woche weiter.",
    includeUrgent: "Auch dringende Ereignisse",
    includeUrgentHint: "Sonst weckt Dringendes trotzdem.",
    save: "Speichern",
    everything: "Über alle Ereignisse",
    everythingHint:
      "Nichts weckt dann jemanden, was nicht dringend ist. Sonst nennen Sie oben einen Ereignisschlüssel oder Bedingungen.",
    tells: "Am Ende benachrichtigen",
    tellsHint: "Über das, was am letzten Tag einging, noch quittiert werden muss und es nicht ist.",
    saved: (name: string, { events, of }: { events: number; of: number }) =>
      `Die Stummschaltung „${name}“ ist gespeichert. Von den letzten ${of} Ereignissen, höchstens eine Woche alt, hätte sie ${events} erfasst.`,
    delete: "Stummschaltung löschen",
    deleteQuestion: (name: string) =>
      `Die Stummschaltung „${name}“ löschen? Was sie erfasst, weckt von da an wieder, und was sie zurückhielt, innerhalb einer Minute.`,
    deleted: (name: string) => `Die Stummschaltung „${name}“ ist gelöscht.`,
  },
} satisfies Texts;
