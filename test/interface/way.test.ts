import { describe, expect, it } from "vitest";
import { startFurnished } from "../support/furnished.ts";
import { alice, bob } from "../support/people.ts";

const { mine, get } = await startFurnished();

describe("an event that went its way", () => {
  it("is in the list with the number of its notifications", async () => {
    expect(await get("/events")).toEqual({
      total: 1,
      page: 1,
      limit: 50,
      items: [
        {
          id: mine.eventId,
          eventKey: "order.failed",
          title: "Order failed",
          priority: "NORMAL",
          receivedAt: "2026-11-21T12:00:00.000Z",
          state: "open",
          _count: { notifications: 2 },
        },
      ],
    });
    expect(await get("/events?page=2&limit=500")).toEqual({ total: 1, page: 2, limit: 100, items: [] });
    expect(await get("/events?site=https://shop.example")).toMatchObject({ total: 1, items: [{ id: mine.eventId }] });
    expect(await get("/events?site=https://other.example")).toMatchObject({ total: 0, items: [] });
  });

  it("shows its notifications, newest first, with whom they are for", async () => {
    const notifications = await get<object[]>("/notifications");

    expect(notifications).toHaveLength(2);
    expect(notifications.find((one) => "user" in one && (one.user as { id: string }).id === alice)).toMatchObject({
      status: "SENT",
      failedReason: null,
      requiresAck: true,
      event: { id: mine.eventId, eventKey: "order.failed", title: "Order failed" },
      user: { id: alice, name: "Owner", email: "owner@acme.example" },
    });
    expect(notifications.find((one) => "user" in one && (one.user as { id: string }).id === bob)).toMatchObject({
      status: "FAILED",
      failedReason: "No registered devices for user",
    });
  });

  it("is registered to its site and taught the rule builder its fields", async () => {
    expect(await get("/sites")).toMatchObject([{ site: "https://shop.example", name: "Shop", events: 1 }]);
    expect(await get("/event-types/order.failed")).toMatchObject({
      fields: expect.arrayContaining([{ path: "data.amount", types: ["number"], samples: [5] }]) as unknown,
    });
  });
});
