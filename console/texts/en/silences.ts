import type { Catalogue } from "../catalogue.ts";

/** What the silences say. */
export const texts = {
  silence: {
    heading: "Silence",
    newSilence: "New silence",
    empty: "No silence. Make one for a maintenance: events come in and wake nobody.",
    everyWeek: (days: readonly string[], from: string, to: string, zone: string) =>
      `${days.join(", ")} ${from} to ${to}, ${zone}`,
    active: (until: string | undefined) => (until === undefined ? "In force" : `In force until ${until}`),
    idle: (from: string | undefined) => (from === undefined ? "Over" : `In force from ${from}`),
    when: "When",
    once: "Once",
    weekly: "Every week",
    starts: "Starts",
    ends: "Ends",
    endsHint: "Empty: it goes on week by week.",
    includeUrgent: "Urgent events, too",
    includeUrgentHint: "Otherwise what is urgent wakes people all the same.",
    save: "Save",
    everything: "Over every event",
    everythingHint: "Nobody is woken by anything that is not urgent. Otherwise name an event key or conditions above.",
    tells: "Tell people when it ends",
    tellsHint: "Of what came in the last day, still asks for an acknowledgement and has none.",
    saved: (name: string, { events, of }: { events: number; of: number }) =>
      `The silence "${name}" is saved. Of the last ${of} events, at most a week old, it would have covered ${events}.`,
    delete: "Delete silence",
    deleteQuestion: (name: string) =>
      `Delete the silence "${name}"? What it covers wakes people again from then on, and what it held back within a minute.`,
    deleted: (name: string) => `The silence "${name}" is deleted.`,
  },
};
export type Texts = Catalogue<typeof texts>;
