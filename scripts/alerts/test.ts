import type { Command } from "./command.ts";
import { faultLine, readAlertsFile } from "./read.ts";

export const testCommand: Command = {
  does: "checks a file and its contracts, without any service",
  takesFile: true,
  options: {},
  run: ({ readText, print }, path) => {
    const { file, faults } = readAlertsFile(readText(path));
    for (const fault of faults) print(faultLine(path, fault));
    if (file === undefined) return 1;
    return 0;
  },
};
