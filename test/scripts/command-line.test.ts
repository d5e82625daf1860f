import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readOptions } from "../../scripts/command-line.ts";
import { readCommandLine } from "../../scripts/operator/command-line.ts";
import { commands } from "../../scripts/operator/commands.ts";

test("options are read, and what cannot be taken is named with what was probably meant", () => {
  const options = { pairs: { type: "string", default: "40" }, first: { type: "boolean" } } as const;

  expect({ ...readOptions(["--first"], options) }).toEqual({ pairs: "40", first: true });
  expect(() => readOptions(["--pair", "all"], options)).toThrow("There is no option --pair: did you mean --pairs?");
  expect(() => readOptions(["--colour=red"], options)).toThrow("There is no option --colour.");
  expect(() => readOptions(["--pairs"], options)).toThrow("'--pairs <value>' argument missing");
  expect(() => readOptions(["plain"], options)).toThrow("Unexpected argument 'plain'");
});

test("a script tells how it is used instead of running, and says what is wrong without a stack trace", () => {
  const simulate = (...args: string[]) =>
    spawnSync(process.execPath, ["scripts/simulate.ts", ...args], {
      cwd: join(import.meta.dirname, "../.."),
      encoding: "utf8",
    });

  expect(simulate("--help")).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^npm run simulate .*\n$/) as string,
  });
  expect(simulate("--size")).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringMatching(/^There is no option --size\.\n\nnpm run simulate .*\n$/) as string,
  });
});

describe("the operator's tool", () => {
  const textOf = (...args: string[]): string => {
    const asked = readCommandLine(args, undefined);
    return asked.kind === "help" ? asked.text : "";
  };

  test("lists its commands when it is asked for nothing or for help", () => {
    for (const args of [[], ["help"], ["--help"], ["-h"]])
      for (const name of Object.keys(commands)) expect(textOf(...args)).toContain(`  ${name} `);
  });

  test.each(Object.entries(commands))(
    "%s tells its options when it is asked for help",
    (name, { does, needs, takes = {} }) => {
      const text = textOf(name, "--stage", "prod", "--help");

      expect(text).toContain(does);
      for (const option of ["stage", ...Object.keys(needs)]) expect(text).toContain(`  --${option} `);
      for (const option of Object.keys(takes)) expect(text).toContain(`  [--${option}] `);
    },
  );

  test("an unknown command or option is named with the nearest", () => {
    expect(() => readCommandLine(["lodger"], undefined)).toThrow("There is no command lodger: did you mean ledger?");
    expect(() => readCommandLine(["toString"], undefined)).toThrow("There is no command toString. All: ");
    expect(() => readCommandLine(["plan", "--stgae", "prod"], undefined)).toThrow(
      "There is no option --stgae: did you mean --stage?",
    );
  });

  test("takes a password from the environment alone", () => {
    expect(readCommandLine(["session", "--stage", "prod"], "correct horse")).toEqual({
      kind: "run",
      command: commands["session"],
      options: { stage: "prod", password: "correct horse" },
    });
    expect(() => readCommandLine(["session", "--password", "x"], undefined)).toThrow("There is no option --password.");
  });
});
