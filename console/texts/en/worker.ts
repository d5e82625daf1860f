import type { Catalogue } from "../catalogue.ts";

/** The texts of notifications that the push does not contain. */
export const worker = {
  product: "Event Alerting",
  acknowledge: "Acknowledge",
  again: "Try again",
  unsent: "Not acknowledged yet",
  unsentBody: "The acknowledgement could not be sent. The console keeps trying.",
};
export type Worker = Catalogue<typeof worker>;
