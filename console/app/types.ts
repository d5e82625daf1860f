import type * as v from "valibot";
import type { answers, inputs, AnswerName, InputName } from "../../scripts/openapi/shapes.ts";

/** What the API answers, by the names of its document: both are made of the same schemas. */
export type Answers = { [Name in AnswerName]: v.InferOutput<(typeof answers)[Name]> };
/** What may be sent. */
export type Inputs = { [Name in InputName]: v.InferInput<(typeof inputs)[Name]> };
export type { AnswerName, InputName };
