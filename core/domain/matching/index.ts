/** The address that other programs import the rule engine by; it lives with the rules. */
export { compileRules } from "../rules/matching/index.ts";
