/** Exports the rule engine of `rules/matching` under the path from which other programs import it. */
export { compileRules } from "../rules/matching/index.ts";
