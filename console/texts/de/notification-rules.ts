import type { Texts } from "../en/notification-rules.ts";

export const texts = {
  notificationRules: {
    of: (name: string) => `Wie ${name} benachrichtigt wird`,
    rings: (minutes: number, channels: string) =>
      minutes === 0 ? `sofort: ${channels}` : `nach ${minutes} min: ${channels}`,
    noQuiet: "Keine.",
    quietAt: (days: string, from: string, to: string, zone: string) => `${days}, ${from} bis ${to} (${zone})`,
    lead: "Diese Schritte legen fest, wie und wann Sie benachrichtigt werden. Ohne Schritte werden alle Geräte sofort benachrichtigt.",
    priorities: { URGENT: "Dringend", HIGH: "Hoch", NORMAL: "Normal", LOW: "Niedrig" },
    lineAfter: "nach",
    lineMinutes: "min",
    example: (time: string, notified: string) => `Alarm in der Nacht (${time}): ${notified}`,
    everything: "Alle Geräte sofort.",
    rung: (priority: string, number: number) => `${priority}, Schritt ${number}`,
    after: (priority: string, number: number) => `Minuten bis Schritt ${number} (${priority})`,
    add: (priority: string) => `Schritt hinzufügen: ${priority}`,
    remove: (priority: string, number: number) => `Schritt ${number} entfernen (${priority})`,
    quiet: "Ruhezeiten",
    quietHint:
      "Über Alarme, die in den Ruhezeiten eingehen, werden Sie am Ende der Ruhezeiten benachrichtigt. Dringende Alarme warten nie.",
    holdBelow: "Prioritäten, die warten",
    held: {
      NORMAL: "Niedrig",
      HIGH: "Niedrig und normal",
      URGENT: "Niedrig, normal und hoch",
    },
    floor: (channels: string, minutes: number) =>
      `Ihr Arbeitsbereich verlangt, dass dringende Alarme Sie innerhalb von ${minutes} min per ${channels} erreichen. Leisten Ihre Schritte das nicht, ergänzt der Dienst einen Schritt.`,
    save: "Benachrichtigungsschritte speichern",
    saved: "Ihre Benachrichtigungsschritte sind gespeichert.",
  },
} satisfies Texts;
