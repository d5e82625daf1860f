/** The path by which other programs import the rule engine. The engine itself is in `rules/matching`. */
export { compileRules } from "../rules/matching/index.ts";
