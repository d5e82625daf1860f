import { expect, it } from "vitest";
import { formatNonce, formatEventId } from "../../../core/domain/basics/ids.ts";
import type { EventContent } from "../../../core/domain/event/event.ts";
import { createSiteRegister } from "../../../core/flow/match/register-site.ts";
import { listSites } from "../../../core/store/events/sites.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const stand = await useTable();
const { deps } = createTestClock();

const anEvent = (seq: number, site: string | undefined, spread = true) => ({
  workspaceId: "ws_batch" as const,
  eventId: formatEventId({ seq, nonce: formatNonce("evt_00000000000", spread) }),
  seq,
  receivedAt: deps.now(),
  content: {
    eventKey: "a.b",
    title: "",
    body: "",
    priority: "LOW",
    ...(site === undefined ? {} : { data: { site: `https://${site}.example`, site_name: site } }),
  } satisfies EventContent,
});

it("the events of one website in a batch share a read and a write, and each is added to the website's list", async () => {
  const register = createSiteRegister({ ...deps, table: stand.table });
  const batch = [
    ...[1, 2, 3, 4, 5].map((seq) => anEvent(seq, "one")),
    ...[6, 7].map((seq) => anEvent(seq, "two")),
    anEvent(8, "one", false),
    anEvent(9, undefined),
  ];
  stand.usedUnits();

  await Promise.all(batch.map(register));

  expect(stand.usedUnits()).toBe(3 * 2);
  await Promise.all([10, 11].map((seq) => register(anEvent(seq, "two"))));
  const sites = await listSites({ table: stand.table }, "ws_batch");
  expect(Object.fromEntries(sites.map(({ name, events }) => [name, events]))).toEqual({ one: 6, two: 4 });
});
