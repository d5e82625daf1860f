import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection } from "../check.ts";
import { retryUntilSuccess, expectFaults, expectProblem } from "../expect.ts";
import { EventPage, EventType, EventTypeWithFields, Site } from "../shapes.ts";
import { buildEvent, sendEvent } from "../world.ts";

export const eventTypes = [
  ...createSection("Event types and sites", {
    "lists the paths, types and values of an event key's data after its first event": async ({ fresh }) => {
      const workspace = await fresh();
      await sendEvent(workspace, { event: "order.failed", data: { amount: 5, inner: { code: "X" } } });
      await retryUntilSuccess(async () => {
        const list = await workspace.read("/event-types", v.array(EventType));
        assert.deepEqual(
          list.map(({ eventKey }) => eventKey),
          ["order.failed"],
        );
        const type = await workspace.read("/event-types/order.failed", EventTypeWithFields);
        assert.deepEqual(
          type.texts.map(({ path }) => path),
          ["sender"],
        );
        assert.deepEqual(
          type.fields.toSorted((a, b) => a.path.localeCompare(b.path)),
          [
            { path: "data.amount", types: ["number"], samples: [5] },
            { path: "data.inner.code", types: ["string"], samples: ["X"] },
          ],
        );
      });
      expectProblem(await workspace.ask("GET", "/event-types/order.unknown"), 404, "not_found");
    },
    "adds new paths and values of later events": async ({ fresh }) => {
      const workspace = await fresh();
      for (const amount of [5, "many"]) await sendEvent(workspace, { event: "order.failed", data: { amount } });
      await retryUntilSuccess(async () => {
        const { fields } = await workspace.read("/event-types/order.failed", EventTypeWithFields);
        assert.deepEqual(fields[0]?.types.toSorted(), ["number", "string"]);
      });
    },
    "registers a site by data.site and data.site_name": async ({ fresh }) => {
      const workspace = await fresh();
      const data = { site: "https://shop.example/a", site_name: "Shop" };
      const ids = [await sendEvent(workspace, { data }), await sendEvent(workspace, { data })];
      await sendEvent(workspace, { data: { site: "https://shop.example/a" } });
      await sendEvent(workspace);
      await retryUntilSuccess(async () => {
        const sites = await workspace.read("/sites", v.array(Site));
        assert.deepEqual(
          sites.map(({ site, name, events }) => [site, name, events]),
          [["https://shop.example/a", "Shop", 2]],
        );
      });
      const query = `site=${encodeURIComponent("https://shop.example/a")}`;
      const page = await workspace.read(`/events?${query}`, EventPage);
      assert.equal(page.total, 2);
      assert.deepEqual(page.items.map(({ id }) => id).sort(), ids.sort());
      const part = await workspace.read(`/events?${query}&limit=1&page=2`, EventPage);
      assert.deepEqual([part.total, part.items.length], [2, 1]);
      const slash = `site=${encodeURIComponent("https://SHOP.example/a/")}`;
      const plain = await workspace.read(`/events?${query}`, EventPage);
      assert.deepEqual(await workspace.read(`/events?${slash}`, EventPage), plain);
      const none = await workspace.read("/events?site=https://other.example", EventPage);
      assert.deepEqual([none.total, none.items], [0, []]);
      expectFaults(await workspace.ask("GET", "/events?site=nowhere"), "site");
      expectFaults(await workspace.ask("GET", `/events?${query}&page=101&limit=100`), "page");
    },
    "registers no site if data.site is not a URL": async ({ fresh }) => {
      const workspace = await fresh();
      await workspace.post(buildEvent({ data: { site: "not a url", site_name: "X" } }));
      assert.deepEqual(await workspace.read("/sites", v.array(Site)), []);
    },
  }),
];
