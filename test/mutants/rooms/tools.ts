import type { Mutant } from "../mutant.ts";

const workspaceTest = { test: "test/scripts/alerts/workspace.test.ts" };

/** Mutants of the tools that change a workspace from outside. */
export const toolMutants: readonly Mutant[] = [
  // Applying a file while others change the workspace.
  {
    name: "apply-keeps-its-double",
    takes: "the look for somebody else who made the same name",
    at: ["scripts/alerts/apply.ts", "yieldToOlder"],
    from: "isOlder(other, mine)",
    to: "isOlder(mine, mine)",
    caughtBy: workspaceTest,
  },
  {
    name: "apply-overwrites",
    takes: "the look whether an entry is as it was when the plan was made",
    at: ["scripts/alerts/apply.ts", "stillWaits"],
    drops: "throw notAsPlanned(change)",
    caughtBy: workspaceTest,
  },
];
