import type { Program } from "../tools/program.ts";
import { commands } from "./commands.ts";
import type { Command } from "./options.ts";

const createOptionSpecs = (descriptions: Readonly<Record<string, string>>, areRequired: boolean) =>
  Object.fromEntries(Object.entries(descriptions).map(([option, means]) => [option, { means, needed: areRequired }]));

export const operator: Program<Command> = {
  name: "operator",
  does: "Operates a stage, with the credentials and the region of the environment. Prints JSON.",
  commands,
  specOf: ({ does, needs, takes = {} }) => ({
    does,
    options: {
      stage: { means: "the stage to work on", needed: !("local" in takes || "table" in takes) },
      ...createOptionSpecs(needs, true),
      ...createOptionSpecs(takes, false),
    },
  }),
};
