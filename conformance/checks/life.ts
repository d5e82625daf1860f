import assert from "node:assert/strict";
import * as v from "valibot";
import { section } from "../check.ts";
import { expectBody, expectFaults, expectProblem } from "../expect.ts";
import { Event, EventLife, EventPage, Notification } from "../shapes.ts";
import { makeGroup, makeRule, send, settled, type House } from "../world.ts";

/** A workspace in which every event tells both members and has to be acknowledged. */
const strict = async (fresh: () => Promise<House>): Promise<House> => {
  const house = await fresh();
  await makeRule(house, { eventKey: "*", groupId: await makeGroup(house, house.people), requiresAck: true });
  return house;
};

const read = async (house: House, id: string) => expectBody(await house.ask("GET", `/events/${id}`), 200, Event);
const open = async (house: House): Promise<string[]> =>
  expectBody(await house.ask("GET", "/events?state=open"), 200, EventPage).items.map(({ id }) => id);

export const life = section("The life of an event", {
  "an event is open until somebody acknowledges it, and says who": async ({ fresh }) => {
    const house = await strict(fresh);
    const id = await send(house);
    const [, other] = await settled(house, id);
    assert.ok(other !== undefined);
    assert.equal((await read(house, id)).state, "open");
    assert.deepEqual(await open(house), [id]);
    const answer = await house.ask("PATCH", `/notifications/${other.id}`, { status: "ACKNOWLEDGED" });
    assert.equal(expectBody(answer, 200, Notification).acknowledgedBy?.id, house.owner.userId);
    const event = await read(house, id);
    assert.deepEqual([event.state, event.acknowledgedBy?.id], ["acknowledged", house.owner.userId]);
    assert.deepEqual(await open(house), []);
  },
  "many are acknowledged at once, and what nobody has to acknowledge stays as it is": async ({ fresh }) => {
    const house = await strict(fresh);
    const eventIds = [await send(house), await send(house, { requiresAck: false })];
    for (const id of eventIds) await settled(house, id);
    const answer = await house.ask("POST", "/events/acknowledge", { eventIds });
    const lives = expectBody(answer, 200, v.array(EventLife));
    assert.deepEqual(
      lives.map(({ id, state }) => [id, state]),
      [
        [eventIds[0], "acknowledged"],
        [eventIds[1], "none"],
      ],
    );
    expectFaults(await house.ask("POST", "/events/acknowledge", { eventIds: ["evt_1"] }), "eventIds[0]");
    expectFaults(await house.ask("POST", "/events/acknowledge", {}), "eventIds");
  },
  "resolving is final, and a sender does it by the key": async ({ fresh }) => {
    const house = await strict(fresh);
    const byHand = await send(house);
    const byKey = await send(house, { dedupeKey: "disk" });
    for (const id of [byHand, byKey]) await settled(house, id);
    const first = expectBody(await house.ask("POST", `/events/${byHand}/resolve`, { note: "Done" }), 200, EventLife);
    assert.deepEqual([first.state, first.note, first.resolvedBy?.id], ["resolved", "Done", house.owner.userId]);
    const again = expectBody(await house.ask("POST", `/events/${byHand}/resolve`, {}), 200, EventLife);
    assert.deepEqual(again, first);
    const over = await send(house, { resolves: "disk" });
    await settled(house, over);
    const resolved = await read(house, byKey);
    assert.deepEqual([resolved.state, resolved.resolvedBy?.id], ["resolved", over]);
    assert.deepEqual(await open(house), [over]);
    expectProblem(await house.ask("POST", "/events/evt_1/resolve", {}), 404, "not_found");
    expectFaults(await house.ask("POST", `/events/${byHand}/resolve`, { notes: "x" }), "notes");
  },
  "filters are checked": async ({ acme }) => {
    expectFaults(await acme.ask("GET", "/events?state=shut"), "state");
    expectFaults(await acme.ask("GET", "/events?eventKey=disk"), "eventKey");
    expectFaults(await acme.ask("GET", "/events?from=yesterday"), "from");
  },
});
