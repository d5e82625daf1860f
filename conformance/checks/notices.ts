import assert from "node:assert/strict";
import { createSection } from "../check.ts";
import { retryUntilSuccess, expectBody, expectStatus } from "../expect.ts";
import { Event, EventPage } from "../shapes.ts";
import { buildEvent, type World } from "../world.ts";

/** Uses up the quota of the smallest workspace, and returns its notices. */
const useUpQuota = async ({ client, tiny }: World) => {
  const token = tiny.members[0]?.token;
  await retryUntilSuccess(async () => {
    expectStatus(await client("POST", "/v1/events", { apiKey: tiny.apiKey, body: buildEvent() }), 403);
  });
  const answer = await client("GET", `/v1/workspaces/${tiny.id}/events?limit=100`, { token });
  const listed = expectBody(answer, 200, EventPage).items.filter(({ eventKey }) => eventKey === "service.quota");
  const events = [];
  for (const { id } of listed)
    events.push(expectBody(await client("GET", `/v1/workspaces/${tiny.id}/events/${id}`, { token }), 200, Event));
  return events;
};

export const notices = createSection("Notices of the service", {
  "reports that 80 and 100 percent of the monthly quota are used, once each": async (world) => {
    const percents = (await useUpQuota(world)).map(({ data }) => Object(data)["percent"]);
    assert.deepEqual(percents, [100, 80]);
  },
  "notifies the owners without a rule, and says why": async (world) => {
    for (const found of await useUpQuota(world)) {
      const { id } = found;
      const event = await retryUntilSuccess(async () => {
        const path = `/v1/workspaces/${world.tiny.id}/events/${id}`;
        const answer = await world.client("GET", path, { token: world.tiny.members[0]?.token });
        const read = expectBody(answer, 200, Event);
        assert.ok(read.matched);
        return read;
      });
      assert.deepEqual([event.priority, event.state, event.matchedRules, event.silence], ["HIGH", "none", [], null]);
      assert.equal(event.notice?.to, "owners");
      assert.deepEqual(
        event.notifications.map(({ user, rule }) => [user.id, rule.id]),
        world.tiny.members.slice(0, 1).map(({ userId }) => [userId, "service"]),
      );
    }
  },
});
