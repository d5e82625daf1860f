import { expect, it } from "vitest";
import { TYPE_FIELDS_MAX } from "../../../core/domain/basics/limits.ts";
import { readSeenPaths, storeEventType } from "../../../core/store/events/event-types.ts";
import { useTable } from "../../world/use-table.ts";

const deps = { table: (await useTable()).table };
const TYPES_MAX = 200;

const store = (ws: `ws_${string}`, eventKey: string, fields: number) => {
  const paths = Array.from({ length: fields }, (_, index) => `data.f${index}`);
  const shape = Object.fromEntries(paths.map((path) => [path, { types: [], samples: [] }]));
  return storeEventType(deps, ws, { eventKey, firstSeenAt: "2026-11-21T12:00:00.000Z" }, shape, undefined);
};

it("the fields of an event type with the most fields are unknown, since further fields are not stored", async () => {
  await store("ws_fields", "one.more", TYPE_FIELDS_MAX - 1);
  await store("ws_fields", "most", TYPE_FIELDS_MAX);

  const seen = await readSeenPaths(deps, "ws_fields");
  expect([...seen].map(([eventKey, paths]) => [eventKey, paths?.length])).toEqual([
    ["most", undefined],
    ["one.more", TYPE_FIELDS_MAX - 1],
  ]);
});

it("the event types of a workspace are unknown from the 200th on, since not all of them are read", async () => {
  for (let number = 1; number < TYPES_MAX; number += 1) await store("ws_types", `type.${number}`, 0);
  expect((await readSeenPaths(deps, "ws_types")).size).toBe(TYPES_MAX - 1);

  await store("ws_types", "type.last", 0);
  expect(await readSeenPaths(deps, "ws_types")).toEqual(new Map());
});
