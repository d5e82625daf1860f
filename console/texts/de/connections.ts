import type { Texts } from "../en/connections.ts";

export const texts = {
  connections: {
    newConnection: "Neue Verbindung",
    edit: "Verbindung bearbeiten",
    name: "Name",
    nameHint: "Wer dort spricht, etwa der Betrieb.",
    kind: "Wo",
    kinds: {
      slack: "Kanal in Slack",
      teams: "Kanal in Teams",
      slack_user_group: "Nutzergruppe in Slack, die der Bereitschaft folgt",
    },
    short: { slack: "Slack", teams: "Teams", slack_user_group: "Slack-Nutzergruppe" },
    channel: "Kanal",
    channelHint: "Seine Kennung, etwa C0123456789: Slack zeigt sie am Ende der Kanaldetails.",
    userGroup: "Nutzergruppe",
    userGroupHint:
      "Ihre Kennung, etwa S0123456789: unter Personen, Nutzergruppen, im Menü der Gruppe. Wer Bereitschaft hat, ersetzt alle, die jetzt darin sind.",
    url: "Adresse des Workflows",
    urlHint:
      "Wie Teams sie unter Workflows zeigt, Webhookwarnungen an einen Kanal senden. Sie wird nicht wieder gezeigt.",
    tiesHint: "Nichts gewählt: jedes Ereignis, das jemandem gemeldet wird, geht dorthin.",
    rules: "Ereignisse, auf die diese Regeln passen",
    groups: "Ereignisse, die diesen Gruppen gemeldet werden",
    followed: "Wer in diesen Gruppen Bereitschaft hat",
    follows: (names: string) => `Wer Bereitschaft hat in ${names}`,
    inIt: (names: string) => `Darin: ${names}`,
    nobody: "niemand",
    unlinked: (names: string) =>
      `In Bereitschaft und nicht darin: ${names}. Sie drücken in Slack einmal den Knopf eines Alarms und sagen über den Link, wer sie sind.`,
    kept: {
      nobody_on_call: "Niemand hat Bereitschaft; darum bleibt darin, wer darin war.",
      nobody_linked: "Niemand in Bereitschaft ist in Slack bekannt; darum bleibt darin, wer darin war.",
    },
    notYet: "Wird innerhalb einer Minute gefüllt.",
    save: "Speichern",
    saved: (name: string) => `Die Verbindung „${name}“ ist gespeichert.`,
    empty:
      "Noch keine Verbindung. Ein Kanal von Slack oder Teams kann verfolgen, was aus Ereignissen wird, und eine Nutzergruppe von Slack, wer Bereitschaft hat.",
    everything: "Jedes Ereignis",
    gone: "(gelöscht)",
    status: { active: "Nimmt Nachrichten an", waiting: "Nimmt nichts an", suspended: "Ausgesetzt", paused: "Pausiert" },
    since: "seit",
    nextTry: "nächster Versuch",
    lastTry: (code: string) => `letzter Versuch: ${code}`,
    test: "Testen",
    tested: "Der Test steht im Kanal.",
    broughtUpToDate: "Sie hat, wer Bereitschaft hat.",
    notTested: (code: string) => `Der Test wurde nicht angenommen: ${code}.`,
    pause: "Pausieren",
    resume: "Fortsetzen",
    paused: (name: string) => `Die Verbindung „${name}“ pausiert. Was inzwischen geschieht, wartet.`,
    resumed: (name: string) => `Die Verbindung „${name}“ bekommt, was gewartet hat.`,
    delete: "Löschen",
    deleteQuestion: (name: string) =>
      `Die Verbindung „${name}“ löschen? Was dort steht, und wer in einer Nutzergruppe ist, bleibt.`,
    deleted: (name: string) => `Die Verbindung „${name}“ ist gelöscht.`,
    tie: "Ihr Konto bei Slack",
    tieQuestion: (who: string) =>
      `Ist ${who} Ihr eigenes Konto bei Slack? Wer es dort benutzt, quittiert und löst dann in Ihrem Namen. Wenn Ihnen jemand diesen Link geschickt hat, sagen Sie nein.`,
    tieYes: "Ja, es ist meines",
    tieNo: "Nein",
    tied: "Fertig. Drücken Sie den Knopf in Slack noch einmal: er zählt jetzt als Ihrer.",
    untie: "Mein Slack-Konto lösen",
    untied: "Was in Slack gedrückt wird, zählt nicht mehr als Ihres, und in keiner Nutzergruppe dort sind Sie.",
  },
} satisfies Texts;
