import { expect, it } from "vitest";
import { readEventView } from "../../../../core/flow/read/read-event.ts";
import { storePlanOnce } from "../../../../core/store/events/progress.ts";
import { createEvent } from "../../../../core/store/events/events.ts";
import { createWorkspace } from "../../../../core/store/people/workspaces.ts";
import { createTestClock } from "../../../world/clock.ts";
import { useTable } from "../../../world/use-table.ts";

const stand = await useTable();

it("a matched event shows its planned notifications before they are stored", async () => {
  const deps = { ...createTestClock().deps, table: stand.table };
  const creator = { userId: "usr_a", name: "Ann", email: "ann@acme.example" };
  const { id: ws } = await createWorkspace(deps, { name: "Acme", creator });
  const event = {
    workspaceId: ws,
    eventId: "evt_00000000100000000000",
    receivedAt: deps.now(),
    rulesVersion: 1,
    peopleVersion: 1,
    content: { eventKey: "a.b", title: "T", body: "B", priority: "LOW" as const },
  };
  await createEvent(deps, event, "req_1");
  await storePlanOnce(
    deps,
    event,
    {
      at: deps.now(),
      rulesVersion: 1,
      peopleVersion: 1,
      rules: [
        {
          rule: { id: "rule_1", version: 1, name: "All" },
          requiresAck: true,
          priority: "LOW",
          priorityFrom: "event",
          recipients: [{ userId: "usr_a", reason: { groupId: "grp_1" } }],
        },
      ],
    },
    { notifications: 1, needsAck: true },
  );

  const view = await readEventView(deps, ws, event.eventId);

  expect(view?.outcome).toBe("pending");
  expect(view?.notifications).toMatchObject([
    { status: "QUEUED", requiresAck: true, user: { id: "usr_a", name: "Ann", email: "ann@acme.example" } },
  ]);
});
