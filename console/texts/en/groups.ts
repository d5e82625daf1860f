import type { Catalogue } from "../catalogue.ts";

/** What the groups say. */
export const texts = {
  groups: {
    newGroup: "New group",
    name: "Name",
    save: "Save",
    members: "Members",
    removeQuestion: (name: string, losses: readonly string[]) =>
      [`Take ${name} out of the group?`, ...losses].join(" "),
    delete: "Delete group",
    deleteQuestion: (name: string) =>
      `Delete the group "${name}"? Its schedule goes with it, and rules that name it tell nobody of it.`,
    empty: "No group yet. A rule tells groups: make one, and choose who is in it.",
    rename: "Rename",
    renamed: (name: string) => `The group is called "${name}" now.`,
    gone: "The group that was open here has been deleted.",
    created: (name: string) => `The group "${name}" is made. Choose who is in it.`,
    deleted: (name: string) => `The group "${name}" is deleted. Rules that name it tell nobody of it.`,
  },
};
export type Texts = Catalogue<typeof texts>;
