import { describe, expect, it } from "vitest";
import { toAddedBy, toRole, toMemberView } from "../../../../core/domain/people/member.ts";
import { includesRole, roles } from "../../../../core/domain/people/role.ts";

describe("a role", () => {
  it.each([
    ["viewer", "viewer"],
    ["responder", "viewer and responder"],
    ["manager", "viewer, responder and manager"],
    ["owner", "viewer, responder, manager and owner"],
  ] as const)("%s includes the permissions of %s", (role, included) => {
    expect(roles.filter((needed) => includesRole(role, needed))).toEqual(included.split(/, | and /));
  });
});

describe("the role of a member", () => {
  const ann = { userId: "usr_ann", name: "Ann", email: "ann@acme.example", createdAt: "2026-11-01T00:00:00.000Z" };
  const owners = new Set(["usr_bob"]);

  it.each([
    ["is owner while nobody in the workspace has a role", ann, undefined, "owner"],
    [
      "is owner while nobody in the workspace has a role, even if one is stored for the member",
      { ...ann, role: "viewer" as const },
      undefined,
      "owner",
    ],
    ["is manager if others have roles and the member has none", ann, owners, "manager"],
    ["is the stored role", { ...ann, role: "viewer" as const }, owners, "viewer"],
    ["is owner for each listed owner", { ...ann, role: "viewer" as const }, new Set(["usr_ann"]), "owner"],
  ])("%s", (_what, member, some, role) => {
    expect(toRole(member, some)).toBe(role);
  });

  it("is shown with the current name of the person who added the member", () => {
    const nameOf = (userId: string) => (userId === "usr_bob" ? "Bob" : undefined);

    expect(toMemberView({ ...ann, addedBy: "usr_bob" }, owners, nameOf)).toEqual({
      ...ann,
      role: "manager",
      addedBy: { id: "usr_bob", name: "Bob" },
    });
    expect(toAddedBy({ addedBy: "usr_gone" }, nameOf)).toEqual({ id: "usr_gone", name: "" });
    expect(toAddedBy({}, nameOf)).toBeNull();
  });
});
