import * as v from "valibot";
import type { AuditDeps } from "../core/deps.ts";
import type { WorkspaceId } from "../core/domain/basics/ids.ts";
import { RuleInput } from "../core/domain/rules/rule-input.ts";
import { registerDevice } from "../core/flow/admin/register-device.ts";
import { createApiKey } from "../core/store/people/api-keys.ts";
import { addGroupMember, createGroup } from "../core/store/people/groups.ts";
import { createRule } from "../core/store/rules/rules.ts";
import { createWorkspace } from "../core/store/people/workspaces.ts";

type SetUpDeps = AuditDeps;

/** The user id of the recipient of synthetic events, which belongs to nobody. */
const SYNTHETIC_USER = `usr_${"0".repeat(32)}`;

/** The plan of the workspace for synthetic events. The quota is enough for one event per minute in 31 days, and for a replay. */
const SYNTHETIC_PLAN = { monthlyEvents: 100_000, eventsPerMinute: 60, burst: 10, retentionDays: 31 };

/** Creates the workspace for synthetic events, with one device, and returns its API key. */
export const setUpSynthetic = async (
  deps: SetUpDeps,
  device: { token: string; platform: "ios" | "android" | "web" },
): Promise<{ workspaceId: WorkspaceId; apiKey: string }> => {
  const { id: ws } = await createWorkspace(deps, {
    name: "Synthetic",
    creator: { userId: SYNTHETIC_USER, name: "Synthetic recipient", email: "" },
    plan: SYNTHETIC_PLAN,
  });
  const group = await createGroup(deps, ws, "Synthetic");
  await addGroupMember(deps, ws, { groupId: group.id, userId: SYNTHETIC_USER });
  const targets = [{ type: "group", groupId: group.id }];
  await createRule(deps, ws, v.parse(RuleInput, { name: "Synthetic events", eventKey: "synthetic.*", targets }));
  await registerDevice(deps, ws, SYNTHETIC_USER, device);
  const { key } = await createApiKey(deps, ws, { name: "synthetic" });
  return { workspaceId: ws, apiKey: key };
};
