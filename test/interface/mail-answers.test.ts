import { describe, expect, it } from "vitest";
import { alice, bob } from "../support/people.ts";
import { readToken, startContacts } from "./contacts.ts";

const { app, mine, get, lastMail, addVerifiedMailbox, pressLink, sendAlert } = await startContacts();

describe("an alert by email", () => {
  it("is acknowledged by posting the token of its link, even twice, but not by following the link", async () => {
    await addVerifiedMailbox("press@acme.example");
    const eventId = await sendAlert();
    const mail = lastMail("press@acme.example")!;
    const token = readToken(mail);
    const readState = async () =>
      await get<{ state: string; acknowledgedBy: { id: string } | null }>(`/events/${eventId}`);
    const link = /https:\S+\/press#/.exec(mail.notification.body)?.[0] ?? "";
    expect(new URL(link).origin).toBe("https://alerts.example");

    // An email scanner opens the link without its fragment, or sends the token in other ways than by POST.
    await app.ask(new URL(link).pathname);
    await app.ask(`/v1/receipts?token=${token}`);
    await app.ask("/v1/receipts", { method: "GET", body: { token } });
    expect(await readState()).toMatchObject({ state: "open" });

    expect(await pressLink(token)).toMatchObject({ status: 200, body: { status: "ACKNOWLEDGED" } });
    expect(await readState()).toMatchObject({ state: "acknowledged", acknowledgedBy: { id: bob } });
    expect(await pressLink(token)).toMatchObject({ status: 200, body: { status: "ACKNOWLEDGED" } });
  });

  it("cannot be acknowledged with the receipt token of an app or browser without that device's signature", async () => {
    const [ws, user] = [mine.workspaceId, alice];
    const keys = await app.deps.receiptKeys();
    const { createReceiptToken } = await import("../../core/domain/delivery/receipt.ts");
    const about = { workspaceId: ws, userId: user, deviceId: mine.deviceId, about: mine.notificationId };

    expect((await pressLink(await createReceiptToken(keys!, about, app.deps.now()))).status).toBe(401);
  });
});
