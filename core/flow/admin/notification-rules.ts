import type { AuditDeps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { invalidInput } from "../../domain/basics/refusal.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import {
  toRulesView,
  type NotificationRulesInput,
  type NotificationRulesView,
} from "../../domain/people/notification-rules.ts";
import { type Channel } from "../../domain/device/channel.ts";
import { checkNotificationSteps, findChannelFaults } from "../../domain/planning/notification-steps.ts";
import { loadPeople } from "../../store/people/people.ts";
import { readDevices } from "../../store/people/devices.ts";
import * as store from "../../store/people/notification-rules.ts";
import { listRules } from "../../store/rules/rules.ts";

export type WithChannels = { ways: readonly Channel[] };

/** Returns a user's notification steps, the workspace's minimum for URGENT notifications, and the stage's channels. */
export const readUserSteps = async (
  deps: TableDeps & WithChannels,
  ws: WorkspaceId,
  userId: string,
): Promise<NotificationRulesView> => {
  const [rules, floor] = await Promise.all([
    store.readNotificationRules(deps, ws, userId),
    store.readUrgentFloor(deps, ws),
  ]);
  return toRulesView(rules, floor, deps.ways);
};

/** Stores how a person is notified. Throws Refusal `invalid_input` for channels that the stage lacks, and `changed_meanwhile`. */
export const putUserSteps = async (
  deps: AuditDeps & WithChannels,
  ws: WorkspaceId,
  userId: string,
  input: NotificationRulesInput,
  expected?: IfMatch,
): Promise<NotificationRulesView> => {
  const faults = findChannelFaults(input, deps.ways);
  if (faults.length > 0) throw invalidInput(faults);
  const saved = await store.putNotificationRules(deps, ws, userId, input, expected);
  const [people, rules, devices] = await Promise.all([
    loadPeople(deps, ws),
    listRules(deps, ws),
    readDevices(deps, ws, [userId], { consistent: true }),
  ]);
  const known = { people, rules, devices: devices.get(userId) ?? [], now: deps.now() };
  return {
    ...toRulesView(saved, people.urgentFloor, deps.ways),
    warnings: checkNotificationSteps(input, userId, known),
  };
};
