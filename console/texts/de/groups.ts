import type { Texts } from "../en/groups.ts";

export const texts = {
  groups: {
    nobodyOnCall: "Niemand hat Bereitschaft",
    noSchedule: "Kein Dienstplan",
    schedule: "Dienstplan bearbeiten",
    onCallNow: (names: readonly string[], until: string | undefined) =>
      `${names.join(", ")}${until === undefined ? "" : ` bis ${until}`}`,
    thenOnCall: (at: string, names: readonly string[]) =>
      `bis ${at}, danach ${names.length === 0 ? "niemand" : names.join(", ")}`,
    noMembers: "Keine Mitglieder: In dieser Gruppe benachrichtigen Regeln niemanden.",
    noRules: "Keine Regel nennt diese Gruppe.",
    noPolicies: "Keine Eskalationsrichtlinie nennt diese Gruppe.",
    newGroup: "Neue Gruppe",
    name: "Name",
    save: "Speichern",
    members: "Mitglieder",
    removeQuestion: (name: string, losses: readonly string[]) =>
      [`${name} aus der Gruppe entfernen?`, ...losses].join(" "),
    delete: "Gruppe löschen",
    deleteQuestion: (name: string, policies: readonly string[]) =>
      `Die Gruppe „${name}“ löschen? Auch ihr Dienstplan wird gelöscht, und Regeln mit dieser Gruppe benachrichtigen ihre Mitglieder nicht mehr.${policies.length === 0 ? "" : ` Eskalationsrichtlinien verlieren eine Stufe: ${policies.map((policy) => `„${policy}“`).join(", ")}.`}`,
    empty:
      "Noch keine Gruppen. Regeln benachrichtigen Gruppen: Legen Sie eine an, etwa Platform, und wählen Sie ihre Mitglieder.",
    rename: "Umbenennen",
    renamed: (name: string) => `Die Gruppe heißt jetzt „${name}“.`,
    gone: "Diese Gruppe wurde gelöscht.",
    created: (name: string) => `Die Gruppe „${name}“ ist angelegt. Wählen Sie ihre Mitglieder.`,
    deleted: (name: string) =>
      `Die Gruppe „${name}“ ist gelöscht. Regeln mit dieser Gruppe benachrichtigen ihre Mitglieder nicht mehr.`,
  },
} satisfies Texts;
