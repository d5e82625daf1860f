import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { expect, it } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { API_KEYS_MAX } from "../../../core/domain/basics/limits.ts";
import { SilenceInput } from "../../../core/domain/rules/silence-input.ts";
import { createApiKey, deleteApiKey, listApiKeys } from "../../../core/store/people/api-keys.ts";
import { createPolicy, deletePolicy } from "../../../core/store/rules/escalation-policies.ts";
import { createGroup, deleteGroup } from "../../../core/store/people/groups.ts";
import { createSilence, deleteSilence } from "../../../core/store/rules/silences.ts";
import { createWorkspace } from "../../../core/store/people/workspaces.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const stand = await useTable();

const aWorkspace = async (ws: WorkspaceId) => {
  const deps = { ...createTestClock().deps, table: stand.table };
  await createWorkspace(deps, {
    id: ws,
    name: "Acme",
    creator: { userId: "usr_1", name: "Ann", email: "a@b.example" },
  });
  return deps;
};

const repeat = <Result>(count: number, work: () => Promise<Result>) =>
  Promise.allSettled(Array.from({ length: count }, work));

it("two concurrent deletions of one item lower the workspace's count of such items by one", async () => {
  const deps = await aWorkspace("ws_places");
  const silence = v.parse(SilenceInput, { name: "Night", eventKey: "a.b", endsAt: "2090-01-01T00:00:00Z" });
  const createItems = async () => ({
    group: await createGroup(deps, "ws_places", "Ops"),
    policy: await createPolicy(deps, "ws_places", { name: "All", repeat: 0, steps: [] }),
    silence: await createSilence(deps, "ws_places", silence),
  });
  await createItems();
  const made = await createItems();

  await repeat(2, () => deleteGroup(deps, "ws_places", made.group.id));
  await repeat(2, () => deletePolicy(deps, "ws_places", made.policy.id));
  await repeat(2, () => deleteSilence(deps, "ws_places", made.silence.id));

  const { Item } = await stand.table.client.send(
    new GetCommand({ TableName: stand.table.name, Key: { pk: "WS#ws_places", sk: "COUNTS" } }),
  );
  expect(Item).toMatchObject({ groups: 1, policies: 1, silences: 1 });
});

it("one of five API keys that are created at the same time gets the last allowed slot", async () => {
  const deps = await aWorkspace("ws_keys");
  for (let key = 1; key < API_KEYS_MAX; key += 1) await createApiKey(deps, "ws_keys", { name: "one" });

  const made = await repeat(5, () => createApiKey(deps, "ws_keys", { name: "last" }));

  const keys = made.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(keys).toHaveLength(1);
  for (const one of made) if (one.status === "rejected") expect(one.reason).toMatchObject({ kind: "limit_reached" });
  expect(await listApiKeys(deps, "ws_keys")).toHaveLength(API_KEYS_MAX);
  await deleteApiKey(deps, "ws_keys", keys[0]!.id);
  expect(await createApiKey(deps, "ws_keys", { name: "again" })).toMatchObject({ name: "again" });
});
