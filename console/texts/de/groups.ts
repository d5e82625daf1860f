import type { Texts } from "../en/groups.ts";

export const texts = {
  groups: {
    newGroup: "Neue Gruppe",
    name: "Name",
    save: "Speichern",
    members: "Mitglieder",
    removeQuestion: (name: string, losses: readonly string[]) =>
      [`${name} aus der Gruppe nehmen?`, ...losses].join(" "),
    delete: "Gruppe löschen",
    deleteQuestion: (name: string) =>
      `Die Gruppe „${name}“ löschen? Ihr Dienstplan geht mit ihr, und Regeln, die sie nennen, benachrichtigen daraus niemanden mehr.`,
    empty: "Noch keine Gruppe. Eine Regel benachrichtigt Gruppen: Legen Sie eine an, und wählen Sie, wer darin ist.",
    rename: "Umbenennen",
    renamed: (name: string) => `Die Gruppe heißt jetzt „${name}“.`,
    gone: "Die Gruppe, die hier offen war, wurde gelöscht.",
    created: (name: string) => `Die Gruppe „${name}“ ist angelegt. Wählen Sie, wer darin ist.`,
    deleted: (name: string) =>
      `Die Gruppe „${name}“ ist gelöscht. Regeln, die sie nennen, benachrichtigen daraus niemanden mehr.`,
  },
} satisfies Texts;
