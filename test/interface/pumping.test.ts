import { afterAll, describe, expect, it } from "vitest";
import { CODES_A_DAY } from "../../core/domain/device/verification.ts";
import { startApp } from "../world/app.ts";
import { callsOf, mailsOf, textsOf } from "./contacts.ts";
import { bob } from "../support/people.ts";

/* One account tries to cause a high bill, and must not be able to reset a counter that limits it. */

const MONTHLY = { sms: 20, voice: 20 };
const app = await startApp({ monthly: MONTHLY });
afterAll(app.close);

type Id = { id: string };
const post = <Body = Id>(path: string, body: object, as = bob) =>
  app.ask<Body>(`/v1${path}`, { method: "POST", as, body });
const deleteWorkspace = (id: string) => app.ask(`/v1/workspaces/${id}?name=W`, { method: "DELETE", as: bob });
const countPaidMessages = () => textsOf(app).length + callsOf(app).length;
const readCode = (text: string) => /\d{6}/.exec(text)?.[0] ?? "";

describe("an account that repeatedly deletes and recreates items to get more messages", () => {
  it("gets ten verification codes a day over all the workspaces that it creates", async () => {
    const statuses: number[] = [];
    for (let nr = 0; nr < 40; nr += 1) {
      const { status, body } = await post("/workspaces", { name: "W" });
      statuses.push(status);
      if (status !== 201) continue;
      for (let at = 0; at < 5; at += 1)
        await post(`/workspaces/${body.id}/devices`, { phone: `+49151000${nr}${at}00`.slice(0, 13), ways: ["sms"] });
      expect((await deleteWorkspace(body.id)).status).toBe(204);
    }

    expect(countPaidMessages()).toBe(10);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.slice(10).every((status) => status === 403)).toBe(true);
  });

  it("can send a hundred invitation emails a day, and cannot write the subject of any", async () => {
    app.advance(31 * 86_400_000);
    app.pushed.length = 0;
    for (let nr = 0; nr < 5; nr += 1) {
      const { id } = (await post("/workspaces", { name: "Win at https://evil.example" })).body;
      for (let at = 0; at < 30; at += 1)
        await post(`/workspaces/${id}/invitations`, { email: `s${nr}-${at}@stranger.example` });
      await app.ask(`/v1/workspaces/${id}?name=${encodeURIComponent("Win at https://evil.example")}`, {
        method: "DELETE",
        as: bob,
      });
    }

    expect(mailsOf(app)).toHaveLength(100);
    expect(new Set(mailsOf(app).map(({ notification }) => notification.title))).toEqual(
      new Set(["You are invited to a workspace"]),
    );
    expect(mailsOf(app).some(({ notification, html }) => `${notification.body}${html}`.includes("evil"))).toBe(false);
  });

  it("cannot use up a workspace's verification codes by sending invitation emails", async () => {
    app.advance(31 * 86_400_000);
    app.pushed.length = 0;
    const { id } = (await post("/workspaces", { name: "W" })).body;
    for (let at = 0; at < CODES_A_DAY.workspace; at += 1)
      await post(`/workspaces/${id}/invitations`, { email: `t${at}@stranger.example` });

    await post(`/workspaces/${id}/devices`, { phone: "+4915100099000", ways: ["sms"] });

    expect([mailsOf(app).length, textsOf(app).length]).toEqual([CODES_A_DAY.workspace, 1]);
    await deleteWorkspace(id);
  });

  it("can use the monthly text messages and calls of at most ten workspaces in 24 hours", async () => {
    app.advance(31 * 86_400_000);
    app.pushed.length = 0;
    let made = 0;
    for (let hour = 0; hour < 24; hour += 1) {
      const { status, body } = await post("/workspaces", { name: "W" });
      if (status === 201) {
        made += 1;
        const root = `/workspaces/${body.id}`;
        const device = await post(`${root}/devices`, {
          phone: `+4915110000${String(hour).padStart(2, "0")}`,
          ways: ["sms", "voice"],
        });
        await post(`${root}/devices/${device.body.id}/verify`, {
          code: readCode(JSON.stringify(textsOf(app).at(-1)?.notification)),
        });
        const group = (await post(`${root}/groups`, { name: "G" })).body.id;
        await post(`${root}/groups/${group}/members`, { userId: bob });
        await post(`${root}/routing-rules`, { name: "R", eventKey: "*", targets: [{ type: "group", groupId: group }] });
        const { key } = (await post<{ key: string }>(`${root}/api-keys`, { name: "K" })).body;
        for (let nr = 0; nr < 25; nr += 1) {
          const event = { event: "a.b", title: `T${nr}`, body: "B", priority: "URGENT" };
          await app.ask("/v1/events", { method: "POST", apiKey: key, body: event });
          await app.work();
          app.advance(60_000);
        }
        expect((await deleteWorkspace(body.id)).status).toBe(204);
      }
      app.advance(600_000);
    }

    expect(made).toBe(10);
    expect(countPaidMessages()).toBeGreaterThan(100);
    expect(textsOf(app).length).toBeLessThanOrEqual(10 * MONTHLY.sms);
    expect(callsOf(app).length).toBeLessThanOrEqual(10 * MONTHLY.voice);
  });
});
