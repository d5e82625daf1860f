import type { First } from "../en/first.ts";
import { formatCount as count, formatNumber } from "../numbers.ts";

const NAMED_MAX = 8;

export const first = {
  product: "Event Alerting",
  skip: "Zum Inhalt springen",
  main: "Hauptnavigation",
  workspace: "Arbeitsbereich",
  theme: "Farbschema",
  account: "Konto",
  signIn: "Anmelden",
  signOut: "Abmelden",
  more: "Mehr",
  leaving: {
    heading: "Benachrichtigungen in diesem Browser eingeschaltet lassen?",
    lead: "Dieser Browser benachrichtigt Sie über Alarme. Schalten Sie die Benachrichtigungen auf gemeinsam genutzten Rechnern aus: Dann bleiben hier keine Daten von Ihnen.",
    unsent: (count: number) =>
      count === 1
        ? "Eine Quittierung wurde noch nicht gesendet. Beim Ausschalten geht sie verloren."
        : `${count} Quittierungen wurden noch nicht gesendet. Beim Ausschalten gehen sie verloren.`,
    stop: "Ausschalten und abmelden",
    keep: "Eingeschaltet lassen und abmelden",
  },
  workbench: "Werkbank",
  apiPages: "API",
  loading: "Wird geladen",
  tryAgain: "Erneut versuchen",
  cancel: "Abbrechen",
  close: "Schließen",
  copy: "Kopieren",
  copyOf: (what: string) => `${what} kopieren`,
  copied: "Kopiert.",
  edit: "Bearbeiten",
  editOf: (name: string) => `${name} bearbeiten`,
  undo: "Rückgängig",
  undone: "Rückgängig gemacht.",
  remove: "Entfernen",
  removeOf: (what: string) => `${what} entfernen`,
  seeNow: "Aktuellen Stand ansehen (öffnet einen neuen Tab)",
  add: "Hinzufügen",
  counts: { waiting: "Wartet auf Sie", silences: "Aktiv", devices: "Womöglich nicht erreichbar" },
  pages: {
    inbox: "Eingang",
    events: "Ereignisse",
    event: "Ereignis",
    rules: "Regeln",
    onCall: "Bereitschaft",
    escalation: "Eskalation",
    groups: "Gruppen",
    people: "Personen",
    silences: "Stummschaltungen",
    heartbeats: "Lebenszeichen",
    import: "Import",
    integrations: "Integrationen",
    insights: "Auswertung",
    statistics: "Statistik",
    load: "Belastung",
    devices: "Geräte",
    notificationRules: "Benachrichtigungen",
    keys: "API-Schlüssel",
    webhooks: "Webhooks",
    connections: "Kanäle",
    secondFactor: "Zweiter Faktor",
    audit: "Änderungsprotokoll",
    shadow: "Schattenbetrieb",
    sources: "Quellen",
    simulator: "Simulator",
    settings: "Einstellungen",
  },
  login: {
    heading: "Event Alerting",
    lead: "Sehen Sie, was offen ist, wer Bereitschaft hat und warum Sie benachrichtigt wurden.",
    failed: "Die Anmeldung ist fehlgeschlagen oder wurde in einem anderen Tab begonnen. Versuchen Sie es noch einmal.",
    denied: (reason: string) =>
      `Die Anmeldung wurde abgelehnt: „${reason}“. Versuchen Sie es noch einmal; bleibt es dabei, zeigen Sie diese Meldung Ihrem Administrator.`,
    working: "Sie werden angemeldet …",
  },
  press: {
    heading: "Den Alarm quittieren",
    lead: "Ihre Kollegen sehen, dass Sie sich darum kümmern, und niemand sonst wird benachrichtigt.",
    acknowledge: "Quittieren",
    acknowledged: "Der Alarm ist quittiert.",
    confirmHeading: "Der Test ist angekommen",
    confirmLead: "Nach der Bestätigung zeigt die Konsole, dass diese Adresse erreichbar ist.",
    confirm: "Bestätigen",
    confirmed: "Bestätigt: Diese Adresse ist erreichbar.",
    refused:
      "Dieser Link ist abgelaufen, oder Ihr Arbeitsbereich verlangt eine Anmeldung. Melden Sie sich in der Konsole an, um die offenen Alarme zu sehen.",
  },
  notFound: {
    heading: "Seite nicht gefunden",
    lead: "Prüfen Sie die Adresse, oder beginnen Sie im Eingang.",
  },
  notYours: {
    heading: "Kein Zugriff auf diesen Arbeitsbereich",
    lead: "Der Arbeitsbereich existiert nicht, oder Sie sind dort nicht Mitglied.",
  },
  noWorkspace: "Ihr erster Arbeitsbereich",
  trouble: "Diese Seite ist möglicherweise veraltet.",
  line: {
    offline: "Kein Netz.",
    failing: "Der Dienst hat einen Fehler gemeldet.",
    busy: "Zu viele Anfragen.",
    showing: (time: string) => `Stand ${time}.`,
    trying: "Neuer Versuch …",
    next: (seconds: number) => `Neuer Versuch in ${seconds} s`,
    now: "Jetzt",
  },
  changedBy: (name = "") => (name === "" ? "Zuletzt geändert" : `Zuletzt geändert von ${name}`),
  draft: {
    isBack: "Ihre nicht gespeicherten Änderungen wurden wiederhergestellt.",
    startOver: "Von vorn beginnen",
    unsaved: "Nicht gespeicherte Änderungen",
  },
  ended: {
    lead: "Ihre Sitzung ist abgelaufen. Diese Seite ist möglicherweise veraltet; Ihre Eingaben bleiben erhalten.",
    close: "Sie sind angemeldet. Schließen Sie dieses Fenster, um weiterzuarbeiten.",
  },
  changed: (n: number) => `${count(n, "neuen Eintrag", "neue Einträge")} anzeigen`,
  failures: {
    offline: "Der Dienst antwortet nicht. Prüfen Sie das Netz.",
    signedOut: "Sie sind abgemeldet. Melden Sie sich wieder an, um weiterzumachen.",
    partGone:
      "Ein Teil dieser Seite ließ sich nicht laden. Laden Sie die Seite neu; hilft das nicht, wenden Sie sich an den Betreiber.",
    notFound: "Nicht gefunden. Der Eintrag wurde gelöscht oder gehört zu einem anderen Arbeitsbereich.",
    notAMember: "Sie sind nicht mehr Mitglied dieses Arbeitsbereichs.",
    changedMeanwhile:
      "Jemand anders hat dies geändert, daher wurde nichts gespeichert. Ihre Eingaben sind noch im Formular. Vergleichen Sie diese mit dem aktuellen Stand; laden Sie dann die Seite neu, drücken Sie „Von vorn beginnen“ und geben Sie alles erneut ein.",
    tooFast: (seconds: number | undefined) =>
      seconds === undefined
        ? "Zu viele Anfragen. Versuchen Sie es gleich noch einmal."
        : `Zu viele Anfragen. Versuchen Sie es in ${seconds} s noch einmal.`,
    ours: (requestId: string | undefined) =>
      `Der Dienst hat einen Fehler gemeldet. Versuchen Sie es noch einmal${requestId === undefined ? "." : `; bleibt es dabei, nennen Sie dem Betreiber die Anfrage ${requestId}.`}`,
  },
  chooseFirst: "Wählen Sie zuerst mit j oder k einen Eintrag.",
  priority: { LOW: "Niedrig", NORMAL: "Normal", HIGH: "Hoch", URGENT: "Dringend" },
  states: { open: "Offen", acknowledged: "Quittiert", resolved: "Gelöst", expired: "Verfallen" },
  status: {
    QUEUED: "In der Warteschlange",
    SENT: "Gesendet",
    DELIVERED: "Zugestellt",
    OPENED: "Geöffnet",
    ACKNOWLEDGED: "Quittiert",
    FAILED: "Fehlgeschlagen",
    SHADOW: "Schattenbetrieb",
  },
  inbox: {
    acknowledge: "Quittieren",
    acknowledgeAll: "Alle quittieren",
    everyones: "Alle offenen",
    empty: "Keine offenen Alarme für Sie.",
    emptyShared: "Keine offenen Alarme.",
    toEvents: "Alle Ereignisse ansehen",
    escalates: (names: readonly string[]): readonly [before: string, after: string] => [
      "Eskaliert in",
      names.length === 0
        ? ""
        : `an ${names.slice(0, 2).join(", ")}${names.length > 2 ? ` und ${count(names.length - 2, "weitere Person", "weitere")}` : ""}`,
    ],
    isNew: (priority: string, title: string, others: number) =>
      `Neu, ${priority.toLowerCase()}: ${title}${others === 0 ? "" : ` und ${count(others, "weiteres", "weitere")}`}`,
    sending: "Wird gesendet",
    notSent: "Noch nicht gesendet",
    askAll: (n: number) => `${count(n, "Ereignis", "Ereignisse")} quittieren?`,
    askedAll: (names: readonly string[]) =>
      names.length === 0
        ? "Die Eskalationen dieser Ereignisse enden für alle."
        : `Die Eskalationen dieser Ereignisse enden für alle. Bisher benachrichtigt: ${names.slice(0, NAMED_MAX).join(", ")}${names.length > NAMED_MAX ? ` und ${count(names.length - NAMED_MAX, "weitere Person", "weitere")}` : ""}.`,
    andMore: (n: number) => `und ${count(n, "weiteres", "weitere")}`,
    acknowledgeThese: (n: number) => `${count(n, "Ereignis", "Ereignisse")} quittieren`,
    names: (who: readonly string[]) =>
      `${who.slice(0, 3).join(", ")}${who.length > 3 ? ` und ${count(who.length - 3, "weitere Person", "weitere")}` : ""}`,
    open: (n: number) => `${formatNumber(n)} offen`,
    shown: (n: number, of: number) => `${formatNumber(n)} von ${formatNumber(of)}`,
    newest: "neuestes",
    acknowledged: (n: number) => `${count(n, "Ereignis", "Ereignisse")} quittiert.`,
    kept: (n: number) =>
      `${count(n, "Quittierung ist", "Quittierungen sind")} noch nicht gesendet. Die Konsole versucht es weiter.`,
    because: (rule: string) => `durch Regel ${rule}`,
  },
  palette: {
    open: "Gehe zu",
    keys: "Strg K",
    heading: "Zu einer Seite, Regel, Gruppe oder Person",
    places: "Ziele",
    found: (n: number) => count(n, "Ziel", "Ziele"),
    kinds: { page: "Seite", rule: "Regel", group: "Gruppe", person: "Person" },
  },
  group: {
    count: (n: number, title: string) => `${count(n, "Ereignis", "Ereignisse")} der Gruppe von „${title}“`,
    of: (title: string) => `Gruppe von „${title}“`,
    more: "Mehr anzeigen",
    none: "Diese Ereignisse gehören nicht zu den neuesten 1.000 und fehlen hier.",
    in: "Gruppiert mit",
    itsGroup: "dem Ereignis, das benachrichtigt hat",
    which: (values: readonly string[]) =>
      values.length === 0
        ? "Die Gruppe umfasst alle Ereignisse der Regel"
        : `Die Gruppe umfasst die Ereignisse mit ${values.join(", ")}, auf die die Regel passt`,
  },
  roles: {
    role: "Rolle",
    names: { viewer: "Betrachter", responder: "Bearbeiter", manager: "Verwalter", owner: "Eigentümer" },
    may: {
      viewer: "Liest alles, quittiert Ereignisse und hat eigene Geräte.",
      responder: "Löst auch Ereignisse, stellt sie zurück, eskaliert sie und gibt Schichten ab oder übernimmt welche.",
      manager: "Ändert auch Regeln, Gruppen, Dienstpläne, Richtlinien, Stummschaltungen, Lebenszeichen und Schlüssel.",
      owner: "Ändert auch Personen, Rollen und die Einstellungen des Arbeitsbereichs.",
    },
    this: "Um hier etwas zu ändern,",
    handling: "Um ein Ereignis zu bearbeiten,",
    schedules: "Um Dienstpläne und die Schichten anderer zu ändern,",
    needed: (what: string, needed: string, role: string) =>
      `${what} ist die Rolle ${needed} nötig; Sie sind hier ${role}. Eigentümer ändern Rollen unter „Personen“.`,
  },
  ago: { now: "gerade eben", soon: "gleich" },
  duty: {
    youAre: (groups: readonly string[]) => `Sie haben Bereitschaft: ${groups.join(", ")}.`,
    youAreFor: (group: string, until: string | undefined) => (until === undefined ? group : `${group} bis ${until}`),
    yourNext: (group: string, at: string) => `Ihre nächste Schicht: ${group}, ${at}.`,
  },
  quiet: {
    overEverything: (name: string, until: string | undefined) =>
      `Die Stummschaltung „${name}“ schaltet alle Ereignisse stumm${until === undefined ? "" : ` bis ${until}`}.`,
    see: "Stummschaltungen ansehen",
  },
} satisfies First;
