import type { Catalogue } from "../catalogue.ts";

/** Texts of notifications that a push does not contain. */
export const worker = {
  product: "Event Alerting",
  acknowledge: "Acknowledge",
  again: "Try again",
  unsent: "Not acknowledged yet",
  unsentBody: "The acknowledgement could not be sent. The console keeps trying.",
};
export type Worker = Catalogue<typeof worker>;
