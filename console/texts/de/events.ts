import type { Texts } from "../en/events.ts";
import { counted as count, number } from "../numbers.ts";

export const texts = {
  events: {
    often: "Oft gefragt",
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
    empty:
      "Es ist noch kein Ereignis eingegangen. Legen Sie einen API-Schlüssel an; dazu gibt es eine Zeile zum Einfügen.",
    toKeys: "Zu den API-Schlüsseln",
    noneFound: "Kein Ereignis passt.",
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
      `durch Stufe ${step} von ${steps}${round > 1 ? `, Runde ${round},` : ""} der Richtlinie`,
    otherKeys: (n: number) => `${count(n, "Regel gilt", "Regeln gelten")} für andere Ereignisschlüssel`,
    details: "Einzelheiten",
    story: "Was geschah",
    people: "Wer benachrichtigt wurde",
    why: "Warum",
    whyNot: "Warum nicht",
    notTold: "Nicht benachrichtigt",
    replay: "In einer Regel nachspielen",
    noRule: "Keine Regel hat auf dieses Ereignis gepasst.",
    notice: {
      owners: (because: string) => `Die Eigentümer werden benachrichtigt, denn: ${because}.`,
      people: (because: string) => `Benachrichtigt wird, wen es betrifft, denn: ${because}.`,
    },
    explained: (name: string) => `Erklärung für ${name}`,
    now: "Jetzt",
    later: (duration: string) => `${duration} später`,
    thenTold: (who: readonly string[], step: number, steps: number, round: number) =>
      `${who.length === 0 ? "Niemand" : who.join(", ")}, durch Stufe ${step} von ${steps}${round > 1 ? `, Runde ${round},` : ""} der Richtlinie`,
    received: "Das Ereignis ging ein.",
    matched: (rule: string, version: number) => `Die Regel ${rule} (Fassung ${version}) passte.`,
    called: (who: string, rule: string, step: number) =>
      step === 0
        ? `${who} sollte durch die Regel ${rule} benachrichtigt werden.`
        : `Eskalationsstufe ${step} der Regel ${rule} rief ${who}.`,
    somebody: "Jemand",
    added: {
      told: (who: string, by: string, note: string | null) =>
        `${by} benachrichtigte ${who}${note === null ? "." : `: ${note}`}`,
      escalated: (who: string, by: string, note: string | null) =>
        `${by} eskalierte an ${who}${note === null ? "." : `: ${note}`}`,
      still_on_it: (who: string) => `${who} wurde gefragt: noch dran?`,
      open_again: (who: string) => `${who} erfuhr, dass es wieder offen ist.`,
      handed_over: (who: string) => `Es wurde an ${who} übergeben.`,
      flapping: (who: string) => `${who} erfuhr ohne Ton, dass es flattert und zurückgehalten wird.`,
      raised: (who: string) => `Der Alarm wurde dringender: ${who} wurde erneut benachrichtigt.`,
      still_failing: (who: string) => `Der Alarm wiederholt sich weiter: ${who} wurde gefragt.`,
      repeated: (who: string) =>
        `Der Alarm wiederholte sich und hatte niemanden erreicht: ${who} wurde erneut benachrichtigt.`,
    },
    sent: (who: string) => `Der Push an ${who} wurde übergeben.`,
    acknowledged: (who: string) => `${who} hat quittiert.`,
    failed: (who: string, reason: string) => `Der Push an ${who} ist fehlgeschlagen: ${reason}`,
    resolve: "Lösen",
    askResolve: "Ein gelöstes Ereignis bleibt gelöst: Die Eskalation endet, und niemand wird mehr benachrichtigt.",
    noted: (who: string, text: string) => `${who} vermerkte: ${text}`,
    writeNote: "Notiz schreiben",
    addNote: "Notiz hinzufügen",
    isNoted: "Die Notiz steht im Verlauf.",
    withNote: "Mit einer Notiz lösen",
    note: "Notiz",
    isResolved: "Das Ereignis ist gelöst.",
    snooze: "Zurückstellen",
    snoozeFor: (minutes: number) =>
      minutes < 60 ? `Für ${minutes} min` : `Für ${count(minutes / 60, "Stunde", "Stunden")}`,
    snoozeUntil: (isTomorrow: boolean) => (isTomorrow ? "Bis morgen 09:00" : "Bis 09:00"),
    snoozedUntil: "Bis",
    snoozeHint:
      "Nach Ihrer Uhr, 5 Minuten bis 24 Stunden von jetzt an. Vor dem Ende werden Sie gefragt; danach ist das Ereignis wieder offen.",
    isSnoozed: (until: string) => `Es ist bis ${until} quittiert. Vorher werden Sie gefragt.`,
    tell: "Weitere benachrichtigen",
    whom: "Person oder Gruppe",
    chosen: "Wer benachrichtigt wird",
    chooseWhom: "Wählen Sie mindestens eine Person oder Gruppe.",
    tellHint: "Sie lesen es mit dem Alarm, und es bleibt im Verlauf.",
    tellThem: "Benachrichtigen",
    isTold: (names: readonly string[]) => `Jetzt benachrichtigt: ${names.join(", ")}.`,
    escalate: "Jetzt eskalieren",
    askEscalate: "Die nächste Stufe der Eskalation wird sofort benachrichtigt.",
    isEscalated: "Die nächste Stufe wird jetzt benachrichtigt.",
    until: "Quittiert; das endet",
    resolved: (who: string, note: string | null) => `${who} hat es gelöst${note === null ? "." : `: ${note}`}`,
    expired: "Niemand hat es in 30 Tagen quittiert: Es ist verfallen.",
    outcomes: {
      pending: "Unterwegs",
      no_match: "Keine Regel passte",
      no_recipient: "Niemand zu benachrichtigen",
      delivered: "Alle wurden benachrichtigt",
      partial: "Einige wurden benachrichtigt",
      all_failed: "Niemand war erreichbar",
      silenced: "Durch eine Stummschaltung still gehalten",
      flapping: "Zurückgehalten: Es öffnet und endet immer wieder",
      grouped: "Gruppiert: Ein anderes Ereignis hat geklingelt",
      below_threshold: "Zu wenige Ereignisse, um zu klingeln",
    },
    flapping: (until: string, recipients: number) =>
      recipients === 0
        ? `Sein Alarm flatterte, also wurde er bis ${until} zurückgehalten.`
        : `Sein Alarm flattert: Er wird bis ${until} zurückgehalten, und niemand wird gerufen, es sei denn, er ist dann offen.`,
    groupedInto: "Es hat für niemanden geklingelt, denn ein anderes Ereignis seiner Gruppe hatte geklingelt:",
    grouped: (n: number) =>
      `${count(n, "Ereignis seiner Gruppe kam danach und hat", "Ereignisse seiner Gruppe kamen danach und haben")} für niemanden geklingelt.`,
    repeats: (n: number) =>
      n === 1 ? "Der Alarm hat sich einmal wiederholt." : `Der Alarm hat sich ${n}-mal wiederholt.`,
    belowThreshold: (n: number, of: number) => `Es war Nummer ${n} der ${of}, auf die seine Regel wartet.`,
  },
} satisfies Texts;
