import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { parseInput } from "../../../../core/domain/basics/faults.ts";
import {
  hashEmail,
  Invitation,
  INVITATION_DAYS,
  INVITATION_MS,
  InvitationInput,
  InvitationView,
  isInvitationOpen,
  Joined,
  OwnInvitation,
  normalizeEmail,
  SentInvitation,
  toInvitationView,
} from "../../../../core/domain/people/invitation.ts";

const email = "New.Comer@acme.example";

describe("the request body for an invitation", () => {
  it.each<[string, object, object]>([
    ["only an address, which invites a manager to no group", { email }, { email, role: "manager", groupIds: [] }],
    ["a role", { email, role: "viewer" }, { email, role: "viewer", groupIds: [] }],
    ["a group", { email, groupIds: ["grp_1"] }, { email, role: "manager", groupIds: ["grp_1"] }],
    [
      "the role owner and twenty groups",
      { email, role: "owner", groupIds: Array<string>(20).fill("grp_1") },
      { email, role: "owner", groupIds: Array<string>(20).fill("grp_1") },
    ],
  ])("may have %s", (_, input, read) => {
    expect(v.parse(InvitationInput, input)).toEqual(read);
  });

  it.each<[string, object, string]>([
    ["no address", { groupIds: [] }, "email is required."],
    ["an invalid address", { email: "ann" }, "email must be an email address, such as alice@acme.example."],
    ["an unknown role", { email, role: "boss" }, "role must be one of viewer, responder, manager, owner."],
    ["a text instead of a list of groups", { email, groupIds: "grp_1" }, "groupIds must be a list of ids of groups."],
    ["a number as a group", { email, groupIds: [5] }, "groupIds must be a list of ids of groups."],
    [
      "a person as a group",
      { email, groupIds: ["usr_1"] },
      "groupIds must be a list of ids of groups, such as grp_0123456789abcdef.",
    ],
    ["21 groups", { email, groupIds: Array<string>(21).fill("grp_1") }, "groupIds must have at most 20 groups."],
    ["a name", { email, name: "Ann" }, "name is not a field that can be set here."],
  ])("is refused with %s", (_what, input, message) => {
    expect(parseInput(InvitationInput, input).faults.map((fault) => fault.message)).toEqual([message]);
  });
});

describe("the email address of an invitation", () => {
  it("is the same in upper and lower case", async () => {
    expect(normalizeEmail(email)).toBe("new.comer@acme.example");
    expect(await hashEmail(email)).toBe(await hashEmail("NEW.COMER@acme.example"));
    expect(await hashEmail(email)).not.toBe(await hashEmail("newcomer@acme.example"));
  });

  it("is stored in keys as its SHA-256, which must never change", async () => {
    expect(await hashEmail("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

it.each([
  ["is open", "2026-11-30T11:59:59.999Z", true],
  ["is not open", "2026-11-30T12:00:00.000Z", false],
  ["is not open", "2026-11-30T12:00:00.001Z", false],
])("an invitation that ends at noon %s at %s", (_what, now, open) => {
  expect(isInvitationOpen({ expiresAt: "2026-11-30T12:00:00.000Z" }, Date.parse(now))).toBe(open);
});

it("an invitation can be accepted within thirty days", () => {
  expect([INVITATION_DAYS, INVITATION_MS]).toEqual([30, 2_592_000_000]);
});

const shown = {
  id: "inv_1",
  email,
  role: "viewer" as const,
  groupIds: ["grp_1"],
  createdAt: "2026-11-01T00:00:00.000Z",
  expiresAt: "2026-12-01T00:00:00.000Z",
};
const stored = { ...shown, workspaceId: "ws_1" as const, createdBy: "usr_ann", acceptedBy: "usr_new" };
const ann = { id: "usr_ann", name: "Ann" };

describe("an invitation", () => {
  it.each([
    ["the inviter's name, but not who has begun to accept", "usr_ann", ann],
    ["no inviter if the operator invited", null, null],
  ])("shows the inviting member to owners: it shows %s", (_, createdBy, by) => {
    const toPerson = (userId: string | null) => (userId === null ? null : { id: userId, name: "Ann" });

    expect(toInvitationView({ ...stored, createdBy }, toPerson)).toEqual({ ...shown, createdBy: by });
  });

  it.each<[string, v.GenericSchema, object]>([
    ["that is stored", Invitation, stored],
    ["that owners see", InvitationView, { ...shown, createdBy: ann }],
    ["that was sent", SentInvitation, { ...shown, createdBy: null, mailed: true }],
    [
      "that the invited person sees",
      OwnInvitation,
      { id: "inv_1", workspace: { id: "ws_1", name: "Acme" }, role: "viewer", invitedBy: ann, expiresAt: "" },
    ],
    ["that was accepted", Joined, { workspaceId: "ws_1" }],
  ])("%s contains no field that its schema lacks", (_, schema, value) => {
    expect(v.parse(schema, { ...value, secret: "s" })).toEqual(value);
  });
});
