import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { MemberDetail } from "../../../../core/domain/people/member-detail.ts";
import { MemberInput } from "../../../../core/domain/people/member.ts";

const isAccepted = (fields: object) =>
  v.is(MemberInput, { userId: "usr_1", name: "Ann", email: "ann@acme.example", ...fields });

describe("the request body for a member", () => {
  it.each(["ann@acme.example", "a@b", "ann+night@ops.acme.example"])("may have the email address %s", (email) => {
    expect(isAccepted({ email })).toBe(true);
  });

  it.each(["", "ann", "@acme.example", "ann@", "ann@@acme.example", "ann @acme.example", "ann@acme.example, bob@b"])(
    "may not have the email address %j",
    (email) => {
      expect(isAccepted({ email })).toBe(false);
    },
  );

  it("may have an email address of up to 254 characters", () => {
    expect(isAccepted({ email: `${"a".repeat(252)}@b` })).toBe(true);
    expect(isAccepted({ email: `${"a".repeat(253)}@b` })).toBe(false);
  });

  it.each(["grp_1", "ann", "usr_", 5])("may not have the user id %j", (userId) => {
    expect(isAccepted({ userId })).toBe(false);
  });

  it.each([0, 101])("must have a name of 1 to 100 characters, and not of %i", (length) => {
    expect(isAccepted({ name: "x".repeat(length) })).toBe(false);
  });
});

it("the view of a member before removal shows what the member created and what refers to the member, but no email address", () => {
  const ops = { id: "grp_1", name: "Ops" };
  const detail = {
    userId: "usr_ann",
    name: "Ann",
    email: "ann@acme.example",
    createdAt: "2026-11-01T00:00:00.000Z",
    addedBy: null,
    role: "owner",
    made: {
      keys: [{ id: "key_1", name: "Shop", lastUsedAt: null }],
      feeds: [ops],
      heartbeats: [{ id: "hb_1", name: "Job" }],
      webhooks: [{ id: "wh_1", name: "Hook" }],
      invitations: 2,
    },
    devices: [{ id: "dev_1", platform: "ios", createdAt: "2026-11-21T12:00:00.000Z", lastDeliveredAt: null }],
    contacts: { push: 1, email: 2, sms: 0 },
    groups: [ops],
    schedules: [{ ...ops, onCallNow: true }],
    policies: [{ id: "pol_1", name: "Ladder" }],
  };

  expect(v.parse(MemberDetail, { ...detail, devices: [{ ...detail.devices[0], email: "ann@home.example" }] })).toEqual(
    detail,
  );
});
