import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import type { Answer } from "./client.ts";

const describeAnswer = ({ status, body }: Answer): string => `${status} ${JSON.stringify(body)?.slice(0, 600) ?? ""}`;

export const expectStatus = (answer: Answer, status: number): Answer => {
  assert.equal(answer.status, status, `expected status ${status}, got ${describeAnswer(answer)}`);
  return answer;
};

/** Expects the status and the shape, and returns the body. */
export const expectBody = <Output>(answer: Answer, status: number, shape: v.GenericSchema<unknown, Output>): Output => {
  expectStatus(answer, status);
  const result = v.safeParse(shape, answer.body);
  if (result.success) return result.output;
  const faults = result.issues.map((issue) => `${v.getDotPath(issue) ?? "body"}: ${issue.message}`);
  throw new assert.AssertionError({ message: `${faults.join("; ")} in ${describeAnswer(answer)}` });
};

const Problem = v.looseObject({
  type: v.string(),
  title: v.string(),
  status: v.number(),
  detail: v.string(),
  code: v.string(),
  message: v.string(),
  requestId: v.string(),
  errors: v.optional(v.array(v.object({ field: v.string(), code: v.string(), message: v.string() }))),
});
export type Problem = v.InferOutput<typeof Problem>;

/** Expects a problem with the status `status` and the code `code`, and returns the problem. */
export const expectProblem = (answer: Answer, status: number, code: string): Problem => {
  const problem = expectBody(answer, status, Problem);
  assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/, "a problem has its own type");
  assert.equal(problem.code, code, describeAnswer(answer));
  assert.equal(problem.status, status);
  assert.equal(problem.message, problem.detail, "message repeats detail");
  return problem;
};

/** Expects a 422 with exactly one fault for each of the given fields, in any order. */
export const expectFaults = (answer: Answer, ...fields: string[]): void => {
  const { errors = [] } = expectProblem(answer, 422, "invalid_input");
  const named = errors.map(({ field }) => field).sort();
  assert.deepEqual(named, [...fields].sort(), describeAnswer(answer));
};

const TIMEOUT_MS = 15_000;
const PAUSE_MS = 25;

/** Repeats an attempt until it succeeds, for up to 15 s. After 15 s, throws the last failure. */
export const retryUntilSuccess = async <Value>(attempt: () => Promise<Value>): Promise<Value> => {
  const until = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(PAUSE_MS);
    }
  }
};
