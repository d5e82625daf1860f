import type { Catalogue } from "../catalogue.ts";

/** What the notification rules of a person say. */
export const texts = {
  notificationRules: {
    of: (name: string) => `How ${name} is rung`,
    rings: (minutes: number, ways: string) => (minutes === 0 ? `at once: ${ways}` : `after ${minutes} min: ${ways}`),
    noQuiet: "None.",
    quietAt: (days: string, from: string, to: string, zone: string) => `${days}, ${from} to ${to} (${zone})`,
    lead: "By which of your ways you are rung, and when. Without any rung, every device rings at once.",
    priorities: { URGENT: "Urgent", HIGH: "High", NORMAL: "Normal", LOW: "Low" },
    everything: "Every device at once.",
    rung: (priority: string, number: number) => `${priority}, rung ${number}`,
    after: (priority: string, number: number) => `Minutes until rung ${number} (${priority})`,
    add: (priority: string) => `Add a rung: ${priority}`,
    remove: (priority: string, number: number) => `Remove rung ${number} (${priority})`,
    quiet: "Quiet hours",
    quietHint: "What comes in them rings when they end. Urgent never waits.",
    holdBelow: "What waits",
    held: {
      NORMAL: "Low",
      HIGH: "Low and normal",
      URGENT: "Low, normal and high",
    },
    floor: (ways: string, minutes: number) =>
      `Your workspace asks that urgent alerts reach you by ${ways} within ${minutes} min. Where your rungs do not, that is added.`,
    save: "Save the rules",
    saved: "Your notification rules are saved.",
  },
};
export type Texts = Catalogue<typeof texts>;
