import { expect, it } from "vitest";
import { TYPE_FIELDS_MAX } from "../../../core/domain/basics/limits.ts";
import { readSeenPaths, storeEventType } from "../../../core/store/events/event-types.ts";
import { useTable } from "../../world/use-table.ts";

const deps = { table: (await useTable()).table };

const store = (eventKey: string, fields: number) => {
  const paths = Array.from({ length: fields }, (_, index) => `data.f${index}`);
  const shape = Object.fromEntries(paths.map((path) => [path, { types: [], samples: [] }]));
  return storeEventType(deps, "ws_1", { eventKey, firstSeenAt: "2026-11-21T12:00:00.000Z" }, shape, undefined);
};

it("the list of an event type's fields counts as unknown once it is full, because further fields are not stored", async () => {
  await store("one.more", TYPE_FIELDS_MAX - 1);
  await store("most", TYPE_FIELDS_MAX);

  const seen = await readSeenPaths(deps, "ws_1");
  expect([...seen.values()].map((paths) => paths?.length)).toEqual([undefined, TYPE_FIELDS_MAX - 1]);
});
