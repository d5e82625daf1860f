/** Exports the rule engine under the path that other programs import. */
export { compileRules } from "../rules/matching/index.ts";
