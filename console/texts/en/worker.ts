import type { Catalogue } from "../catalogue.ts";

/** Texts of notifications that are not in the push. */
export const worker = {
  product: "Event Alerting",
  acknowledge: "Acknowledge",
  again: "Try again",
  unsent: "Not acknowledged yet",
  unsentBody: "The acknowledgement could not be sent. The console keeps trying.",
};
export type Worker = Catalogue<typeof worker>;
