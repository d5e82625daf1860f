import type { Texts } from "../en/people.ts";
import { formatNumber } from "../numbers.ts";

export const texts = {
  people: {
    noShifts: "Hat gerade keine Bereitschaft und ist in keiner Gruppe als Nächstes an der Reihe.",
    onCallUntil: (at: string | undefined) => (at === undefined ? "Hat Bereitschaft" : `Bereitschaft bis ${at}`),
    nextShift: (at: string | undefined) => `Nächste Schicht ab ${at ?? ""}`,
    noGroups: "In keiner Gruppe.",
    noRules: "Keine Regel nennt eine Gruppe dieser Person.",
    reached: "Zuletzt erreicht",
    notReached: "noch nicht erreicht",
    rings: "Benachrichtigungsschritte",
    moreOf: (name: string) => `Mehr zu ${name}`,
    ringsOf: (name: string) => `Benachrichtigungsschritte von ${name}`,
    userId: "Benutzerkennung",
    machine: "Maschine",
    machineId: "Der Betreiber hat Name und Geheimnis dieser Maschine festgelegt. Ihre Kennung:",
    name: "Name",
    email: "E-Mail",
    save: "Speichern",
    saved: (name: string) => `${name} ist gespeichert.`,
    removed: (name: string) => `${name} ist entfernt.`,
    devicesOf: (name: string) => `Geräte von ${name}`,
    deviceSince: (day: string) => `hinzugefügt am ${day}`,
    removeDeviceQuestion: (kind: string, name: string) =>
      `Dieses Gerät von ${name} entfernen (${kind})? Das Gerät erhält dann keine Benachrichtigungen mehr, und ${name} wird über das Entfernen benachrichtigt.`,
    deviceRemoved: (kind: string, name: string) => `Gerät von ${name} entfernt (${kind}).`,
    leave: "Austreten",
    revoke: (names: readonly string[]) =>
      names.length === 0
        ? "Auch die Gruppen-Kalenderfeeds schließen, die diese Person angelegt hat"
        : `Auch ${names.length === 1 ? "den API-Schlüssel" : `die ${formatNumber(names.length)} API-Schlüssel`} (${names.join(", ")}) löschen und die Gruppen-Kalenderfeeds schließen, die diese Person angelegt hat`,
    leaveQuestion: (_: string, losses: readonly string[]) =>
      ["Diesen Arbeitsbereich verlassen? Sie verlieren sofort Zugang, Gruppen, Schichten und Geräte.", ...losses].join(
        " ",
      ),
    removeQuestion: (name: string, losses: readonly string[]) =>
      [
        `${name} aus dem Arbeitsbereich entfernen? Die Person verliert sofort Zugang, Gruppen, Schichten und Geräte.`,
        ...losses,
      ].join(" "),
    goesOn: {
      heartbeats: (names: string) => `Von der Person angelegte Lebenszeichen bleiben aktiv: ${names}.`,
      webhooks: (names: string) => `Von der Person angelegte Webhooks bleiben aktiv: ${names}.`,
    },
    namedBy: (names: string) => `Diese Eskalationsrichtlinien benachrichtigen die Person nicht mehr: ${names}.`,
    schedules: (names: string) => `Die Person wird aus den Dienstplänen von ${names} entfernt.`,
  },
  invitations: {
    invite: "Jemanden einladen",
    lead: "Eine oder mehrere Adressen, durch Kommas getrennt. Wer sich mit einer dieser Adressen anmeldet, kann beitreten. Konten legt der Betreiber oder das Single Sign-on an.",
    email: "E-Mail-Adressen",
    group: "Gruppe",
    noGroup: "Noch keine Gruppe",
    send: "Einladen",
    sent: (email: string, mailed: boolean) =>
      mailed
        ? `${email} ist per E-Mail eingeladen.`
        : `${email} ist eingeladen. Es wurde keine E-Mail gesendet: Bitten Sie die Person, sich hier anzumelden.`,
    sentAll: (people: number, mailed: boolean) =>
      mailed
        ? `${people} Personen sind per E-Mail eingeladen.`
        : `${people} Personen sind eingeladen. Nicht jede E-Mail wurde gesendet: Bitten Sie die Personen, sich hier anzumelden.`,
    open: "Eingeladen",
    until: (day: string) => `bis ${day}`,
    again: "Erneut einladen",
    takeBack: "Zurücknehmen",
    takeBackQuestion: (email: string) =>
      `Die Einladung von ${email} zurücknehmen? Die Person kann mit dieser Einladung dann nicht mehr beitreten.`,
    takenBack: (email: string) => `Einladung für ${email} zurückgenommen.`,
  },
} satisfies Texts;
