import type * as v from "valibot";
import type { answers, inputs, AnswerName, InputName } from "../../interface/shapes.ts";

/** The API's answers, by their names in its document: both are made from the same schemas. */
export type Answers = { [Name in AnswerName]: v.InferOutput<(typeof answers)[Name]> };
/** The inputs that may be sent. */
export type Inputs = { [Name in InputName]: v.InferInput<(typeof inputs)[Name]> };
export type { AnswerName, InputName };
