import { listEventsBetween } from "../../../core/store/events/events.ts";
import { putSchedule } from "../../../core/store/schedules/on-call.ts";
import { CLOCK_JUMP_MS } from "../engine/modes.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";
import { waitForFirstNotification } from "./temporary-acknowledgement.ts";

const MINUTE_MS = 60_000;

export const acknowledgedGroup: Scenario = {
  name: "acknowledged-group",
  about:
    "a person acknowledges an event of a group at night; the group opens again, is resolved, and opens a third time",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, {
      people: { alice: ["alice-phone"], ben: ["ben-phone"] },
      rules: { outages: { eventKey: "*", requiresAck: true, groupBy: ["data.host"], groupMinutes: 1 } },
    });
    // The run begins at 01:00 in Auckland. Alice is in no rotation, so she hands nothing off.
    const layer = { start: "2026-11-01T00:00", every: 1, unit: "week" as const, participants: [acme.users["ben"]!] };
    await putSchedule(deps, acme.ws, acme.groups["ops"]!, () => ({
      timeZone: "Pacific/Auckland",
      layers: [{ ...layer, restrictions: [] }],
    }));
    return [acme];
  },
  play: async (play) => {
    const { clients, world, fixtures } = play;
    const acme = fixtures[0]!;
    const send = (title: string) => clients.post(acme, { event: "disk.full", title, data: { host: "a" } });
    await send("one");
    const id = await waitForFirstNotification(play);
    if (id === undefined) return;
    await clients.report(acme, "alice", id);
    await world.kernel.sleep(3 * MINUTE_MS);
    const eventId = (await send("two")).answers[0]?.eventId;
    for (let minute = 0; !world.fcm.calls.some((call) => call.eventId === eventId); minute += 0.05) {
      if (eventId === undefined || minute > 10) return;
      await world.kernel.sleep(MINUTE_MS / 20);
    }
    await send("after two");
    const { status } = await clients.call(acme, "ben", "resolve-event", { path: { eventId: eventId! }, body: {} });
    if (status !== 200) return;
    // After a shorter time, an instance with a wrong clock could receive "three" before "two" was resolved.
    await world.kernel.sleep(2 * CLOCK_JUMP_MS);
    await send("three");
  },
  expectNotified: ({ title }) => [
    ["outages|alice", "outages|ben"],
    ...(title === "one" || title === "two" ? [] : [[]]),
  ],
  check: async ({ world, clients, fixtures: [acme] }) => {
    const { ws, users } = acme!;
    const events = await world.outside((deps) => listEventsBetween(deps, ws, { from: 0, to: 1000 }));
    const two = events.find(({ content }) => content.title === "two");
    const isAcknowledged = clients.acknowledgements.some(({ status }) => status === 200);
    if (two === undefined || !isAcknowledged) return [];
    const body = two.plan?.body;
    const recipients = typeof body === "object" ? body.rules.flatMap((rule) => rule.recipients) : [];
    const quiet = recipients.flatMap((one) => (one.quiet === "acknowledged" ? [one.userId] : []));
    const found: string[] = [];
    if (quiet.join() !== users["alice"]) found.push(`two is silent for ${quiet.join(", ") || "nobody"}`);
    for (const { eventId, token, isLoud } of world.fcm.calls)
      if (eventId === two.eventId && isLoud !== (token === "ben-phone"))
        found.push(`two was sent ${isLoud ? "loudly" : "silently"} to ${token}`);
    if (found.length === 0) world.seen.add("the acknowledger was notified silently");
    const three = events.find(({ content }) => content.title === "three");
    const joinsSecond = (one: typeof three) => one?.plan?.groups?.some(({ into }) => into === two.eventId) === true;
    if (joinsSecond(three)) found.push("three joined the group of two, although two was resolved");
    if (three?.plan !== undefined && joinsSecond(events.find(({ content }) => content.title === "after two")))
      world.seen.add("a new group began after a resolved group");
    return found;
  },
};
