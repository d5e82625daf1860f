import type { Texts } from "../en/events.ts";
import { counted as count, number } from "../numbers.ts";

export const texts = {
  events: {
    often: "Schnellfilter",
    lastDay: "Letzte 24 Stunden",
    search: "Im Titel suchen",
    state: "Zustand",
    anyState: "Beliebig",
    choose: (title: string) => `${title} auswählen`,
    acknowledge: (n: number) => `${count(n, "Ereignis", "Ereignisse")} quittieren`,
    acknowledged: (n: number) => `${count(n, "Ereignis", "Ereignisse")} quittiert.`,
    site: "Standort",
    allSites: "Alle Standorte",
    pages: "Seiten",
    newer: "Neuere",
    older: "Ältere",
    pageOf: (page: number, last: number, total: number) =>
      `Seite ${number(page)} von ${number(last)}, ${count(total, "Ereignis", "Ereignisse")}`,
    empty: "Noch keine Ereignisse. Legen Sie einen API-Schlüssel an; dazu gibt es einen Befehl zum Einfügen.",
    toKeys: "Zu den API-Schlüsseln",
    noneFound: "Keine Ereignisse zu diesen Filtern.",
    told: (n: number) => (n === 0 ? "niemand benachrichtigt" : `${number(n)} benachrichtigt`),
    moreFilters: "Weitere Filter",
    priority: "Priorität",
    anyPriority: "Beliebig",
    outcome: "Ergebnis",
    anyOutcome: "Beliebig",
    from: "Von",
    to: "Bis",
    found: (n: number) => count(n, "Ereignis", "Ereignisse"),
    clear: "Filter löschen",
  },
  event: {
    escalatesIn: "Eskaliert in",
    escalatesBy: (step: number, steps: number, round: number) =>
      `durch Stufe ${step} von ${steps}${round > 1 ? `, Wiederholung ${round - 1},` : ""} der Richtlinie`,
    otherKeys: (n: number) => `${count(n, "Regel gilt", "Regeln gelten")} für andere Ereignisschlüssel`,
    details: "Einzelheiten",
    story: "Verlauf",
    people: "Empfänger",
    why: "Warum?",
    whyNot: "Warum nicht?",
    notTold: "Nicht benachrichtigt",
    replay: "In einer Regel nachspielen",
    noRule: "Keine Regel hat auf dieses Ereignis gepasst.",
    notice: {
      owners: (because: string) => `Die Eigentümer wurden benachrichtigt, Grund: ${because}.`,
      people: (because: string) => `Die Zuständigen wurden benachrichtigt, Grund: ${because}.`,
    },
    explained: (name: string) => `Erklärung für ${name}`,
    now: "Jetzt",
    later: (duration: string) => `${duration} später`,
    thenTold: (who: readonly string[], step: number, steps: number, round: number) =>
      `${who.length === 0 ? "Niemand" : who.join(", ")}, durch Stufe ${step} von ${steps}${round > 1 ? `, Wiederholung ${round - 1},` : ""} der Richtlinie`,
    received: "Ereignis eingegangen.",
    matched: (rule: string, version: number) => `Die Regel ${rule} (Version ${version}) hat zugetroffen.`,
    called: (who: string, rule: string, step: number) =>
      step === 0
        ? `Die Regel ${rule} hat ${who} benachrichtigt.`
        : `Eskalationsstufe ${step} der Regel ${rule} hat ${who} benachrichtigt.`,
    somebody: "Jemand",
    added: {
      told: (who: string, by: string, note: string | null) =>
        `${by} benachrichtigte ${who}${note === null ? "." : `: ${note}`}`,
      escalated: (who: string, by: string, note: string | null) =>
        `${by} eskalierte an ${who}${note === null ? "." : `: ${note}`}`,
      still_on_it: (who: string) => `${who} wurde gefragt, ob die Arbeit noch läuft.`,
      open_again: (who: string) => `${who} wurde benachrichtigt, dass das Ereignis wieder offen ist.`,
      handed_over: (who: string) => `Es wurde an ${who} übergeben.`,
      flapping: (who: string) =>
        `${who} wurde ohne Ton benachrichtigt, dass der Alarm flattert und zurückgehalten wird.`,
      raised: (who: string) => `Der Alarm wurde dringender: ${who} wurde erneut benachrichtigt.`,
      still_failing: (who: string) => `Der Alarm wiederholt sich weiter: ${who} wurde gefragt.`,
      repeated: (who: string) =>
        `Der Alarm wiederholte sich und hatte niemanden erreicht: ${who} wurde erneut benachrichtigt.`,
    },
    sent: (who: string) => `Der Push-Dienst hat den Push an ${who} angenommen.`,
    acknowledged: (who: string) => `${who} hat quittiert.`,
    failed: (who: string, reason: string) => `Der Push an ${who} ist fehlgeschlagen: ${reason}`,
    resolve: "Lösen",
    askResolve: "Ein gelöstes Ereignis bleibt gelöst: Die Eskalation endet, und niemand wird mehr benachrichtigt.",
    noted: (who: string, text: string) => `Notiz von ${who}: ${text}`,
    writeNote: "Notiz schreiben",
    addNote: "Notiz hinzufügen",
    isNoted: "Notiz hinzugefügt.",
    withNote: "Mit einer Notiz lösen",
    note: "Notiz",
    isResolved: "Ereignis gelöst.",
    snooze: "Zurückstellen",
    snoozeFor: (minutes: number) =>
      minutes < 60 ? `Für ${minutes} min` : `Für ${count(minutes / 60, "Stunde", "Stunden")}`,
    snoozeUntil: (isTomorrow: boolean) => (isTomorrow ? "Bis morgen 09:00" : "Bis 09:00"),
    snoozedUntil: "Bis",
    snoozeHint:
      "Ihre Ortszeit, 5 Minuten bis 24 Stunden ab jetzt. Vor dem Ende werden Sie erinnert; danach ist das Ereignis wieder offen.",
    isSnoozed: (until: string) => `Bis ${until} quittiert. Vorher werden Sie erinnert.`,
    tell: "Weitere benachrichtigen",
    whom: "Person oder Gruppe",
    chosen: "Empfänger",
    chooseWhom: "Wählen Sie mindestens eine Person oder Gruppe.",
    tellHint: "Die Empfänger sehen sie mit dem Alarm. Sie bleibt im Verlauf.",
    tellThem: "Benachrichtigen",
    isTold: (names: readonly string[]) => `Jetzt benachrichtigt: ${names.join(", ")}.`,
    escalate: "Jetzt eskalieren",
    askEscalate: "Die nächste Stufe der Eskalation wird sofort benachrichtigt.",
    isEscalated: "Die nächste Stufe wird jetzt benachrichtigt.",
    until: "Quittiert; endet",
    resolved: (who: string, note: string | null) => `${who} hat es gelöst${note === null ? "." : `: ${note}`}`,
    expired: "Verfallen: 30 Tage lang hat niemand quittiert.",
    outcomes: {
      pending: "In Bearbeitung",
      no_match: "Keine Regel trifft zu",
      no_recipient: "Keine Empfänger",
      delivered: "Alle Empfänger benachrichtigt",
      partial: "Einige Empfänger benachrichtigt",
      all_failed: "Kein Empfänger erreicht",
      silenced: "Stummgeschaltet",
      flapping: "Zurückgehalten: flattert",
      grouped: "Mit einem anderen Ereignis gruppiert",
      below_threshold: "Unter dem Schwellenwert",
    },
    flapping: (until: string, recipients: number) =>
      recipients === 0
        ? `Der Alarm flatterte und wurde bis ${until} zurückgehalten.`
        : `Der Alarm flattert und wird bis ${until} zurückgehalten; ist er dann noch offen, wird benachrichtigt.`,
    groupedInto: "Niemand wurde benachrichtigt, weil ein anderes Ereignis der Gruppe schon benachrichtigt hatte:",
    grouped: (n: number) =>
      `${count(n, "späteres Ereignis der Gruppe hat", "spätere Ereignisse der Gruppe haben")} niemanden benachrichtigt.`,
    repeats: (n: number) =>
      n === 1 ? "Der Alarm hat sich einmal wiederholt." : `Der Alarm hat sich ${n}-mal wiederholt.`,
    belowThreshold: (n: number, of: number) => `Ereignis ${n} von ${of}, auf die die Regel wartet.`,
  },
} satisfies Texts;
