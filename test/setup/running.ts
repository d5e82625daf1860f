import type { World } from "../../setup/command.ts";
import { runAlerts } from "../../setup/run.ts";

/** Runs a command with files in memory, at noon of a Monday. */
export const runOn = async (
  files: Map<string, string>,
  args: string[],
  world: Pick<World, "env" | "fetch"> & Partial<World>,
) => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const write = (path: string, text: string) => void files.set(path, text);
  const code = await runAlerts(
    {
      now: () => Date.UTC(2026, 10, 23, 12),
      sleep: () => Promise.resolve(),
      print,
      tell: print,
      progress: () => () => undefined,
      readText: (path) => files.get(path),
      writeText: write,
      writeSecret: write,
      ...world,
    },
    args,
  );
  return { code, text: lines.join("\n") };
};
