import type { Catalogue } from "../catalogue.ts";
import { formatCount as count } from "../numbers.ts";

/** The texts of escalation policies. */
export const texts = {
  policy: {
    heading: "Escalation policy",
    newPolicy: "New policy",
    empty:
      "No policies yet. A policy defines who is notified next when nobody acknowledges, such as all of Platform after 10 minutes.",
    step: (minutes: number, who: readonly string[]) =>
      `after ${minutes} min ${who.length === 0 ? "nobody" : who.join(", ")}`,
    repeats: (times: number) => (times === 0 ? "once" : `then again, ${count(times, "time", "times")}`),
    personGone: "a former member",
    onCallOf: (group: string) => `${group} (on call)`,
    name: "Name",
    lineAfter: "after",
    lineNotify: "min notify",
    stepNumber: (n: number) => `Step ${n}`,
    delay: "Minutes without an acknowledgement",
    tell: "Notify",
    addStep: "Add step",
    removeStep: "Remove step",
    removeStepNumber: (n: number) => `Remove step ${n}`,
    repeat: "Repeats",
    confirm: "Seconds for a device to confirm",
    confirmHint:
      "30 to 600. If no device has confirmed a push by then, the next step is notified at once. Leave empty to wait.",
    ackMinutes: "Acknowledgement timeout in minutes",
    ackMinutesHint:
      "5 to 1440. The acknowledger is asked shortly before; then the event opens again and the next step is notified. Leave empty for no limit.",
    run: "If nobody acknowledges",
    after: (minutes: number) => `after ${minutes} min`,
    ends: "Any acknowledgement ends the escalation.",
    save: "Save",
    saved: (name: string) => `Policy "${name}" saved.`,
    delete: "Delete policy",
    deleteQuestion: (name: string, rules: readonly string[]) =>
      rules.length === 0
        ? `Delete the policy "${name}"? No rule uses it. Running escalations continue.`
        : `Delete the policy "${name}"? It is in use: ${rules.join(", ")} would no longer escalate. Running escalations continue.`,
    deleted: (name: string) => `Policy "${name}" deleted.`,
  },
};
export type Texts = Catalogue<typeof texts>;
