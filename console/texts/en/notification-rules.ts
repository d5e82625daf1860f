import type { Catalogue } from "../catalogue.ts";

export const texts = {
  notificationRules: {
    of: (name: string) => `How ${name} is notified`,
    rings: (minutes: number, channels: string) =>
      minutes === 0 ? `at once: ${channels}` : `after ${minutes} min: ${channels}`,
    noQuiet: "None.",
    quietAt: (days: string, from: string, to: string, zone: string) => `${days}, ${from} to ${to} (${zone})`,
    lead: "These steps decide how and when you are notified. Without steps, every device is notified at once.",
    priorities: { URGENT: "Urgent", HIGH: "High", NORMAL: "Normal", LOW: "Low" },
    lineAfter: "after",
    lineMinutes: "min",
    example: (time: string, notified: string) => `Alert at night (${time}): ${notified}`,
    everything: "Every device at once.",
    rung: (priority: string, number: number) => `${priority}, step ${number}`,
    after: (priority: string, number: number) => `Minutes until step ${number} (${priority})`,
    add: (priority: string) => `Add a step: ${priority}`,
    remove: (priority: string, number: number) => `Remove step ${number} (${priority})`,
    quiet: "Quiet hours",
    quietHint: "Alerts that arrive in quiet hours notify you when the quiet hours end. Urgent alerts never wait.",
    holdBelow: "Priorities that wait",
    held: {
      NORMAL: "Low",
      HIGH: "Low and normal",
      URGENT: "Low, normal and high",
    },
    floor: (channels: string, minutes: number) =>
      `Your workspace requires that urgent alerts reach you by ${channels} within ${minutes} min. If your steps do not do this, the service adds a step.`,
    save: "Save notification steps",
    saved: "Notification steps saved.",
  },
};
export type Texts = Catalogue<typeof texts>;
