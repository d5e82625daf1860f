import { describe, expect, it } from "vitest";
import { commands } from "../../operator/commands.ts";
import { isYes, requireOption, requireCount, requireOneOf, type Options } from "../../operator/options.ts";
import { operator } from "../../operator/program.ts";
import { OperatorError } from "../../operator/stage.ts";

const options: Options = { count: "12", role: "viewer", yes: "yes", no: "no", empty: "" };

describe("an option on the command line", () => {
  it("has the given value", () => {
    expect([
      requireOption(options, "role"),
      requireCount(options, "count"),
      requireOneOf(options, "role", ["owner", "viewer"]),
    ]).toEqual(["viewer", 12, "viewer"]);
    expect(requireCount({ count: "999999999999" }, "count")).toBe(999_999_999_999);
    expect([isYes(options, "yes"), isYes(options, "missing")]).toEqual([true, false]);
  });

  it.each([
    ["missing", () => requireOption(options, "missing"), "--missing is missing."],
    ["empty", () => requireOption(options, "empty"), "--empty is missing."],
    [
      "not one of the allowed values",
      () => requireOneOf(options, "role", ["owner", "manager"]),
      "--role must be one of owner, manager.",
    ],
    ["neither yes nor left out", () => isYes(options, "no"), "--no must be yes, or left out."],
    ["neither yes nor left out", () => isYes(options, "empty"), "--empty must be yes, or left out."],
  ])("that is %s is refused", (_, read, message) => {
    expect(read).toThrow(new OperatorError(message));
  });

  it.each(["0", "01", "-1", "1.5", "1e3", " 1", "1 ", "ten", "1000000000000"])("for a count may not be %j", (count) => {
    expect(() => requireCount({ count }, "count")).toThrow(
      new OperatorError("--count must be a whole number of at least 1."),
    );
  });
});

describe("the options of an operator command", () => {
  const findSpec = (name: string) => operator.specOf(commands[name]!);

  it("have a description each, and say whether they are required", () => {
    expect(findSpec("redrive").options).toEqual({
      stage: { means: "the stage to work on", needed: true },
      queue: { means: "events, pushes, escalations or webhooks", needed: true },
      rate: { means: "messages a second, 1 to 500", needed: true },
    });
    expect(findSpec("enable-person").does).toBe("Lets a disabled person sign in again.");
  });

  it("say that the stage is optional if the command also takes a table or a local service", () => {
    expect(findSpec("api-keys").options).toMatchObject({
      stage: { needed: false },
      workspace: { needed: true },
      table: { needed: false },
    });
    expect(findSpec("add-machine").options).toMatchObject({ stage: { needed: false }, local: { needed: false } });
  });
});
