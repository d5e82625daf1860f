import { expect, it } from "vitest";
import { createEventTypeLearner } from "../../../core/flow/match/learn-event-type.ts";
import { useTable } from "../../world/use-table.ts";

const deps = { table: (await useTable()).table };

it("the first event of a type is recognised as the first, even when it is matched again; a later event is not", async () => {
  const content = { eventKey: "a.b", title: "t", body: "b", priority: "LOW" } as const;
  const matchFirst = (receivedAt: number) => createEventTypeLearner(deps)({ workspaceId: "ws_1", receivedAt, content });

  expect([await matchFirst(1000), await matchFirst(1000), await matchFirst(2000)]).toEqual([true, true, false]);
});
