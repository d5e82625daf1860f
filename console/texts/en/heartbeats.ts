import type { Catalogue } from "../catalogue.ts";

/** What the heartbeats say. */
export const texts = {
  heartbeats: {
    newHeartbeat: "New heartbeat",
    lead: "A heartbeat is a call that a job or a program makes while it is well. When it does not come in time, the service makes an event by itself.",
    empty: "No heartbeat yet. Make one for a job that must run, such as a backup.",
    name: "Name",
    every: "A call every",
    unit: "Unit",
    units: { seconds: "seconds", minutes: "minutes", hours: "hours", days: "days" },
    grace: "Minutes of grace",
    graceHint: "How much later a call may come before it counts as missed.",
    priority: "Priority",
    save: "Save",
    status: {
      new: "No call yet",
      up: "Calls come",
      late: "Late",
      missed: "Missed",
      paused: "Paused",
    },
    everyOf: (n: string, unit: string) => `every ${n} ${unit}`,
    lastCall: "Last call",
    missedSince: "missed since",
    pause: "Pause",
    resume: "Resume",
    turn: (paused: boolean, name: string) => `${paused ? "Resume" : "Pause"} ${name}`,
    paused: (name: string) => `"${name}" is paused: a call that does not come makes no event.`,
    resumed: (name: string) => `"${name}" is watched again.`,
    made: (name: string) => `The heartbeat "${name}" is made.`,
    saved: (name: string) => `The heartbeat "${name}" is saved.`,
    address: "Address to call",
    once: "Call this address while all is well. It is shown this once; whoever has it can call.",
    newAddress: "New address",
    newAddressQuestion: (name: string) =>
      `Make a new address for "${name}"? Calls to the one it has now count no more.`,
    example: "At the end of a job",
    done: "Done",
    delete: "Delete",
    deleteQuestion: (name: string) => `Delete the heartbeat "${name}"? Its address is called in vain from then on.`,
    deleted: (name: string) => `The heartbeat "${name}" is deleted.`,
  },
};
export type Texts = Catalogue<typeof texts>;
