import type * as v from "valibot";
import type { answers, inputs, AnswerName, InputName } from "../../interface/shapes.ts";

export type Answers = { [Name in AnswerName]: v.InferOutput<(typeof answers)[Name]> };
export type Inputs = { [Name in InputName]: v.InferInput<(typeof inputs)[Name]> };
export type { AnswerName, InputName };
