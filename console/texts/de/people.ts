import type { Texts } from "../en/people.ts";
import { number } from "../numbers.ts";

export const texts = {
  people: {
    rings: "Klingeln",
    ringsOf: (name: string) => `Klingeln bei ${name}`,
    userId: "Benutzerkennung",
    machine: "Maschine",
    machineId: "Name und Geheimnis hat sie vom Betreiber. Maschinenkennung",
    name: "Name",
    email: "E-Mail",
    save: "Speichern",
    saved: (name: string) => `${name} ist gespeichert.`,
    removed: (name: string) => `${name} ist entfernt.`,
    leave: "Austreten",
    revoke: (names: readonly string[]) =>
      names.length === 0
        ? "Auch die Kalenderfeeds von Gruppen beenden, die hier angelegt wurden und sonst weiterliefen"
        : `Auch ${names.length === 1 ? "den API-Schlüssel" : `die ${number(names.length)} API-Schlüssel`} (${names.join(", ")}) löschen und die Kalenderfeeds von Gruppen beenden, die sonst weiterliefen`,
    leaveQuestion: (_: string, losses: readonly string[]) =>
      ["Diesen Arbeitsbereich verlassen? Zugang, Gruppen, Schichten und Geräte enden für Sie sofort.", ...losses].join(
        " ",
      ),
    removeQuestion: (name: string, losses: readonly string[]) =>
      [`${name} aus dem Arbeitsbereich entfernen? Zugang, Gruppen, Schichten und Geräte enden sofort.`, ...losses].join(
        " ",
      ),
    goesOn: {
      heartbeats: (names: string) => `Heartbeats, die hier angelegt wurden, laufen weiter: ${names}.`,
      webhooks: (names: string) => `Webhooks, die hier angelegt wurden, laufen weiter: ${names}.`,
    },
    namedBy: (names: string) =>
      `Eskalationsrichtlinien, die die Person nennen, erreichen dort niemanden mehr: ${names}.`,
    schedules: (names: string) => `Die Person verlässt die Dienstpläne von ${names}.`,
  },
  invitations: {
    invite: "Jemanden einladen",
    lead: "Eine oder mehrere, mit Kommas dazwischen. Wer sich mit einer solchen Adresse anmeldet, wird gefragt und tritt mit einem Druck bei. Ein Konto legt an, wer den Dienst betreibt, oder das Single Sign-on.",
    email: "E-Mail-Adressen",
    group: "Gruppe",
    noGroup: "Noch keine Gruppe",
    send: "Einladen",
    sent: (email: string, mailed: boolean) =>
      mailed
        ? `${email} ist eingeladen, per E-Mail.`
        : `${email} ist eingeladen. Es ging keine E-Mail hinaus: Sagen Sie der Person, dass sie sich hier anmelden soll.`,
    sentAll: (people: number, mailed: boolean) =>
      mailed
        ? `${people} Personen sind eingeladen, per E-Mail.`
        : `${people} Personen sind eingeladen. Nicht jede E-Mail ging hinaus: Sagen Sie ihnen, dass sie sich hier anmelden sollen.`,
    open: "Eingeladen",
    until: (day: string) => `bis ${day}`,
    again: "Erneut einladen",
    takeBack: "Zurücknehmen",
    takeBackQuestion: (email: string) => `Die Einladung von ${email} zurücknehmen? Die Person wird nicht mehr gefragt.`,
    takenBack: (email: string) => `${email} ist nicht mehr eingeladen.`,
  },
} satisfies Texts;
