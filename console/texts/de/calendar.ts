import type { Texts } from "../en/calendar.ts";

export const texts = {
  calendar: {
    add: "In den Kalender",
    addGroup: (group: string) => `In den Kalender: die Schichten von ${group}`,
    once: "Das ist die URL des Kalenders. Sie wird nur einmal angezeigt, und wer sie kennt, kann die Schichten lesen. Frühere URLs gelten nicht mehr.",
    address: "Kalender-URL",
    open: "In einem Kalenderprogramm öffnen",
    close: "Kalenderfeed schließen",
    closeQuestion: "Den Kalenderfeed schließen? Programme, die ihn abonniert haben, zeigen keine Schichten mehr.",
    closed: "Der Kalenderfeed ist geschlossen.",
  },
} satisfies Texts;
