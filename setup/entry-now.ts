import { GroupMember, GroupView } from "../core/domain/people/group.ts";
import type { Api } from "./api.ts";
import type { Entry } from "./plan.ts";
import {
  connectionOf,
  floorsOf,
  fromGroup,
  type Owned,
  policyOf,
  ruleOf,
  shown,
  scheduleOf,
  silenceOf,
  webhookOf,
  type Workspace,
} from "./workspace.ts";
import type { SetUpSection } from "./write.ts";

/* An entry of a set-up as the workspace has it at this moment. */

/** Where the interface has each section's entries. */
export const paths: Record<Owned, string> = {
  groups: "/groups",
  policies: "/escalation-policies",
  rules: "/routing-rules",
  silences: "/silences",
  webhooks: "/webhooks",
  connections: "/connections",
};

/** Sections whose entries change and go; keys are only made, people only given another role. */
export type Changing = Exclude<SetUpSection, "people" | "keys">;

export const idOf = ({ ids }: Workspace, section: Owned, name: string): string => ids[section].get(name)?.[0] ?? "";

/** An entry as it is in the workspace, and its version; undefined where no write depends on one. */
export type Found = { entry: Entry; version: number | undefined };

/** The current state of an entry in the workspace; undefined if it is gone. */
export const readEntry = async (
  { api, workspace }: { api: Api; workspace: Workspace },
  section: Changing,
  name: string,
): Promise<Found | undefined> => {
  const { names } = workspace;
  const id = section === "floors" ? "" : idOf(workspace, section === "schedules" ? "groups" : section, name);
  switch (section) {
    case "groups": {
      const group = await api.getTagged(`${paths.groups}/${id}`, GroupView);
      if (group === undefined) return undefined;
      const members = await api.list(`${paths.groups}/${id}/members`, GroupMember);
      const userIds = members.map(({ userId }) => userId);
      return { entry: fromGroup(group.found.name, userIds, names), version: group.version };
    }
    case "schedules": {
      const schedule = await api.get(`/groups/${id}/on-call`, shown.schedule);
      if (schedule === undefined || schedule.layers.length === 0) return undefined;
      return { entry: scheduleOf(name, schedule, names), version: schedule.version };
    }
    case "floors": {
      const own = await api.getTagged("", shown.workspace);
      const [entry] = own === undefined ? [] : floorsOf(own.found);
      return entry && { entry, version: own?.version };
    }
    case "policies": {
      const policy = await api.get(`${paths.policies}/${id}`, shown.policy);
      return policy && { entry: policyOf(policy, names), version: policy.version };
    }
    case "rules": {
      const rule = await api.get(`${paths.rules}/${id}`, shown.rule);
      return rule && { entry: ruleOf(rule, names), version: rule.version };
    }
    case "webhooks": {
      const webhook = await api.get(`${paths.webhooks}/${id}`, shown.webhook);
      return webhook && { entry: webhookOf(webhook), version: webhook.version };
    }
    case "connections": {
      const connection = await api.get(`${paths.connections}/${id}`, shown.connection);
      return connection && { entry: connectionOf(connection, names), version: connection.version };
    }
    case "silences": {
      const silence = await api.get(`${paths.silences}/${id}`, shown.silence);
      return silence && { entry: silenceOf(silence), version: silence.version };
    }
  }
};
