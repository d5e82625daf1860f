import type { Worker } from "../en/worker.ts";

export const worker = {
  product: "Event Alerting",
  acknowledge: "Quittieren",
  again: "Erneut versuchen",
  unsent: "Noch nicht quittiert",
  unsentBody: "Die Quittierung konnte nicht gesendet werden. Die Konsole versucht es weiter.",
} satisfies Worker;
