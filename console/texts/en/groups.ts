import type { Catalogue } from "../catalogue.ts";

export const texts = {
  groups: {
    nobodyOnCall: "Nobody is on call",
    noSchedule: "No schedule",
    schedule: "Edit schedule",
    onCallNow: (names: readonly string[], until: string | undefined) =>
      `${names.join(", ")}${until === undefined ? "" : ` until ${until}`}`,
    thenOnCall: (at: string, names: readonly string[]) =>
      `until ${at}, then ${names.length === 0 ? "nobody" : names.join(", ")}`,
    noMembers: "No members: nobody is notified through this group.",
    noRules: "No rule names this group.",
    noPolicies: "No escalation policy names this group.",
    newGroup: "New group",
    name: "Name",
    save: "Save",
    members: "Members",
    removeQuestion: (name: string, losses: readonly string[]) =>
      [`Remove ${name} from the group?`, ...losses].join(" "),
    delete: "Delete group",
    deleteQuestion: (name: string, policies: readonly string[]) =>
      `Delete the group "${name}"? Its schedule is deleted too, and rules that name the group no longer notify its members.${policies.length === 0 ? "" : ` Escalation policies lose a step: ${policies.map((policy) => `"${policy}"`).join(", ")}.`}`,
    empty: "No groups yet. Rules notify groups: create one, such as Platform, and choose its members.",
    rename: "Rename",
    renamed: (name: string) => `Group renamed to "${name}".`,
    gone: "This group was deleted.",
    created: (name: string) => `Group "${name}" created. Choose its members.`,
    deleted: (name: string) => `Group "${name}" deleted. Rules that name the group no longer notify its members.`,
  },
};
export type Texts = Catalogue<typeof texts>;
