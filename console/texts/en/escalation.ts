import type { Catalogue } from "../catalogue.ts";
import { formatCount as count, formatNumber } from "../numbers.ts";

export const texts = {
  policy: {
    heading: "Escalation policy",
    newPolicy: "New policy",
    empty:
      "No policies yet. A policy defines who is notified next if nobody acknowledges: for example, all of Platform after 10 minutes.",
    step: (minutes: number, who: readonly string[]) =>
      `after ${minutes} min ${who.length === 0 ? "nobody" : who.join(", ")}`,
    repeats: (times: number) =>
      times === 0 ? "once" : times === 1 ? "then once more" : `then ${formatNumber(times)} more times`,
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
    confirm: "Seconds in which a device must confirm",
    confirmHint:
      "30 to 600. If no device confirms a push within this time, the next step begins at once. Leave empty to begin each step only after its own delay.",
    ackMinutes: "Acknowledgement timeout in minutes",
    ackMinutesHint:
      "5 to 1440. Shortly before the timeout, the acknowledger is asked whether they are still working on the event. At the timeout, the event opens again and the next step begins. Leave empty for no timeout.",
    run: "If nobody acknowledges",
    after: (minutes: number) => `after ${minutes} min`,
    ends: "Any acknowledgement ends the escalation.",
    probes: {
      heading: "Probe",
      lead: "The policy is confirmed if at least one person of each step has confirmed the push of a probe in the last eight days.",
      none: "No rule uses this policy, so no probe tests the policy.",
      step: (n: number, confirmed: number, people: number) =>
        `Step ${n}: confirmed by ${formatNumber(confirmed)} of ${count(people, "person", "people")}`,
    },
    save: "Save",
    saved: (name: string) => `Policy "${name}" saved.`,
    delete: "Delete policy",
    deleteQuestion: (name: string, rules: readonly string[]) =>
      rules.length === 0
        ? `Delete the policy "${name}"? No rule uses it. Running escalations continue.`
        : `Delete the policy "${name}"? These rules will no longer escalate: ${rules.map((rule) => `"${rule}"`).join(", ")}. Running escalations continue.`,
    deleted: (name: string) => `Policy "${name}" deleted.`,
  },
};
export type Texts = Catalogue<typeof texts>;
