import * as v from "valibot";
import { createDirectionMarksWarning, removeDirectionMarks } from "../../core/domain/basics/text.ts";
import { Warning } from "../../core/domain/basics/warning.ts";
import { readJson } from "./body.ts";
import type { Middleware } from "./endpoint.ts";
import type { GatewayAnswer } from "./answer.ts";

const NAMES: readonly string[] = ["name", "chain"];

const Warned = v.pipe(v.string(), v.parseJson(), v.looseObject({ warnings: v.array(Warning) }));

/** Adds a warning for each name with direction marks in the request's body (`json`), if the answer has a list of warnings. */
const addRemovedMarksWarnings = (answer: GatewayAnswer, json: object): GatewayAnswer => {
  const removed = Object.entries(json).filter(
    ([field, value]: [string, unknown]) =>
      NAMES.includes(field) && typeof value === "string" && removeDirectionMarks(value) !== value,
  );
  if (removed.length === 0) return answer;
  const shown = v.safeParse(Warned, answer.body);
  if (!shown.success) return answer;
  const warnings = [...removed.map(([field]) => createDirectionMarksWarning(field)), ...shown.output.warnings];
  return { ...answer, body: JSON.stringify({ ...shown.output, warnings }) };
};

/** Returns a step that warns of each name in a request whose text-direction characters the service has removed. */
export const warnOfRemovedMarks = (): Middleware => ({
  after: (call) => {
    const { event, response } = call;
    if (response !== undefined && response !== null && response.body !== "")
      call.response = addRemovedMarksWarnings(response, readJson(event));
  },
});
