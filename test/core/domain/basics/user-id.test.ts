import * as v from "valibot";
import { expect, it } from "vitest";
import { UserId } from "../../../../core/domain/basics/user-id.ts";

it("a request names a user by a person's id, not by a machine's id", () => {
  const messageFor = (value: unknown) => v.safeParse(UserId, value).issues?.[0].message;

  expect(messageFor("usr_0123456789abcdef0123456789abcdef")).toBeUndefined();
  expect(messageFor(5)).toBe("userId must be a string.");
  for (const other of ["mch_1", "ann@acme.example", ""])
    expect(messageFor(other)).toBe("userId must be a user's id, such as usr_0123456789abcdef0123456789abcdef.");
});
