import * as v from "valibot";
import { PRIORITIES } from "../rules/matching/priority.ts";

/** A priority as the service keeps and shows it. */
export const Priority = v.picklist(PRIORITIES);
export type Priority = v.InferOutput<typeof Priority>;
