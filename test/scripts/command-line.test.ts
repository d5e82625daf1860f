import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readOptions } from "../../tools/command-line.ts";
import { alerts } from "../../setup/run.ts";
import { operator } from "../../operator/program.ts";
import { type CommandSpec, type Program, createProgress, readCommandLine } from "../../tools/program.ts";
import packageJson from "../../package.json" with { type: "json" };

test("options of a command are parsed, and invalid ones are named with a suggestion", () => {
  const options = { pairs: { type: "string", default: "40" }, first: { type: "boolean" } } as const;

  expect({ ...readOptions(["--first"], options).values }).toEqual({ pairs: "40", first: true });
  expect(() => readOptions(["--pair", "all"], options)).toThrow("There is no option --pair: did you mean --pairs?");
  expect(() => readOptions(["--colour=red"], options)).toThrow("There is no option --colour.");
  expect(() => readOptions(["--pairs"], options)).toThrow("'--pairs <value>' argument missing");
  expect(() => readOptions(["plain"], options)).toThrow("Unexpected argument 'plain'");
});

test("a script prints its usage with --help instead of running, and names an unknown option without a stack trace", () => {
  const runCheck = (...args: string[]) =>
    spawnSync(process.execPath, ["scripts/check.ts", ...args], {
      cwd: join(import.meta.dirname, "../.."),
      encoding: "utf8",
    });

  expect(runCheck("--help")).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^npm run check /) as string,
  });
  expect(runCheck("--size")).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringMatching(/^There is no option --size\.\n\nnpm run check /) as string,
  });
});

describe.each([alerts, operator] as Program<unknown>[])("the command-line tool $name", (program) => {
  const readOutput = (...args: string[]): string => {
    const asked = readCommandLine(program, args);
    return asked.kind === "text" ? asked.text : "";
  };
  const commands = Object.entries(program.commands).map(([name, command]) => ({ name, spec: program.specOf(command) }));

  test("lists its commands and exit codes without a command or with --help", () => {
    for (const args of [[], ["help"], ["--help"], ["-h"]]) {
      for (const { name } of commands) expect(readOutput(...args)).toMatch(new RegExp(`^  ${name} `, "m"));
      expect(readOutput(...args)).toMatch(/Ends with\n {2}0 .*\n {2}1 .*\n {2}2 /);
    }
    expect(readOutput("--version")).toBe(`${program.name} ${packageJson.version}`);
  });

  test("prints the options of each command with --help, whatever else is given", () => {
    for (const { name, spec } of commands) {
      const text = readOutput(name, "--no-such-option", "--help");

      expect(text).toContain(spec.does);
      for (const [option, { means }] of Object.entries(spec.options)) {
        expect(text).toContain(`--${option}`);
        expect(text).toContain(means);
      }
    }
  });

  test("completes its commands and their options in bash", () => {
    const complete = (...words: string[]): string[] => {
      const cursor = words.length - 1;
      const ask = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${cursor}; _${program.name}`;
      const script = `${readOutput("completion", "bash")}\n${ask}\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
    };

    expect(complete(program.name, "")).toEqual([
      ...commands.map(({ name }) => name),
      "completion",
      "--help",
      "--version",
    ]);
    for (const { name, spec } of commands.slice(0, 3))
      expect(complete(program.name, name, "--")).toEqual(
        [...Object.keys(spec.options), "json", "help"].map((option) => `--${option}`),
      );
  });

  test("completes its commands and their options in zsh, with a description of each command", () => {
    const text = readOutput("completion", "zsh");

    expect(text).toMatch(new RegExp(`^#compdef ${program.name}\n`));
    for (const { name, spec } of commands) {
      expect(text).toContain(`'${name}:`);
      for (const option of Object.keys(spec.options)) expect(text).toContain(`--${option}[`);
    }
    expect(() => readOutput("completion", "fish")).toThrow("For which shell?");
  });
});

test("the zsh completion quotes the characters in descriptions that zsh would interpret", () => {
  const command: CommandSpec = {
    does: "lists what's on: all",
    options: { at: { means: "when it's [roughly]: a time" } },
  };
  const odd = { name: "odd", does: "does", commands: { ls: command }, specOf: (spec: CommandSpec) => spec };
  const asked = readCommandLine(odd, ["completion", "zsh"]);

  const lines = asked.kind === "text" ? asked.text.split("\n") : [];
  expect(lines).toContain(String.raw`    'ls:lists what'\''s on\: all'`);
  expect(lines.find((line) => line.includes("ls) "))).toBe(
    String.raw`    ls) _arguments '--at[when it'\''s \[roughly\]\: a time]:value:_files' '--json[print the outcome as JSON]' ` +
      "'--help[say how the command is used, and end]' '*:file:_files' ;;",
  );
});

test("a command with too few or too many arguments says which argument must follow the command", () => {
  const read = (...args: string[]) => readCommandLine(alerts, args);

  for (const args of [["plan"], ["export", "a.yaml", "b.yaml"], ["schema", "a.json", "b.json"]])
    expect(() => read(...args)).toThrow(/^FILE(?:\.\.\.)? must follow (?:plan|export|schema)\.\n\n/);
  expect(read("plan", "a.yaml")).toMatchObject({ kind: "run", operands: ["a.yaml"] });
});

describe("the operator's command-line tool", () => {
  test("suggests the closest command or option for an unknown one, and shows the usage if an option is missing", () => {
    const read = (...args: string[]) => readCommandLine(operator, args);

    expect(() => read("lodger")).toThrow("There is no command lodger: did you mean ledger?");
    expect(() => read("toString")).toThrow("There is no command toString. All: ");
    expect(() => read("plan", "--stgae", "prod")).toThrow("There is no option --stgae: did you mean --stage?");
    expect(() => read("plan", "--stage", "prod")).toThrow("--workspace is missing.\n\n");
    expect(() => read("session", "--stage", "prod", "all")).toThrow("Unexpected argument 'all'");
  });

  test("takes a password only from the environment", () => {
    expect(() => readCommandLine(operator, ["session", "--stage", "prod", "--password", "x"])).toThrow(
      "There is no option --password.",
    );
  });
});

test("a long operation reports its progress: on a terminal in one line, elsewhere at every hundredth item", () => {
  const printProgress = (isTTY: boolean, count: number): string => {
    let text = "";
    const tick = createProgress({ isTTY, write: (more) => (text += more) })("events", count);
    for (let done = 0; done < count; done += 1) tick();
    return text;
  };

  expect(printProgress(true, 2)).toBe("\revents: 1 of 2\revents: 2 of 2\n");
  expect(printProgress(false, 99)).toBe("");
  expect(printProgress(false, 250)).toBe("events: 100 of 250\nevents: 200 of 250\n");
});
