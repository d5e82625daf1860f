import type { Pages } from "../en/pages.ts";
import { formatCount, formatNumber } from "../numbers.ts";
import { formatDuration } from "./duration.ts";

export const pages = {
  span: (start: string, end: string) => `${start} bis ${end}`,
  dutyWords: {
    nobody: "niemand",
    and: "und",
    insteadOf: (after: string, before: string) => `${after} statt ${before}`,
  },
  groupGone: "eine gelöschte Gruppe",
  duration: formatDuration,
  tools: {
    alertmanager: "Alertmanager",
    grafana: "Grafana",
    cloudwatch: "CloudWatch",
    sentry: "Sentry",
    github: "GitHub",
    "uptime-kuma": "Uptime Kuma",
    opsgenie: "Clients von Opsgenie",
    pagerduty: "Clients von PagerDuty",
    gitlab: "GitLab",
    zabbix: "Zabbix",
    datadog: "Datadog",
    "azure-monitor": "Azure Monitor",
    "google-cloud-monitoring": "Google Cloud",
    mapped: "Jedes andere Werkzeug",
  },
  ways: { push: "Push", email: "E-Mail", sms: "SMS", voice: "Anruf" },
  eventKey: "Ereignisschlüssel",
  search: {
    label: "Suchen",
    found: (found: number, of: number) =>
      found === of ? `${formatNumber(of)} insgesamt` : `${formatNumber(found)} von ${formatNumber(of)}`,
    none: (typed: string) => `Keine Treffer für „${typed}“.`,
  },
  trace: {
    missing: "nichts",
    was: "war",
    verdict: (held: boolean) => (held ? "Erfüllt:" : "Nicht erfüllt:"),
    activeHours: "Aktive Zeiten",
    came: "Das Ereignis ging ein um",
    fallback: (matched: string | undefined) =>
      matched === undefined
        ? "Keine andere Regel traf zu."
        : `Das ist eine Auffangregel, und die Regel „${matched}“ traf zu.`,
    chain: (name: string, matched: string | undefined) =>
      matched === undefined
        ? `Keine frühere Regel der Kette „${name}“ traf zu.`
        : `Eine frühere Regel der Kette „${name}“ traf zu: „${matched}“.`,
    notBefore: "nicht:",
    anyCase: "(Groß- und Kleinschreibung egal)",
  },
  operators: {
    equals: "ist gleich",
    not_equals: "ist nicht gleich",
    contains: "enthält",
    starts_with: "beginnt mit",
    ends_with: "endet mit",
    one_of: "ist eines von",
    not_one_of: "ist keines von",
    greater_than: "ist größer als",
    greater_than_or_equal: "ist mindestens",
    less_than: "ist kleiner als",
    less_than_or_equal: "ist höchstens",
    between: "liegt zwischen",
    is_empty: "ist leer",
    is_not_empty: "ist nicht leer",
    matches_regex: "passt auf den regulären Ausdruck",
  },
  week: {
    days: "Tage",
    from: "Von",
    to: "Bis",
    hoursOf: (n: number) => `Zeiten ${n}`,
    addHours: "Zeiten hinzufügen",
    removeHours: "Zeiten entfernen",
    zone: "Zeitzone",
  },
  push: {
    notifyHere: "Diesen Browser benachrichtigen",
    registeredHere: (name: string) => `${name} auf diesem Gerät erhält jetzt Benachrichtigungen.`,
    browsers: { Edg: "Edge", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" },
    cannot:
      "Dieser Browser kann keine Benachrichtigungen anzeigen. Legen Sie auf einem iPhone die Konsole zuerst auf den Home-Bildschirm.",
    denied:
      "Der Browser erlaubt dieser Seite keine Benachrichtigungen. Erlauben Sie Benachrichtigungen in den Einstellungen des Browsers, und versuchen Sie es noch einmal.",
    noService:
      "Der Push-Dienst des Browsers hat nicht geantwortet. Prüfen Sie das Netz, und versuchen Sie es noch einmal.",
    platforms: { ios: "iPhone oder iPad", android: "Android", web: "Browser", email: "E-Mail", phone: "Telefonnummer" },
  },
  reach: {
    states: {
      proven: "Kürzlich erreicht",
      unproven: "Hat ein Gerät, das noch keinen Push bestätigt hat",
      silent: "Seit 30 Tagen kein Kontakt; möglicherweise nicht erreichbar",
      no: "Kein Gerät; nicht erreichbar",
    },
    unnamed: "Gerät ohne Namen",
  },
  probe: { green: "Bestätigt", pending: "Noch nicht bestätigt", red: "Gestört", none: "Ohne Probelauf" },
  matching: {
    name: "Name",
    eventKeyHint:
      "* passt auf alle Ereignisse, booking.* auf alle einer Ressource, booking.created auf eine Art von Ereignis.",
    conditions: "Bedingungen",
    condition: (n: number) => `Bedingung ${n}`,
    match: "Zu erfüllende Bedingungen",
    all: "Alle",
    any: "Mindestens eine",
    addCondition: "Bedingung hinzufügen",
    removeCondition: "Bedingung entfernen",
    field: "Feld",
    operator: "Vergleich",
    value: "Wert",
    high: "Und",
    listHint: "Mehrere Werte durch Kommas trennen.",
    not: "Darf nicht erfüllt sein",
    ignoreCase: "Groß- und Kleinschreibung ignorieren",
  },
  mapping: {
    mapping: "Zuordnung",
    mappingHint:
      "JSON, das Titel, Text und anderen Feldern Pfade in den Nachrichten des Werkzeugs zuordnet, etwa incident.summary.",
    message: "Beispielnachricht",
    messageHint:
      "Fügen Sie eine Nachricht des Werkzeugs ein (JSON oder ein Formular), um eine Vorschau des Ereignisses zu sehen. Nichts wird gesendet.",
    noJson: "Die Zuordnung muss JSON sein.",
    tried: "Vorschau",
    ignored: "Kein Ereignis",
    becomes: ({
      eventKey,
      title,
      priority,
      key,
    }: Record<"eventKey" | "title" | "key", string | undefined> & { priority: string | undefined }) =>
      [eventKey, title === "" ? undefined : title, priority, key === "" ? undefined : `erkannt an ${key}`]
        .filter((part) => part !== undefined)
        .join(" · "),
  },
  signing: {
    secret: "Client-Secret",
    secretHint:
      "Sentry zeigt dieses Secret, sobald die Integration gespeichert ist. Wenn Sie es eintragen, werden unsignierte Nachrichten abgewiesen. Leer: Signaturen werden nicht geprüft.",
  },
  unreachable: (count: number, of: number, names: string) =>
    `${count} von ${formatCount(of, "Person", "Personen")} nicht erreichbar: ${names}`,
  losses: {
    lastMember: (group: string) => `${group} ist dann leer: Regeln für diese Gruppe benachrichtigen niemanden.`,
    lastOnDuty: (group: string) =>
      `In ${group} hat dann bis zur nächsten Schicht niemand Bereitschaft: Regeln für die Bereitschaft benachrichtigen niemanden.`,
  },
} satisfies Pages;
