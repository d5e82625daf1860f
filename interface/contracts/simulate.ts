import { HistoryInput } from "../../core/domain/planning/history.ts";
import { SimulationInput } from "../../core/domain/planning/simulation.ts";
import { findCostlyPatternsInJson } from "../../core/domain/rules/matching/index.ts";
import { batch, get, type Operations, query } from "../contract.ts";

export const reads = {
  simulateEvent: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/simulate",
    role: "viewer",
    summary: "Simulate an event",
    description:
      "Says what would happen if nobody acknowledges: whether each rule matches and why, who would be notified by which channels, and which silence would cover the event. Each escalation step has its time and its recipients. A draft rule or policy replaces the saved one with the same `id`, or is added. `at` is by default now, or the time of the event that `eventId` names. Nothing is stored or sent.",
    body: SimulationInput,
    look: findCostlyPatternsInJson,
    answers: { 200: { shape: "Simulation", description: "What would happen." } },
    access: { table: [get, batch, query] },
  },
  simulateHistory: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/simulate/history",
    role: "viewer",
    summary: "Simulate rules and schedules on past events",
    description:
      "Runs draft rules, or drafts of who is on call (`onCall`), over the stored events of the last `days`, at most the last 10,000, and counts the events and people that differ from the saved configuration, with examples. Each event is evaluated at its own time, with the people, schedules and silences of today. A call stops after 2,000 read units or 5 seconds; `next` is then the `before` of the next call.",
    body: HistoryInput,
    look: findCostlyPatternsInJson,
    answers: { 200: { shape: "History", description: "The difference." } },
    access: { table: [get, batch, query] },
  },
} as const satisfies Operations;
