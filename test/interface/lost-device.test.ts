import { describe, expect, it } from "vitest";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob } from "../support/people.ts";

const { app, ask, get } = await startFilled();

describe("a phone that a colleague has lost", () => {
  it("can be removed by an owner, with an audit entry and a notice to the colleague", async () => {
    const lost = (
      await ask<{ id: string }>("POST", "/devices", { token: "lost", platform: "ios", name: "Fairphone" }, bob)
    ).body.id;
    const kept = (await ask<{ id: string }>("POST", "/devices", { token: "kept", platform: "android" }, bob)).body.id;
    await ask("PATCH", `/members/${bob}`, { role: "manager" });
    const { devices } = await get<{ devices: { id: string; platform: string }[] }>(`/members/${bob}`);
    expect(devices).toMatchObject([
      { id: lost, platform: "ios" },
      { id: kept, platform: "android" },
    ]);
    expect(JSON.stringify(devices)).not.toContain("Fairphone");

    expect((await ask("DELETE", `/devices/${lost}`)).status).toBe(404);
    expect((await ask("DELETE", `/devices/${lost}?userId=${bob}`)).status).toBe(204);
    await app.work();

    expect((await get<{ devices: object[] }>(`/members/${bob}`)).devices).toMatchObject([{ id: kept }]);
    expect(app.pushed.at(-1)).toMatchObject({
      token: "kept",
      notification: { title: "An owner removed your phone" },
    });
    expect(await get("/audit?target=device")).toMatchObject({
      items: [{ actor: { id: alice }, action: "deleted", target: { id: lost }, before: { userId: bob }, after: null }],
    });
    expect((await ask("DELETE", `/devices/${lost}?userId=${bob}`)).status).toBe(404);
  });

  it("can be removed only by owners and by the colleague; removal by the colleague creates no audit entry", async () => {
    const own = (await ask<{ id: string }>("POST", "/devices", { token: "own", platform: "ios" })).body.id;

    expect(await ask("DELETE", `/devices/${own}?userId=${alice}`, undefined, bob)).toMatchObject({
      status: 403,
      body: { code: "role_required", required: "owner" },
    });
    expect((await ask("DELETE", `/devices/${own}?userId=nobody`)).status).toBe(404);
    expect((await ask("DELETE", `/devices/${own}`)).status).toBe(204);
    expect((await get<{ items: object[] }>("/audit?target=device")).items).toHaveLength(1);
  });
});
