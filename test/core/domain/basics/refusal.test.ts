import { expect, it } from "vitest";
import { invalidInput, refuseLastOwner, notFoundRefusal, Refusal } from "../../../../core/domain/basics/refusal.ts";

it("the not-found error names the kind of the missing resource", () => {
  expect(notFoundRefusal("group")).toMatchObject({
    name: "Refusal",
    kind: "not_found",
    message: "This group does not exist.",
    extras: {},
  });
});

it("the error for removing the last owner says what to do first", () => {
  expect(refuseLastOwner()).toMatchObject({
    kind: "last_owner",
    message: "This is the only owner of the workspace. Make somebody else an owner first.",
  });
});

it("an error for invalid input lists every fault", () => {
  const faults = [
    { field: "name", code: "invalid", message: "name must not be empty." } as const,
    { field: "repeat", code: "invalid", message: "repeat must be a number." } as const,
  ];

  expect(invalidInput(faults)).toMatchObject({
    kind: "invalid_input",
    message: "name must not be empty. repeat must be a number.",
    extras: { faults },
  });
});

it("an error for invalid input without a list of faults says only that the input is not valid", () => {
  expect(invalidInput([]).message).toBe("The input is not valid.");
});

it("a refusal contains additional facts, such as the seconds to wait", () => {
  const refusal = new Refusal("rate_limited", "Too many events.", { retryAfterSeconds: 2 });

  expect(refusal).toBeInstanceOf(Error);
  expect(refusal).toMatchObject({ kind: "rate_limited", extras: { retryAfterSeconds: 2 } });
});
