import type { Catalogue } from "../catalogue.ts";

/** What a simulated event leads to, and what is asked for it. */
export const texts = {
  whatIf: {
    lead: "What would an event lead to, and when? Nothing is stored, and nobody is told.",
    at: "At",
    atHint: "Your time. Empty: now.",
    title: "Title",
    body: "Text",
    data: "Details",
    dataHint: 'As the sender has them in data, in JSON, such as {"attempts": 3}. Empty: none.',
    noJson: "Details must be JSON.",
    ofEvent: "The event:",
    another: "Another event",
    run: "Show what would happen",
    result: "What would happen",
    when: (time: string) => `On ${time}:`,
    byRule: (rule: string) => `by rule ${rule}`,
    byStep: (policy: string, step: number, steps: number, round: number) =>
      `by step ${step} of ${steps}${round > 1 ? `, round ${round},` : ""} of ${policy}`,
    because: {
      delay: "as nobody has acknowledged",
      nobody_reached: "at once, as nobody can be reached before",
      not_confirmed: "as no device has confirmed",
    },
    outcomes: {
      pending: "It would be told.",
      no_match: "No rule would match.",
      no_recipient: "There would be nobody to tell.",
      delivered: "Everybody would be told.",
      partial: "Some could not be told.",
      all_failed: "Nobody could be told.",
      silenced: "A silence would keep it still.",
      flapping: "It would be held, because its alert flaps.",
      grouped: "Another event of its group would have rung.",
      below_threshold: "Too few would have come for it to ring.",
    },
    nobody: "nobody",
    others: (n: number) => (n === 1 ? "1 other" : `${n} others`),
    silence: (name: string, people: number) =>
      `The silence "${name}" would keep it still: ${people === 1 ? "1 person" : `${people} people`} would not be told.`,
    story: "As long as nobody acknowledges",
    people: "Who is told first, and when",
    moreSteps: (n: number) => `and ${n} later ${n === 1 ? "time" : "times"}`,
    priority: "Priority",
  },
};
export type Texts = Catalogue<typeof texts>;
