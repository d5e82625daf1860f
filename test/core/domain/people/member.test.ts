import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { MemberInput } from "../../../../core/domain/people/member.ts";

const read = (fields: object) =>
  v.is(MemberInput, { userId: "usr_1", name: "Ann", email: "ann@acme.example", ...fields });

describe("a member who is added", () => {
  it.each(["ann@acme.example", "a@b", "ann+night@ops.acme.example"])("can be written to at %s", (email) => {
    expect(read({ email })).toBe(true);
  });

  it.each(["", "ann", "@acme.example", "ann@", "ann@@acme.example", "ann @acme.example", "ann@acme.example, bob@b"])(
    "cannot be written to at %j",
    (email) => {
      expect(read({ email })).toBe(false);
    },
  );

  it("has an address of 254 characters at most", () => {
    expect(read({ email: `${"a".repeat(252)}@b` })).toBe(true);
    expect(read({ email: `${"a".repeat(253)}@b` })).toBe(false);
  });

  it.each(["grp_1", "ann", "usr_", 5])("is not the user %j", (userId) => {
    expect(read({ userId })).toBe(false);
  });

  it.each(["", "x".repeat(101)])("has a name of one to a hundred characters, not %j", (name) => {
    expect(read({ name })).toBe(false);
  });
});
