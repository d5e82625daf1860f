import { type Command, CommandError, type World } from "./command.ts";
import { runContracts } from "./contracts.ts";
import { doubtsOf } from "./doubts.ts";
import { faultLine, readAlertsFile } from "./read.ts";

/** Reads a file without faults, or else shows all of its faults. */
export const readSound = ({ readText }: Pick<World, "readText">, path: string) => {
  const text = readText(path);
  if (text === undefined) throw new CommandError(`There is no file ${path}.`);
  const read = readAlertsFile(text);
  if (read.file === undefined) throw new CommandError(read.faults.map((fault) => faultLine(path, fault)).join("\n"));
  return read;
};

export const testCommand: Command = {
  does: "checks a file and its contracts, without any service",
  takesFile: true,
  options: {},
  run: (world, path) => {
    const { file, locate } = readSound(world, path);
    const tell = (place: readonly (string | number)[], message: string) =>
      world.print(faultLine(path, { ...locate({ path: place }), path: "", message }));
    for (const { path: place, message } of doubtsOf(file, world.now())) tell(place, `warning: ${message}`);
    const failures = runContracts(file);
    for (const { index, name, lines } of failures) {
      tell(["contracts", index], `"${name}" does not hold`);
      for (const line of lines) world.print(`    ${line}`);
    }
    const { length } = file.contracts;
    world.print(`${length - failures.length} of ${length} contracts hold; ${file.rules.length} rules.`);
    return failures.length === 0 ? 0 : 1;
  },
};
