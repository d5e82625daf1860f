import type { Mutants } from "../mutant.ts";

const applyTest = { test: "test/setup/apply-beside-others.test.ts" };

/** Mutants of the tools that change a workspace from outside. */
export const toolMutants: Mutants = {
  // Applying a file while others change the workspace.
  "apply-keeps-its-double": {
    takes: "the look for somebody else who made the same name",
    at: ["setup/apply.ts", "yieldToOlder"],
    from: "isOlder(other, mine)",
    to: "isOlder(mine, mine)",
    caughtBy: applyTest,
  },
  "apply-overwrites": {
    takes: "the look whether an entry is as it was when the plan was made",
    at: ["setup/apply.ts", "stillWaits"],
    drops: "throw notAsPlanned(change)",
    caughtBy: applyTest,
  },
  "apply-deletes-unlooked": {
    takes: "the look whether what is deleted is as it was when the plan was made",
    at: ["setup/apply.ts", "deleteAll"],
    cuts: "!isPlanned ||",
    caughtBy: applyTest,
  },
  "apply-deletes-a-rotation": {
    takes: "the look whether a group that is deleted got a schedule since the plan",
    at: ["setup/apply.ts", "deleteAll"],
    cuts: "|| (await hasNewSchedule(applying, change))",
    caughtBy: applyTest,
  },
  // What the console keeps.
  "kept-dropped-when-busy": {
    takes: "the difference between an answer that is final and one that may pass",
    at: ["console/app/kept.ts", "mayPass"],
    from: "failure.status >= 500 || PASSING.has(failure.status)",
    to: "false",
    caughtBy: { test: "test/console/app/kept.test.ts" },
  },
  "kept-sent-as-another": {
    takes: "the check whose token a kept acknowledgement would be sent with",
    at: ["console/app/api.ts", "createApi"],
    from: "userOf(token) !== ask.as",
    to: "false",
    caughtBy: { test: "test/console/app/requests.test.ts" },
  },
};
