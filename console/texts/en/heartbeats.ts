import type { Catalogue } from "../catalogue.ts";

/** The texts of heartbeats. */
export const texts = {
  heartbeats: {
    newHeartbeat: "New heartbeat",
    lead: "A heartbeat is a call that a job or program makes while it works. If the call does not come in time, the service creates an event.",
    empty: "No heartbeats yet. Create one for a job that must run, such as a backup.",
    name: "Name",
    every: "A call every",
    unit: "Unit",
    units: { seconds: "seconds", minutes: "minutes", hours: "hours", days: "days" },
    grace: "Grace period in minutes",
    graceHint: "How much later a call may come before it counts as missed.",
    priority: "Priority",
    save: "Save",
    status: {
      new: "No call yet",
      up: "Up",
      late: "Late",
      missed: "Missed",
      paused: "Paused",
    },
    everyOne: { seconds: "every second", minutes: "every minute", hours: "every hour", days: "every day" },
    everyOf: (n: string, unit: string) => `every ${n} ${unit}`,
    lastCall: "Last call",
    missedSince: "missed since",
    pause: "Pause",
    resume: "Resume",
    turn: (paused: boolean, name: string) => `${paused ? "Resume" : "Pause"} ${name}`,
    paused: (name: string) => `"${name}" is paused: a missed call creates no event.`,
    resumed: (name: string) => `"${name}" resumed.`,
    made: (name: string) => `Heartbeat "${name}" created.`,
    saved: (name: string) => `Heartbeat "${name}" saved.`,
    address: "URL to call",
    once: "Let your job call this URL while it works. The URL is shown only once, and anybody who has it can call it.",
    newAddress: "New URL",
    newAddressQuestion: (name: string) =>
      `Create a new URL for "${name}"? Calls to the current URL will have no effect.`,
    example: "At the end of a job",
    done: "Done",
    delete: "Delete",
    deleteQuestion: (name: string) => `Delete the heartbeat "${name}"? Calls to its URL will have no effect.`,
    deleted: (name: string) => `Heartbeat "${name}" deleted.`,
  },
};
export type Texts = Catalogue<typeof texts>;
