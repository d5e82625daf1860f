import type { Texts } from "../en/connections.ts";

export const texts = {
  connections: {
    newConnection: "Neue Verbindung",
    edit: "Verbindung bearbeiten",
    name: "Name",
    nameHint: "Wer den Kanal nutzt, etwa der Betrieb.",
    kind: "Art",
    kinds: {
      slack: "Slack-Kanal",
      teams: "Teams-Kanal",
      slack_user_group: "Slack-Nutzergruppe mit den Personen in Bereitschaft",
    },
    short: { slack: "Slack", teams: "Teams", slack_user_group: "Slack-Nutzergruppe" },
    channel: "Kanal",
    channelHint: "Die Kanal-ID, etwa C0123456789. Slack zeigt sie am Ende der Kanaldetails.",
    userGroup: "Nutzergruppe",
    userGroupHint:
      "Die ID, etwa S0123456789. Slack zeigt sie unter „Personen“ > „Nutzergruppen“ im Menü der Gruppe. Die Personen in Bereitschaft ersetzen alle jetzigen Mitglieder der Nutzergruppe.",
    url: "URL des Workflows",
    urlHint:
      "Teams zeigt diese URL unter „Workflows“ > „Webhookwarnungen an einen Kanal senden“. Die Konsole zeigt sie nicht noch einmal.",
    tiesHint: "Ist nichts gewählt, wird jedes Ereignis gepostet, das jemanden benachrichtigt.",
    rules: "Ereignisse, auf die diese Regeln passen",
    groups: "Ereignisse, die diese Gruppen benachrichtigen",
    followed: "Wer in diesen Gruppen Bereitschaft hat",
    follows: (names: string) => `Wer Bereitschaft hat in ${names}`,
    inIt: (names: string) => `Mitglieder: ${names}`,
    nobody: "niemand",
    unlinked: (names: string) =>
      `In Bereitschaft, aber nicht in der Nutzergruppe: ${names}. Um ihr Konto zu verknüpfen, müssen diese Personen in Slack einmal einen Knopf eines Alarms drücken.`,
    kept: {
      nobody_on_call: "Niemand hat Bereitschaft, daher behält die Nutzergruppe ihre Mitglieder.",
      nobody_linked:
        "Niemand in Bereitschaft hat ein Slack-Konto verknüpft, daher behält die Nutzergruppe ihre Mitglieder.",
    },
    notYet: "Die Nutzergruppe wird innerhalb einer Minute gefüllt.",
    save: "Speichern",
    saved: (name: string) => `Die Verbindung „${name}“ ist gespeichert.`,
    empty:
      "Noch keine Verbindungen. Posten Sie Ereignisse in einen Slack- oder Teams-Kanal, oder gleichen Sie eine Slack-Nutzergruppe mit den Personen in Bereitschaft ab.",
    everything: "Jedes Ereignis",
    gone: "(gelöscht)",
    status: { active: "Funktioniert", waiting: "Gestört", suspended: "Ausgesetzt", paused: "Angehalten" },
    since: "seit",
    nextTry: "nächster Versuch",
    lastTry: (code: string) => `letzter Versuch: ${code}`,
    test: "Testen",
    tested: "Test im Kanal gepostet.",
    broughtUpToDate: "Die Nutzergruppe enthält jetzt die Personen in Bereitschaft.",
    notTested: (code: string) => `Der Test ist fehlgeschlagen: ${code}.`,
    pause: "Anhalten",
    resume: "Fortsetzen",
    paused: (name: string) =>
      `Die Verbindung „${name}“ ist angehalten. Nachrichten warten, bis Sie die Verbindung fortsetzen.`,
    resumed: (name: string) => `Verbindung „${name}“ fortgesetzt. Wartende Nachrichten werden jetzt gesendet.`,
    delete: "Löschen",
    deleteOf: (name: string) => `${name} löschen`,
    deleteQuestion: (name: string) =>
      `Die Verbindung „${name}“ löschen? Gepostete Nachrichten bleiben, und die Nutzergruppe behält ihre Mitglieder.`,
    deleted: (name: string) => `Die Verbindung „${name}“ ist gelöscht.`,
    tie: "Slack-Konto verknüpfen",
    tieQuestion: (who: string) =>
      `Ist ${who} Ihr eigenes Slack-Konto? Knöpfe, die mit diesem Konto gedrückt werden, quittieren und lösen Ereignisse in Ihrem Namen. Wenn Ihnen jemand diesen Link geschickt hat, wählen Sie „Nein“.`,
    tieYes: "Ja, es ist meines",
    tieNo: "Nein",
    tied: "Konto verknüpft. Drücken Sie den Knopf in Slack noch einmal.",
    untie: "Verknüpfung mit Slack aufheben",
    untied: "Verknüpfung mit Slack aufgehoben. Sie werden aus den Nutzergruppen in Slack entfernt.",
  },
} satisfies Texts;
