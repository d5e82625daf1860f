import { describe, expect, it } from "vitest";
import { alice, bob } from "../support/people.ts";
import { type Device, tokenIn, startContacts } from "./contacts.ts";

const { app, mine, ask, get, lastMail, verified, press, alert } = await startContacts();

describe("an alert by e-mail", () => {
  it("is acknowledged by posting the token of its link, again the same, and by nothing that follows the link", async () => {
    await verified("press@acme.example");
    const eventId = await alert();
    const mail = lastMail("press@acme.example")!;
    const token = tokenIn(mail);
    const state = async () => await get<{ state: string; acknowledgedBy: { id: string } | null }>(`/events/${eventId}`);
    const link = /https:\S+\/press#/.exec(mail.notification.body)?.[0] ?? "";
    expect(new URL(link).origin).toBe("https://alerts.example");

    // A scanner requests the page without the fragment, or tries the token where it can guess it.
    await app.ask(new URL(link).pathname);
    await app.ask(`/v1/receipts?token=${token}`);
    await app.ask("/v1/receipts", { method: "GET", body: { token } });
    expect(await state()).toMatchObject({ state: "open" });

    expect(await press(token)).toMatchObject({ status: 200, body: { status: "ACKNOWLEDGED" } });
    expect(await state()).toMatchObject({ state: "acknowledged", acknowledgedBy: { id: bob } });
    expect(await press(token)).toMatchObject({ status: 200, body: { status: "ACKNOWLEDGED" } });
  });

  it("refuses a token that was changed, is somebody else's, or came too late", async () => {
    await alert();
    const token = tokenIn(lastMail("press@acme.example")!);
    const [ws = "", , device = "", about = "", expires = "", mac = ""] = token.split(".");

    expect((await press([ws, alice, device, about, expires, mac].join("."))).status).toBe(401);
    expect((await press([ws, bob, mine.deviceId, about, expires, mac].join("."))).status).toBe(401);
    expect((await press([ws, bob, device, about, String(Number(expires) + 1), mac].join("."))).status).toBe(401);
    app.advance(25 * 3_600_000);
    expect((await press(token)).status).toBe(401);
  });

  it("refuses the token once the address is removed", async () => {
    await alert();
    const token = tokenIn(lastMail("press@acme.example")!);
    const devices = (await ask<Device[]>("GET", "/devices", undefined, bob)).body;
    const { id } = devices.find(({ email }) => email === "press@acme.example")!;

    await ask("DELETE", `/devices/${id}`, undefined, bob);

    expect((await press(token)).status).toBe(401);
  });

  it("still asks a browser or an app for its signature", async () => {
    const [ws, user] = [mine.workspaceId, alice];
    const keys = await app.deps.receiptKeys();
    const { mintReceipt } = await import("../../core/domain/delivery/receipt.ts");
    const about = { workspaceId: ws, userId: user, deviceId: mine.deviceId, about: mine.notificationId };

    expect((await press(await mintReceipt(keys!, about, app.deps.now()))).status).toBe(401);
  });
});
