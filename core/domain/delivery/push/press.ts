import * as v from "valibot";
import { callKeys } from "./call.ts";

/* Handles keys pressed during a call: the call flow passes each key to a function, and speaks the function's answer. */

/** A pressed key as Amazon Connect sends it, with the parameters that the call began with. */
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

/** The answer to a pressed key, which becomes the call flow's input: a flat map of texts. */
export type PressAnswer = { say: string };
