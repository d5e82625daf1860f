import { describe, expect, it } from "vitest";
import { sortNewestFirst, toNotificationView } from "../../../../core/domain/delivery/notification-view.ts";
import type { Added } from "../../../../core/domain/delivery/added.ts";
import type { PackRecipient } from "../../../../core/domain/delivery/pack.ts";
import { aPack, aRecipient, NOON } from "../support.ts";

const pack = aPack({ packId: "00000000100000000203004000", requiresAck: true });
const view = (fields: Partial<PackRecipient> = {}) =>
  toNotificationView(pack, aRecipient({ status: "ACKNOWLEDGED", acknowledgedAt: NOON + 61_000, ...fields }));

describe("a notification in the API", () => {
  it("shows what was sent, to whom, why, when and by which escalation step", () => {
    expect(view()).toEqual({
      id: "ntf_1",
      status: "ACKNOWLEDGED",
      failedReason: null,
      priority: "HIGH",
      requiresAck: true,
      quiet: null,
      rings: null,
      createdAt: "2026-11-21T12:00:00.000Z",
      sentAt: "2026-11-21T12:00:01.000Z",
      acknowledgedAt: "2026-11-21T12:01:01.000Z",
      acknowledgedBy: { id: "usr_ann", name: "Ann" },
      acknowledgedUntil: null,
      added: null,
      event: { id: "evt_1", eventKey: "order.failed", title: "Order failed" },
      user: { id: "usr_ann", name: "Ann", email: "ann@acme.example" },
      rule: { id: "rule_1", name: "Orders", version: 3 },
      escalationStep: 4,
    });
  });

  it("says until when its event's acknowledgement is valid, and who else acknowledged", () => {
    const viewWith = (fields: Partial<PackRecipient>) =>
      toNotificationView({ ...pack, ackMinutes: 30 }, aRecipient({ acknowledgedAt: NOON, ...fields }));

    expect(viewWith({}).acknowledgedUntil).toBe("2026-11-21T12:30:00.000Z");
    expect(viewWith({ acknowledgedAt: undefined }).acknowledgedUntil).toBeNull();
    expect(viewWith({ acknowledgedAt: undefined }).acknowledgedBy).toBeNull();
    expect(viewWith({ acknowledgedBy: { id: "usr_bob", name: "Bob" } }).acknowledgedBy).toEqual({
      id: "usr_bob",
      name: "Bob",
    });
  });

  it("names who added the recipient to the event, and shows no escalation step", () => {
    const by = { id: "usr_bob", name: "Bob" };
    const viewOfAdded = (added: Added) => toNotificationView({ ...pack, added }, aRecipient());

    expect(viewOfAdded({ because: "told", by, note: "look" })).toMatchObject({
      added: { because: "told", by, note: "look" },
      escalationStep: 0,
    });
    expect(viewOfAdded({ because: "open_again" }).added).toEqual({ because: "open_again", by: null, note: null });
  });

  it("has no times for changes that have not happened", () => {
    expect(view({ sentAt: undefined, acknowledgedAt: undefined })).toMatchObject({
      sentAt: null,
      acknowledgedAt: null,
    });
  });

  it("is shown without an escalation step if the position of its step cannot be read", () => {
    expect(toNotificationView({ ...pack, packId: "pack" }, aRecipient()).escalationStep).toBe(0);
  });

  const failure = "FCM: all 1 device(s) failed";

  it.each([
    ["shows its stored failure if it is FAILED", "FAILED", failure, failure],
    ["shows no failure if it is FAILED but has no stored failure", "FAILED", undefined, null],
    ["shows no failure if it is OPENED, even if it has a stored failure", "OPENED", failure, null],
  ] as const)("%s", (_, status, failedReason, shown) => {
    expect(view({ status, failedReason }).failedReason).toBe(shown);
  });
});

it("notifications are listed with the newest first", () => {
  const views = ["ntf_2", "ntf_3", "ntf_1"].map((notificationId) => view({ notificationId }));

  expect(sortNewestFirst(views).map(({ id }) => id)).toEqual(["ntf_3", "ntf_2", "ntf_1"]);
});
