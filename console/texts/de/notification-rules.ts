import type { Texts } from "../en/notification-rules.ts";

export const texts = {
  notificationRules: {
    of: (name: string) => `Wie ${name} benachrichtigt wird`,
    rings: (minutes: number, channels: string) =>
      minutes === 0 ? `sofort: ${channels}` : `nach ${minutes} min: ${channels}`,
    noQuiet: "Keine.",
    quietAt: (days: string, from: string, to: string, zone: string) => `${days}, ${from} bis ${to} (${zone})`,
    lead: "Wie Sie benachrichtigt werden, und wann. Ohne Stufen werden alle Geräte sofort benachrichtigt.",
    priorities: { URGENT: "Dringend", HIGH: "Hoch", NORMAL: "Normal", LOW: "Niedrig" },
    lineAfter: "nach",
    lineMinutes: "min",
    everything: "Alle Geräte sofort.",
    rung: (priority: string, number: number) => `${priority}, Stufe ${number}`,
    after: (priority: string, number: number) => `Minuten bis Stufe ${number} (${priority})`,
    add: (priority: string) => `Stufe hinzufügen: ${priority}`,
    remove: (priority: string, number: number) => `Stufe ${number} entfernen (${priority})`,
    quiet: "Ruhezeiten",
    quietHint: "Alarme in den Ruhezeiten werden an deren Ende zugestellt. Dringende Alarme warten nie.",
    holdBelow: "Prioritäten, die warten",
    held: {
      NORMAL: "Niedrig",
      HIGH: "Niedrig und normal",
      URGENT: "Niedrig, normal und hoch",
    },
    floor: (channels: string, minutes: number) =>
      `Ihr Arbeitsbereich verlangt, dass dringende Alarme Sie innerhalb von ${minutes} min per ${channels} erreichen. Leisten Ihre Stufen das nicht, wird eine Stufe ergänzt.`,
    save: "Stufen speichern",
    saved: "Ihre Stufen sind gespeichert.",
  },
} satisfies Texts;
