import { describe, expect, it } from "vitest";
import type { StoredProbe } from "../../../core/domain/event/probe.ts";
import {
  putProbe,
  putProbedPerson,
  readProbe,
  readProbedPerson,
  readProbePlan,
  setProbeConfirmed,
  setProbeFault,
  setProbesDue,
  setProbeSent,
} from "../../../core/store/schedules/probes.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const stand = await useTable();
const clock = createTestClock();
const deps = { ...clock.deps, table: stand.table };
const NOW = clock.deps.now();

describe("a stored probe of a rule", () => {
  const accepted = { ruleId: "rule_1", eventId: "evt_1", acceptedAt: NOW, recipients: [] };
  const matched = { ...accepted, matchedAt: NOW + 2000, applies: true, recipients: ["usr_ann"] };
  const later = { ...accepted, eventId: "evt_2", acceptedAt: NOW + 60_000 };

  it.each<[string, StoredProbe, StoredProbe, StoredProbe]>([
    ["the request that sent the probe, then its match", accepted, matched, matched],
    ["the match, and then the request that sent the probe", matched, accepted, matched],
    ["the match, then a later probe", matched, later, later],
    ["a later probe, then the match of an earlier probe", later, matched, later],
  ])("has the result of the latest probe after these two writes: %s", async (title, first, second, expected) => {
    const ws = `ws_${title.length}` as const;
    await putProbe(deps, ws, first);
    await putProbe(deps, ws, second);

    expect(await readProbe(deps, ws, "rule_1")).toEqual(expected);
  });
});

describe("the stored push by which a person is probed", () => {
  const push = { userId: "usr_ann", id: "prb_2" };

  it("has no fault any more once a push service has accepted it", async () => {
    await putProbedPerson(deps, "ws_1", { ...push, askedAt: NOW });
    await setProbeFault(deps, "ws_1", push, "UNAVAILABLE");
    await setProbeSent(deps, "ws_1", push);
    await setProbeConfirmed(deps, "ws_1", { ...push, id: "prb_1" });

    expect(await readProbedPerson(deps, "ws_1", "usr_ann")).toEqual({ ...push, askedAt: NOW, sentAt: NOW });
  });
});

it("changing a rule does not change the time at which the workspace's probes began", async () => {
  await setProbesDue(deps, "ws_2", NOW + 60_000);
  await setProbesDue({ ...deps, now: () => NOW + 5_000 }, "ws_2", NOW + 120_000);

  expect(await readProbePlan(deps, "ws_2")).toEqual({ since: NOW, at: NOW + 120_000, red: [] });
});
