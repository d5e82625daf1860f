import type { Catalogue } from "../catalogue.ts";
import { formatCount as count } from "../numbers.ts";

export const texts = {
  silence: {
    heading: "Silence",
    newSilence: "New silence",
    empty: "No silences. Create one for maintenance: events are received, but nobody is notified.",
    everyWeek: (days: readonly string[], from: string, to: string, zone: string) =>
      `${days.join(", ")} ${from} to ${to}, ${zone}`,
    active: (until: string | undefined) => (until === undefined ? "Active" : `Active until ${until}`),
    idle: (from: string | undefined) => (from === undefined ? "Ended" : `Active from ${from}`),
    when: "When",
    once: "Once",
    weekly: "Every week",
    starts: "Starts",
    ends: "Ends",
    endsHint: "Leave empty to repeat every week without end.",
    includeUrgent: "Include urgent events",
    includeUrgentHint: "If this is off, urgent events still notify people.",
    save: "Save",
    everything: "All events",
    everythingHint:
      "Only urgent events still notify people. To silence fewer events, enter an event key or conditions above.",
    tells: "Notify people when the silence ends",
    tellsHint: "People are notified of events of the last 24 hours that still need an acknowledgement.",
    saved: (name: string, { events, of }: { events: number; of: number }) =>
      `Silence "${name}" saved. Of the last ${count(of, "event", "events")} (at most a week old), the silence would have covered ${events}.`,
    delete: "Delete silence",
    deleteQuestion: (name: string) =>
      `Delete the silence "${name}"? New events notify people again at once. Events that the silence held back notify people within a minute.`,
    deleted: (name: string) => `Silence "${name}" deleted.`,
  },
};
export type Texts = Catalogue<typeof texts>;
