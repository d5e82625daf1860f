import type { Catalogue } from "../catalogue.ts";
import { counted as count } from "../numbers.ts";

/** What the escalation policies say. */
export const texts = {
  policy: {
    heading: "Escalation policy",
    newPolicy: "New policy",
    empty: "No policy yet. A policy says who is told next when nobody acknowledges.",
    step: (minutes: number, who: readonly string[]) =>
      `after ${minutes} min ${who.length === 0 ? "nobody" : who.join(", ")}`,
    repeats: (times: number) => (times === 0 ? "once" : `then again, ${count(times, "time", "times")}`),
    personGone: "somebody who left",
    onCallOf: (group: string) => `${group}, who is on call`,
    name: "Name",
    stepNumber: (n: number) => `Step ${n}`,
    delay: "Minutes without an acknowledgement",
    tell: "Tell",
    addStep: "Add step",
    removeStep: "Remove step",
    removeStepNumber: (n: number) => `Remove step ${n}`,
    repeat: "How often it begins again",
    confirm: "Seconds for a device to confirm",
    confirmHint:
      "30 to 600. When by then no device has confirmed a push, the next step does not wait. Empty: it waits.",
    ackMinutes: "Minutes that an acknowledgement holds",
    ackMinutesHint:
      "5 to 1440. Shortly before, whoever acknowledged is asked; then the event is open again and the next step fires. Empty: it holds for good.",
    run: "If nobody acknowledges",
    after: (minutes: number) => `after ${minutes} min`,
    ends: "Any acknowledgement ends it.",
    save: "Save",
    saved: (name: string) => `The policy "${name}" is saved.`,
    delete: "Delete policy",
    deleteQuestion: (name: string, rules: readonly string[]) =>
      rules.length === 0
        ? `Delete the policy "${name}"? No rule uses it; what is under way goes on.`
        : `Delete the policy "${name}"? It is in use: ${rules.join(", ")} would not escalate any more. What is under way goes on.`,
    deleted: (name: string) => `The policy "${name}" is deleted.`,
  },
};
export type Texts = Catalogue<typeof texts>;
