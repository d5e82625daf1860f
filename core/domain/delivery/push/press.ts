import * as v from "valibot";
import { callKeys } from "./call.ts";

/* The call flow passes each pressed key to a function and speaks the function's answer. */

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

/** The input of the call flow's next step. */
export type PressAnswer = { say: string };
