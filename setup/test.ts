import { type Command, CommandError, type World } from "./command.ts";
import { runContracts } from "./contracts.ts";
import { listWarnings } from "./warnings.ts";
import { formatFault, readAlertsFiles } from "./read.ts";

/** Reads files that form one setup. Throws a CommandError with all faults. */
export const readValidFile = ({ readText }: Pick<World, "readText">, paths: readonly string[]) => {
  const sources = paths.map((path) => {
    const text = readText(path);
    if (text === undefined) throw new CommandError(`There is no file ${path}.`);
    return { path, text };
  });
  const read = readAlertsFiles(sources);
  if (read.file === undefined) throw new CommandError(read.faults.map(formatFault).join("\n"));
  return read;
};

export const testCommand: Command = {
  does: "checks a file and its contracts, without any service; several files are checked as one setup",
  takes: "FILE...",
  options: {},
  run: (world, path, _options, more) => {
    const { file, locate } = readValidFile(world, [path, ...more]);
    const showAt = (path: readonly (string | number)[], message: string) =>
      formatFault({ ...locate({ path }), path: "", message });
    const warnings = listWarnings(file, world.now()).map(({ path: at, message }) => showAt(at, `warning: ${message}`));
    const failures = runContracts(file);
    for (const warning of warnings) world.tell(warning);
    for (const { index, name, lines } of failures) {
      world.print(showAt(["contracts", index], `contract "${name}" does not hold`));
      for (const line of lines) world.print(`    ${line}`);
    }
    const { length: contracts } = file.contracts;
    const { length: rules } = file.rules;
    world.print(`${contracts - failures.length} of ${contracts} contracts hold; the setup has ${rules} rules.`);
    const failed = failures.map(({ name, lines }) => ({ name, lines }));
    return { code: failures.length === 0 ? 0 : 1, report: { contracts, rules, failed, warnings } };
  },
};
