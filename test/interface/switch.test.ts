import { beforeAll, describe, expect, it } from "vitest";
import { alice, bob } from "../support/people.ts";
import { createReceiptKey } from "../support/phone.ts";
import { startRota } from "../support/rota.ts";
import { type App, startApp } from "../world/app.ts";

const url = "https://hc.example.com/ping/secret";

describe("the dead man's switch of a workspace", () => {
  let app: App;
  let rota: Awaited<ReturnType<typeof startRota>>;
  let display: string;
  let silent: string;
  beforeAll(async () => {
    app = await startApp();
    rota = await startRota(app, { [bob]: "manager" });
    const { receiptKey } = await createReceiptKey();
    const registerDevice = async (token: string, fields: object = {}) =>
      (await rota.ask<{ id: string }>("POST", "/devices", bob, { token, platform: "android", ...fields })).body.id;
    display = await registerDevice("display", { receiptKey });
    silent = await registerDevice("silent");
    return () => app.close();
  });
  const setSwitch = (fields: object = {}, as = alice) =>
    rota.ask<{ errors?: { field: string }[] }>("PUT", "/switch", as, {
      url,
      everyMinutes: 5,
      deviceId: display,
      ...fields,
    });

  it("is not found before it is set", async () => {
    expect((await rota.ask("GET", "/switch")).body).toMatchObject({ detail: "This switch does not exist." });
    expect((await rota.ask("DELETE", "/switch")).status).toBe(404);
  });

  it.each([
    ["an interval of 4 minutes", "everyMinutes", { everyMinutes: 4 }],
    ["an interval of 61 minutes", "everyMinutes", { everyMinutes: 61 }],
    ["an interval of 5.5 minutes", "everyMinutes", { everyMinutes: 5.5 }],
    ["a URL with a private IP address", "url", { url: "https://10.0.0.1/ping" }],
    ["a URL that does not begin with https:", "url", { url: "http://hc.example.com/ping" }],
    ["a URL of an internal host", "url", { url: "https://pager.internal/ping" }],
    ["a device that does not exist", "deviceId", { deviceId: "dev_none" }],
  ])("refuses %s", async (_, field, fields) => {
    const { status, body } = await setSwitch(fields);
    expect({ status, fields: body.errors?.map((fault) => fault.field) }).toEqual({ status: 422, fields: [field] });
  });

  it("refuses a device that sends no signed receipts", async () => {
    expect((await setSwitch({ deviceId: silent })).body).toMatchObject({
      errors: [{ field: "deviceId", code: "unknown_reference" }],
    });
  });

  it("is set, seen and removed by owners only, because its URL is a secret", async () => {
    expect((await setSwitch({}, bob)).status).toBe(403);
    expect((await rota.ask("GET", "/switch", bob)).status).toBe(403);
    expect((await rota.ask("DELETE", "/switch", bob)).status).toBe(403);
  });

  it("shows its settings, the owner of its device, and no results before the first test event", async () => {
    const { status, body } = await setSwitch();

    expect(status).toBe(200);
    expect(body).toEqual({
      url: "https://hc.example.com/ping/secret",
      everyMinutes: 5,
      deviceId: display,
      userId: bob,
      lastEventAt: null,
      lastReceiptAt: null,
      lastCallAt: null,
      lastFailure: null,
      warnings: [],
    });
    expect((await rota.ask("GET", "/switch")).body).toEqual(body);
  });

  it("is in the audit trail with the host of its URL", async () => {
    await setSwitch({ everyMinutes: 10 });

    const audit = (await rota.ask<{ items: object[] }>("GET", "/audit?target=workspace&limit=1")).body;

    const shown = { deviceId: display, userId: bob, host: "hc.example.com" };
    expect(audit.items).toMatchObject([
      {
        actor: { id: alice },
        action: "updated",
        before: { switch: { ...shown, everyMinutes: 5 } },
        after: { switch: { ...shown, everyMinutes: 10 } },
      },
    ]);
    expect(JSON.stringify(audit)).not.toContain("secret");
  });

  it("warns if its device is removed", async () => {
    await rota.ask("DELETE", `/devices/${display}`, bob);

    expect((await rota.ask("GET", "/switch")).body).toMatchObject({ warnings: [{ code: "device_removed" }] });
  });

  it("is not found if it is removed a second time", async () => {
    expect((await rota.ask("DELETE", "/switch")).status).toBe(204);
    expect((await rota.ask("DELETE", "/switch")).status).toBe(404);
    expect((await rota.ask("GET", "/audit?target=workspace&limit=1")).body).toMatchObject({
      items: [{ before: { switch: { everyMinutes: 10 } }, after: { switch: null } }],
    });
  });
});
