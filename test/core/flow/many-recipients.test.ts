import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listDevices } from "../../../core/store/people/devices.ts";
import { createPostEvent } from "../../../functions/doors/post-event.ts";
import type { Fcm, InboxEntry } from "../../../local/fcm/server.ts";
import { startFcmForThisProcess } from "../../local/fcm/support.ts";
import { call } from "../../world/http.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers } from "../../world/world.ts";
import { aPush, createPushOverFcm } from "../push/support.ts";

let fcm: Fcm;
const taken: InboxEntry[] = [];
beforeAll(async () => {
  fcm = await startFcmForThisProcess({ onMessage: (entry) => taken.push(entry) });
});
afterEach(() => {
  fcm.setMode({});
  taken.length = 0;
});
afterAll(() => fcm.close());

const people = Array.from({ length: 500 }, (_, index) => `usr_${String(index).padStart(3, "0")}`);
const DEADLINE_MS = 5000;
const stalled = "usr_017";
const reset = "usr_117";
const stale = "usr_217";

/** Everybody has two devices, of which `someBrokenTokens` breaks the first one of three people. */
const workingTokens = (userId: string) => [`${userId}-1`, `${userId}-2`];
const someBrokenTokens = (userId: string) => {
  const first = { [stalled]: "stall-", [reset]: "reset-1-", [stale]: "stale-" }[userId] ?? "";
  return [`${first}${userId}-a`, `${userId}-b`];
};

/** Notifies everybody, and measures the time until the last notification is SENT. */
const notify = async (tokensOf: (userId: string) => string[]) => {
  const world = await useWorld({ live: true, push: createPushOverFcm(aPush({ deadlineMs: DEADLINE_MS })) });
  await world.rule([await world.largeGroup(people, tokensOf)]);
  const posted = world.now();
  await world.post();
  await world.runFor(60_000);
  const notifications = await world.notifications();
  const tookMs = Math.max(...notifications.map(({ sentAt = Infinity }) => sentAt - posted));
  return { world, notifications, tookMs };
};

describe("500 people with two devices each, over TLS to the stand-in for FCM,", () => {
  it(
    "are reached within 5 seconds, even if a token stalls, resets the connection or is stale",
    { timeout: 120_000 },
    async () => {
      // A run without broken tokens measures how fast this machine is.
      const undisturbed = await notify(workingTokens);
      taken.length = 0;
      fcm.setMode({ send: [{ kind: "stall", tokenPrefix: "stall-", times: 1 }] });

      const { world, notifications, tookMs } = await notify(someBrokenTokens);

      expect(notifications.map(({ status }) => status)).toEqual(people.map(() => "SENT"));
      expect(tookMs).toBeLessThan(Math.max(DEADLINE_MS, 2 * undisturbed.tookMs));
      const pushes = Map.groupBy(taken, ({ token }) => token);
      const expected = people.flatMap(someBrokenTokens).filter((token) => !token.startsWith("stale-"));
      expect([...pushes.keys()].sort()).toEqual(expected.sort());
      const twice = [...pushes].filter(([, entries]) => entries.length > 1);
      expect(twice.map(([token]) => token)).toContain("reset-1-usr_117-a");
      // On a busy machine, more pushes may miss their deadline, and be repeated.
      if (undisturbed.tookMs < DEADLINE_MS / 2) expect(twice).toHaveLength(1);
      for (const [token, entries] of twice) {
        const ids = entries.map(({ message }) => message.data!["notificationId"]);
        expect([token, ...ids]).toEqual([token, ids[0], ids[0]]);
      }
      const left = await listDevices(world.deps, world.ws, stale);
      expect(left.map(({ token }) => token)).toEqual(["usr_217-b"]);
      expect(await listDevices(world.deps, world.ws, reset)).toHaveLength(2);
      expect(listMarkers(world)).toEqual([]);
    },
  );
});

describe("an event that contains only emoji", () => {
  it.each([
    ["emoji of one code point", "🧯", 200, 2000],
    ["families of five code points", "👩‍👩‍👧", 40, 400],
    ["flags of two code points", "🇩🇪", 100, 1000],
  ])("arrives within the size limit, cut between graphemes: %s", async (_, emoji, inTitle, inBody) => {
    const world = await useWorld({ live: true, push: createPushOverFcm(aPush()) });
    await world.rule([await world.group("Ops", ["usr_ann"])]);
    const event = { event: "fire.seen", title: emoji.repeat(inTitle), body: emoji.repeat(inBody) };

    const answer = await call(createPostEvent(world.deps), { headers: { "x-api-key": world.apiKey }, body: event });
    await world.work();

    expect(answer.status).toBe(201);
    const { message } = taken[0]!;
    expect(Buffer.byteLength(JSON.stringify({ ...message, token: "" }))).toBeLessThan(4096);
    const { title, body } = message.notification as { title: string; body: string };
    expect(title.replaceAll(emoji, "")).toMatch(/^…?$/u);
    expect(body.replaceAll(emoji, "")).toBe("…");
    expect(title.isWellFormed() && body.isWellFormed()).toBe(true);
  });
});
