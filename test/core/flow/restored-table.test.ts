import * as v from "valibot";
import { beforeEach, describe, expect, it } from "vitest";
import { parseEventId } from "../../../core/domain/basics/ids.ts";
import { EventContent } from "../../../core/domain/event/event.ts";
import { createEventMatcher } from "../../../core/flow/match/match-event.ts";
import { createEvent, readEvent } from "../../../core/store/events/events.ts";
import { putMarker } from "../../../core/store/events/markers.ts";
import { listOpenEvents, putOpenEvent } from "../../../core/store/events/open-events.ts";
import { readLostCounts } from "../../../core/store/events/sequence.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, type World } from "../../world/world.ts";

const content = v.parse(EventContent, { eventKey: "disk.full", title: "Old", body: "B", priority: "LOW" });
const OLD = "evt_000000001u000000000z";
const HOUR = 3_600_000;

let world: World;
let now: string;
beforeEach(async () => {
  world = await useWorld();
  await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
  now = (await world.post()).eventId;
});

const earlierEvent = () => ({
  workspaceId: world.ws,
  eventId: OLD,
  receivedAt: world.now() - HOUR,
  rulesVersion: 1,
  peopleVersion: 1,
  content,
});

describe("after a restored table has given an event number to another event,", () => {
  it("a message about the earlier event does not change the new event", async () => {
    const match = createEventMatcher(world.deps);
    await match({ kind: "accepted", event: { ...earlierEvent(), eventId: now, content }, due: world.now() });

    const work = match({ kind: "accepted", event: earlierEvent(), due: world.now() });

    await expect(work).rejects.toThrow(`event ${OLD} is not stored`);
  });

  it("a message about the earlier event does not mark the new event as matched", async () => {
    const match = createEventMatcher(world.deps);

    const work = match({ kind: "accepted", event: earlierEvent(), due: world.now() });

    await expect(work).rejects.toThrow(`event ${OLD} is not stored`);
    await world.work();
    expect(await readEvent(world.deps, world.ws, now)).toMatchObject({ eventId: now, notifications: 1 });
    expect(world.pushed).toHaveLength(1);
  });

  it("a marker of the earlier event is dropped, and the new event is not counted as lost", async () => {
    const since = world.now() - HOUR;
    const marker = { ws: world.ws, eventId: OLD, due: world.now(), since, tries: 3 };
    await putMarker(world.deps, marker);

    const work = await createEventMatcher(world.deps)({ kind: "unfinished", marker });

    expect(listMarkers(world).filter((name) => name.includes(OLD))).toEqual([]);
    expect(work).toEqual({ pushes: [], steps: [] });
    expect(await readLostCounts(world.deps, world.ws, 0, 0)).toEqual(new Map());
    expect(await readEvent(world.deps, world.ws, now)).toMatchObject({ eventId: now });
  });

  it("the new event is listed as open, even if the earlier event is still listed under its number", async () => {
    await putOpenEvent(world.deps, world.ws, { ...earlierEvent(), seq: parseEventId(now)!.seq, notifications: 0 });
    await world.work();

    const open = await listOpenEvents(world.deps, world.ws, { limit: "all" });
    expect(open.map(({ eventId }) => eventId)).toEqual([now]);
  });

  it("no request is answered as if the earlier event existed", async () => {
    await expect(createEvent(world.deps, earlierEvent(), "req_1")).rejects.toThrow(
      `another event has the number of ${OLD}`,
    );
  });
});
