import type { Texts } from "../en/notification-rules.ts";

export const texts = {
  notificationRules: {
    of: (name: string) => `Wie es bei ${name} klingelt`,
    rings: (minutes: number, ways: string) => (minutes === 0 ? `sofort: ${ways}` : `nach ${minutes} min: ${ways}`),
    noQuiet: "Keine.",
    quietAt: (days: string, from: string, to: string, zone: string) => `${days}, ${from} bis ${to} (${zone})`,
    lead: "Auf welchen Ihrer Wege es bei Ihnen klingelt, und wann. Ohne jede Stufe klingeln alle Geräte sofort.",
    priorities: { URGENT: "Dringend", HIGH: "Hoch", NORMAL: "Normal", LOW: "Niedrig" },
    everything: "Alle Geräte sofort.",
    rung: (priority: string, number: number) => `${priority}, Stufe ${number}`,
    after: (priority: string, number: number) => `Minuten bis Stufe ${number} (${priority})`,
    add: (priority: string) => `Stufe hinzufügen: ${priority}`,
    remove: (priority: string, number: number) => `Stufe ${number} entfernen (${priority})`,
    quiet: "Ruhezeiten",
    quietHint: "Was in ihnen kommt, klingelt, wenn sie enden. Dringendes wartet nie.",
    holdBelow: "Was wartet",
    held: {
      NORMAL: "Niedrig",
      HIGH: "Niedrig und normal",
      URGENT: "Niedrig, normal und hoch",
    },
    floor: (ways: string, minutes: number) =>
      `Ihr Arbeitsbereich verlangt, dass dringende Alarme Sie innerhalb von ${minutes} min per ${ways} erreichen. Wo Ihre Stufen das nicht tun, kommt es hinzu.`,
    save: "Regeln speichern",
    saved: "Ihre Benachrichtigungsregeln sind gespeichert.",
  },
} satisfies Texts;
