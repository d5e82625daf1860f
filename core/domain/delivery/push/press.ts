import * as v from "valibot";
import { callKeys } from "./call.ts";

/*
 * What comes back from a call: the flow hands each key that was pressed to a function, and speaks what it answers.
 */

/** A key that was pressed, as Amazon Connect hands it over: in the flow's parameters, beside what the call was begun with. */
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

/** What the flow takes: a flat map of texts. */
export type PressAnswer = { say: string };
