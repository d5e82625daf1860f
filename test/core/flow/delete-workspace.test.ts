import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { listDeletedWorkspaces, listDeletions } from "../../../core/store/people/deletions.ts";
import { toItemText } from "../../support/canaries.ts";
import { startFilled } from "../../support/filled-app.ts";
import { alice, bob, fillWorkspace, globexOwner, outsider } from "../../support/people.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const { app, mine, ask, send } = await startFilled();
const theirs = await fillWorkspace(app, globexOwner, outsider);
const remove = (name: string, as = alice, ws = mine.workspaceId) =>
  app.ask(`/v1/workspaces/${ws}?name=${encodeURIComponent(name)}`, { method: "DELETE", as });
const sweepAfter = async (delayMs: number): Promise<void> => {
  app.advance(delayMs);
  await app.escalate();
};
const event = { event: "disk.full", title: "Disk full", body: "2 % left", dedupeKey: "disk" };

describe("the deletion of a workspace", () => {
  it("is possible only for an owner who types the workspace's name", async () => {
    expect(await remove("acme")).toMatchObject({
      status: 422,
      body: { errors: [{ field: "name", code: "wrong_name", message: expect.stringContaining('to delete: "Acme"') }] },
    });
    expect((await remove("Acme", bob)).status).toBe(403);
    expect((await remove("Acme", outsider)).status).toBe(403);
    expect((await app.stand.listItems()).some(({ pk }) => String(pk).startsWith("DELETIONS"))).toBe(false);
    expect((await ask("GET", "")).status).toBe(200);
  });

  it("takes effect at once: the workspace is not listed, nobody can use it, and its API keys are refused", async () => {
    await send(event);
    await app.work();
    await send(event);
    const eventId = await send({ event: "queue.full", title: "Queue full", body: "of messages" });
    await ask("POST", `/events/${eventId}/notes`, { text: "Seen." }, bob);

    expect((await remove("Acme")).status).toBe(204);

    for (const as of [alice, bob]) {
      expect((await app.ask<{ id: WorkspaceId }[]>("/v1/workspaces", { as })).body).toEqual([]);
      expect((await ask("GET", "/events", undefined, as)).status).toBe(403);
    }
    for (const path of ["/v1/events", "/v1/events/ping"])
      expect(
        await app.ask(path, {
          method: path.endsWith("ping") ? "GET" : "POST",
          apiKey: mine.key,
          ...(path.endsWith("ping") ? {} : { body: event }),
        }),
      ).toMatchObject({ status: 401 });
    expect(app.deps.log.info).toHaveBeenCalledWith("workspace.deleted", {
      workspaceId: mine.workspaceId,
      userId: alice,
    });
  });

  it("leaves no data, notifies nobody of unfinished events, and keeps the data of other workspaces", async () => {
    const countPushes = () => app.pushed.filter((one) => JSON.stringify(one).includes(mine.workspaceId)).length;
    const before = countPushes();
    const listKeysOfOther = async () =>
      (await app.stand.listItems())
        .filter(({ pk }) => String(pk).startsWith(`WS#${theirs.workspaceId}`))
        .map(({ pk, sk }) => `${String(pk)} ${String(sk)}`);
    const others = await listKeysOfOther();

    await sweepAfter(MINUTE_MS);
    // The workers process the messages that were queued at the deletion.
    await app.work();
    await app.tellWebhooks();
    await sweepAfter(HOUR_MS);
    await sweepAfter(HOUR_MS);

    expect(countPushes()).toBe(before);
    const left = (await app.stand.listItems()).filter((item) => toItemText(item).includes(mine.workspaceId));
    // Only items that expire within days, and the record of the deletion, may remain.
    expect(left.filter(({ ttl }) => ttl === undefined)).toEqual([]);
    const kinds = new Set(left.map(({ pk, sk }) => String(pk).split("#")[2] ?? String(sk).split("#")[0]));
    const lastingKinds = ["IDEM", "GROUPED", "HELD", "RUNG", "MADE"];
    const isDeletionRecord = (kind: string | undefined) => /^\d{13}$/.test(kind ?? "");
    expect([...kinds].filter((kind) => !isDeletionRecord(kind) && !lastingKinds.includes(String(kind)))).toEqual([]);
    expect(await listDeletedWorkspaces(app.deps)).toMatchObject([{ ws: mine.workspaceId, name: "Acme", by: alice }]);
    expect(await listDeletions(app.deps)).toEqual([]);
    const kept = new Set(await listKeysOfOther());
    expect(others.length).toBeGreaterThan(40);
    expect(others.filter((key) => !kept.has(key))).toEqual([]);
    expect((await app.ask("/v1/events", { method: "POST", apiKey: theirs.key, body: event })).status).toBe(201);
    expect(app.deps.log.error).not.toHaveBeenCalled();
  });

  it("closes the workspace's heartbeat, calendar and invitation URLs", async () => {
    expect((await app.ask(`/v1/heartbeats/${mine.heartbeat}`, { method: "POST" })).status).toBe(404);
    expect((await app.ask(`/v1/calendars/${mine.calendar}`)).status).toBe(404);
    expect((await remove("Acme")).status).toBe(403);
  });

  it("does not lower the month's count of created workspaces; in the next month, its owner can create another", async () => {
    const createAnother = () =>
      app.ask<{ id: string }>("/v1/workspaces", { method: "POST", as: alice, body: { name: "More" } });
    let last = await createAnother();
    while (last.status === 201) last = await createAnother();
    expect(last.status).toBe(403);
    const [one] = (await app.ask<{ id: WorkspaceId }[]>("/v1/workspaces", { as: alice })).body;

    expect((await remove("More", alice, one?.id)).status).toBe(204);

    expect((await createAnother()).status).toBe(403);
    app.advance(31 * 24 * HOUR_MS);
    expect((await createAnother()).status).toBe(201);
  });
});
