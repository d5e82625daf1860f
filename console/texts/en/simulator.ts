import type { Catalogue, StepOfPolicy } from "../catalogue.ts";
import { formatStep } from "./step.ts";

export const texts = {
  simulator: {
    lead: "Simulate an event to see who would be notified, and when. Nothing is stored and nobody is notified.",
    at: "At",
    atHint: "In your time zone. Leave empty for the current time.",
    title: "Title",
    body: "Text",
    data: "Details",
    dataHint: 'The data of the event as JSON, such as {"attempts": 3}. Leave empty if the event has none.',
    noJson: "Details must be JSON.",
    ofEvent: "The event:",
    another: "Another event",
    run: "Simulate",
    result: "Result",
    when: (time: string) => `On ${time}:`,
    byRule: (rule: string) => `by rule ${rule}`,
    byStep: (policy: string, step: StepOfPolicy) => `by policy ${policy} ${formatStep(step)}`,
    because: {
      delay: "because nobody has acknowledged",
      nobody_reached: "at once, because no earlier recipient can be reached",
      not_confirmed: "because no device has confirmed the push",
    },
    outcomes: {
      pending: "People would be notified.",
      no_match: "No rule would match.",
      no_recipient: "There would be no recipients.",
      delivered: "All recipients would be notified.",
      partial: "Some notifications would fail.",
      all_failed: "All notifications would fail.",
      silenced: "A silence would cover the event.",
      flapping: "The alert would be flapping, so the event would be held back.",
      grouped: "The event would be grouped with another event.",
      shadow: "A shadow would be active.",
      below_threshold: "The rule's threshold would not be reached.",
    },
    nobody: "nobody",
    others: (n: number) => (n === 1 ? "1 other" : `${n} others`),
    silence: (name: string, people: number) =>
      `The silence "${name}" would cover the event: ${people === 1 ? "1 person" : `${people} people`} would not be notified.`,
    story: "Timeline, as long as nobody acknowledges",
    people: "First recipients",
    moreSteps: (n: number) => `and ${n} later ${n === 1 ? "entry" : "entries"}`,
    priority: "Priority",
  },
};
export type Texts = Catalogue<typeof texts>;
