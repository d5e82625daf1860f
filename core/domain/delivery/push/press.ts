import * as v from "valibot";
import { callKeys } from "./call.ts";

/* The result of a call: the flow passes each pressed key to a function, and speaks its answer. */

/** A pressed key, as Amazon Connect passes it on: in the flow's parameters, with those that the call began with. */
export const PressEvent = v.object({
  Name: v.literal("ContactFlowEvent"),
  Details: v.object({
    ContactData: v.object({
      ContactId: v.string(),
      CustomerEndpoint: v.object({ Address: v.string() }),
      Attributes: v.object({ token: v.string() }),
    }),
    Parameters: v.object({ key: v.picklist(callKeys) }),
  }),
});
export type PressEvent = v.InferOutput<typeof PressEvent>;

/** The input of the flow: a flat map of texts. */
export type PressAnswer = { say: string };
