import type * as v from "valibot";
import { GroupMember, GroupView } from "../core/domain/people/group.ts";
import type { Api } from "./api.ts";
import { toFilePolicy } from "./names.ts";
import type { Entry } from "./plan.ts";
import {
  exportConnection,
  exportFloors,
  toFileGroup,
  type IdSection,
  exportRule,
  shown,
  exportSchedule,
  exportSilence,
  exportWebhook,
  type Workspace,
} from "./workspace.ts";
import type { PathBelow } from "../interface/contracts/index.ts";
import type { SetUpSection } from "./write.ts";

export const paths = {
  groups: "/groups",
  policies: "/escalation-policies",
  rules: "/routing-rules",
  silences: "/silences",
  webhooks: "/webhooks",
  connections: "/connections",
} as const satisfies Record<IdSection, PathBelow>;

/** The sections whose entries can be changed and deleted one by one. */
export type ChangeableSection = Exclude<SetUpSection, "people" | "keys" | "pay">;

/** Returns the id of an entry; empty if the workspace does not have the entry. */
export const findId = ({ ids }: Workspace, section: IdSection, name: string): string =>
  ids[section].get(name)?.[0] ?? "";

/** `version`: undefined if a write does not need the version. */
export type EntryVersion = { entry: Entry; version: number | undefined };

/** Reads the current state of an entry, with its version; returns undefined if the workspace no longer has the entry. */
export const readEntry = async (
  { api, workspace }: { api: Api; workspace: Workspace },
  section: ChangeableSection,
  name: string,
): Promise<EntryVersion | undefined> => {
  const { names } = workspace;
  const id = section === "floors" ? "" : findId(workspace, section === "schedules" ? "groups" : section, name);
  const readVersionedEntry = async <Item extends { version: number }>(
    owned: IdSection,
    schema: v.GenericSchema<unknown, Item>,
    toEntry: (item: Item) => Entry,
  ): Promise<EntryVersion | undefined> => {
    const item = await api.get(`${paths[owned]}/${id}`, schema);
    return item && { entry: toEntry(item), version: item.version };
  };
  switch (section) {
    case "groups": {
      const group = await api.getTagged(`${paths.groups}/${id}`, GroupView);
      if (group === undefined) return undefined;
      const members = await api.list(`${paths.groups}/${id}/members`, GroupMember);
      const userIds = members.map(({ userId }) => userId);
      return { entry: toFileGroup(group.found.name, userIds, names), version: group.version };
    }
    case "schedules": {
      const schedule = await api.get(`/groups/${id}/on-call`, shown.schedule);
      if (schedule === undefined || schedule.layers.length === 0) return undefined;
      return { entry: exportSchedule(name, schedule, names, workspace.readAt), version: schedule.version };
    }
    case "floors": {
      const own = await api.getTagged("", shown.workspace);
      const [entry] = own === undefined ? [] : exportFloors(own.found);
      return entry && { entry, version: own?.version };
    }
    case "policies":
      return readVersionedEntry(section, shown.policy, (policy) => toFilePolicy(policy, names));
    case "rules":
      return readVersionedEntry(section, shown.rule, (rule) => exportRule(rule, names));
    case "webhooks":
      return readVersionedEntry(section, shown.webhook, exportWebhook);
    case "connections":
      return readVersionedEntry(section, shown.connection, (connection) => exportConnection(connection, names));
    case "silences":
      return readVersionedEntry(section, shown.silence, exportSilence);
  }
};
