import type { Texts } from "../en/frame.ts";

export const texts = {
  first: {
    lead: "Sie sind noch in keinem Arbeitsbereich. Legen Sie einen an, oder bitten Sie jemanden um eine Einladung.",
    name: "Name",
    create: "Arbeitsbereich anlegen",
  },
  keysHelp: {
    heading: "Tasten",
    rows: [
      ["/", "Suchen"],
      ["j, k", "Nächster, voriger Eintrag"],
      ["a", "Den gewählten Eintrag quittieren"],
      ["z", "Die letzte Änderung rückgängig machen"],
      ["Strg+K, ⌘K", "Zu einer Seite, Regel, Gruppe oder Person"],
      ["?", "Die Tasten anzeigen"],
    ],
  },
  wrongClock: (minutes: number, isSlow: boolean) =>
    `Die Uhr dieses Geräts geht ${minutes} Min. ${isSlow ? "nach" : "vor"}. Die Zeiten hier folgen der Uhr des Dienstes.`,
  unreached: {
    silentAsk: (name: string) =>
      `Seit 30 Tagen kein Kontakt mit ${name}. Öffnen Sie auf diesem Gerät die Konsole, oder senden Sie dem Gerät einen Test.`,
    renewAsk: (name: string) =>
      `Pushes an ${name} kommen nicht an: Das Gerät ist mit den Schlüsseln eines anderen Dienstes registriert. Öffnen Sie auf diesem Gerät die Konsole und drücken Sie „Erneuern“, oder melden Sie sich in der App neu an.`,
    goneHere: "Dieser Browser erhält keine Benachrichtigungen mehr.",
    renew: "Erneuern",
  },
  shadow: {
    lasts: (until) =>
      `Schattenbetrieb bis ${until}: Der Dienst ermittelt, wen er benachrichtigen würde, benachrichtigt aber niemanden.`,
    compare: "Vergleichen",
    end: "Schattenbetrieb beenden",
    ended: "Der Schattenbetrieb ist beendet. Ab dem nächsten Ereignis wird wieder benachrichtigt.",
  },
  join: {
    ask: (who: string | undefined, workspace: string, role: string) =>
      `${who === undefined ? "Sie sind eingeladen" : `${who} lädt Sie ein`}, ${workspace} beizutreten (Rolle: ${role}).`,
    join: "Beitreten",
    joined: (workspace: string) => `Sie sind ${workspace} beigetreten.`,
  },
} satisfies Texts;
