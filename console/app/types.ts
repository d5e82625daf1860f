import type * as v from "valibot";
import type { answers, inputs, AnswerName, InputName } from "../../interface/shapes.ts";

/** The API's answers by name, from the same schemas as the API's document. */
export type Answers = { [Name in AnswerName]: v.InferOutput<(typeof answers)[Name]> };
/** The inputs that the API accepts, by name. */
export type Inputs = { [Name in InputName]: v.InferInput<(typeof inputs)[Name]> };
export type { AnswerName, InputName };
