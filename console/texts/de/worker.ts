import type { Worker } from "../en/worker.ts";

export const worker = {
  product: "Event Alerting",
  acknowledge: "Quittieren",
  again: "Erneut versuchen",
  unsent: "Noch nicht quittiert",
  unsentBody: "Es konnte nicht gesendet werden. Es ist gespeichert und wird gesendet, sobald es geht.",
} satisfies Worker;
