/** The path from which other programs import the rule engine; the code is in `rules/matching`. */
export { compileRules } from "../rules/matching/index.ts";
