import type { Texts } from "../en/rules.ts";
import { formatCount as count, formatNumber } from "../numbers.ts";
import { formatDuration } from "./duration.ts";

export const texts = {
  rules: {
    newRule: "Neue Regel",
    empty:
      "Noch keine Regeln. Eine Regel legt fest, wer bei welchen Ereignissen benachrichtigt wird: zum Beispiel bei order.failed die Bereitschaft von Payments.",
    on: "Aktiv",
    off: "Inaktiv",
    turnOff: "Ausschalten",
    askTurnOff: "Ereignisse werden weiter angenommen, aber diese Regel benachrichtigt niemanden mehr.",
    turnOnAgain: "Einschalten",
    turn: (enabled: boolean, name: string) => `${name} ${enabled ? "ausschalten" : "einschalten"}`,
    turnedOn: (name: string) => `Die Regel „${name}“ ist eingeschaltet.`,
    turnedOff: (name: string) => `Die Regel „${name}“ ist ausgeschaltet.`,
    inChain: (chain: string, place: number) => `${chain}, ${formatNumber(place)}`,
    earlier: (name: string) => `${name} in der Kette nach oben schieben`,
    later: (name: string) => `${name} in der Kette nach unten schieben`,
    moved: (name: string, chain: string, place: number) =>
      `Die Regel „${name}“ ist Nummer ${formatNumber(place)} in der Kette „${chain}“.`,
    conditions: (n: number) => (n === 0 ? "keine Bedingung" : count(n, "Bedingung", "Bedingungen")),
  },
  rule: {
    heading: "Regel",
    when: "Wann",
    whom: "Wen",
    how: "Wie",
    groups: "Gruppen",
    noGroups: "Noch keine Gruppen. Legen Sie zuerst eine an.",
    requiresAck: "Muss quittiert werden",
    priority: "Priorität",
    asEvent: "Wie im Ereignis",
    critical: "Kritisch",
    onCallOnly: "Nur Bereitschaft",
    onCallOnlyHint: "Nur Mitglieder, die beim Eingang des Ereignisses Bereitschaft haben.",
    policy: "Eskalationsrichtlinie",
    noPolicy: "Keine",
    enabled: "Eingeschaltet",
    fallback: "Nur wenn keine andere Regel passt",
    fallbackHint: "Für Ereignisse, die sonst niemanden benachrichtigen.",
    chain: "Kette",
    chainHint:
      "Von einer Kette gilt nur die erste Regel, die zutrifft. Leer: Die Regel gilt unabhängig von anderen Regeln.",
    position: "Position in der Kette",
    ringsOnce: "Für eine Gruppe von Ereignissen einmal benachrichtigen",
    ringsOnceHint:
      "Beim ersten Ereignis wird benachrichtigt; danach zeigt dieselbe Benachrichtigung ohne Ton die Zahl der späteren Ereignisse. Ein Ereignis höherer Priorität benachrichtigt erneut.",
    groupBy: "Ereignisse mit gleichem",
    groupByHint:
      "Höchstens 3 Felder, durch Kommas getrennt, etwa data.host. Leer: Alle Ereignisse der Regel sind eine Gruppe.",
    groupMinutes: "Gruppierungsdauer in Minuten",
    counts: "Erst nach mehreren Ereignissen benachrichtigen",
    count: "Anzahl der Ereignisse",
    withinMinutes: "Zeitfenster in Minuten",
    save: "Speichern",
    saved: (name: string) => `Die Regel „${name}“ ist gespeichert.`,
    like: "Regel duplizieren",
    delete: "Regel löschen",
    deleteQuestion: (name: string) =>
      `Die Regel „${name}“ löschen? Ereignisse werden weiter angenommen, aber diese Regel benachrichtigt niemanden mehr.`,
    deleted: (name: string) => `Die Regel „${name}“ ist gelöscht.`,
  },
  probeLinks: {
    heading: "Probelauf",
    lead: "Ein Probelauf ist ein stilles Ereignis, auf das diese Regel passt. Die Geräte der Empfänger bestätigen den Push des Probelaufs.",
    none: "Kein Probelauf in den letzten acht Tagen oder seit der letzten Änderung der Regel.",
    run: "Probelauf starten",
    sent: "Der Probelauf ist gestartet. Die Geräte haben zwei Minuten, um den Push zu bestätigen.",
    tooSoon: (seconds: number) =>
      `Eine Regel kann einmal pro Minute erprobt werden. Versuchen Sie es in ${formatNumber(seconds)} s noch einmal.`,
    event: "Ereignis dieses Probelaufs",
    of: "Probelauf der Regel",
    ofGone: "Probelauf einer Regel, die gelöscht wurde.",
    ofSwitch:
      "Ein Testereignis des Totmannschalters, der diesen Dienst überwacht. Eigentümer richten ihn auf der Seite „Lebenszeichen“ ein.",
    later:
      "Die Regel wurde seither erneut erprobt oder geändert, deshalb sind die Schritte dieses Probelaufs nicht mehr zu sehen.",
    links: {
      accepted: "Angenommen",
      matched: "Zugeordnet",
      recipient: "Empfänger",
      sent: "Vom Push-Dienst angenommen",
      confirmed: "Von einem Gerät bestätigt",
    },
    waiting: "noch nicht",
    faults: {
      api_key_deleted:
        "Der API-Schlüssel, der das letzte passende Ereignis gesendet hat, wurde gelöscht. Legen Sie für den Absender einen neuen Schlüssel an.",
      not_matched:
        "Innerhalb von zwei Minuten wurde keine Regel auf den Probelauf angewendet. Starten Sie den Probelauf noch einmal; bleibt es dabei, fragen Sie den Betreiber.",
      rule_disabled: "Die Regel ist ausgeschaltet. Schalten Sie sie ein.",
      contradiction: "Die Bedingungen widersprechen sich. Ändern Sie eine davon.",
      outside_active_hours:
        "Der Probelauf kam außerhalb der aktiven Zeiten der Regel. Starten Sie ihn innerhalb dieser Zeiten noch einmal.",
      no_example:
        "Die Regel hat noch auf kein Ereignis gepasst, auch nicht auf eines, das aus ihren Bedingungen erzeugt wurde. Senden Sie ein Testereignis.",
      no_match:
        "Die Regel passt nicht mehr auf das letzte Ereignis, auf das sie gepasst hat. Prüfen Sie die Bedingungen.",
      group_deleted: "Eine Gruppe der Regel wurde gelöscht. Wählen Sie eine andere Gruppe.",
      group_empty: "Eine Gruppe der Regel hat keine Mitglieder. Nehmen Sie jemanden auf.",
      nobody_on_call: "In den Gruppen der Regel hat niemand Bereitschaft. Prüfen Sie den Dienstplan.",
      no_recipient: "Die Regel benachrichtigt niemanden. Wählen Sie eine Gruppe mit Mitgliedern.",
      no_device: "Die Empfänger haben kein Gerät für Pushes. Bitten Sie die Empfänger, eines zu registrieren.",
      not_sent:
        "Innerhalb von zwei Minuten wurde kein Push gesendet. Starten Sie den Probelauf noch einmal. Im Schattenbetrieb wird kein Push gesendet.",
      unregistered:
        "Die Geräte der Empfänger sind nicht mehr registriert. Bitten Sie die Empfänger, die App oder die Konsole zu öffnen.",
      not_confirmed:
        "Innerhalb von zwei Minuten hat kein Gerät den Push bestätigt. Bitten Sie einen der Empfänger, die Geräte zu testen.",
    },
    refused: (code: string) =>
      `Der Push-Dienst hat den Push nicht angenommen (${code}). Bitten Sie einen der Empfänger, die Geräte zu testen.`,
  },
  effect: {
    heading: "Vorschau",
    matches: "Passt",
    matchesNot: "Passt nicht",
    nobody: "Die Regel würde niemanden benachrichtigen.",
    told: (names: string) => `Die Regel würde ${names} benachrichtigen.`,
    noOne: "niemand",
    thenAndNow: (then: string, now: string) => `Damals: ${then} · Heute: ${now}`,
    noGroup: "Wählen Sie eine Gruppe; ohne Gruppe wird niemand benachrichtigt.",
    pastEvents: "Vergangene Ereignisse",
    strip: "Wann die Regel gepasst hätte, Stunde für Stunde",
    stripSaid: (matched: number, notified: number) =>
      `${count(matched, "Ereignis", "Ereignisse")}, davon ${notified === 1 ? "hätte" : "hätten"} ${formatNumber(notified)} jemanden benachrichtigt.`,
    past: { 7: "Die letzte Woche", 28: "Die letzten vier Wochen" },
    lookBack: "Zeitraum der Ereignisse",
    matched: (n: number, events: number, all: boolean) =>
      `Die Regel hätte auf ${formatNumber(n)} ${all ? "von" : "der neuesten"} ${count(events, "Ereignis", all ? "Ereignissen" : "Ereignisse")} gepasst.`,
    difference: (more: number, less: number) =>
      `Verglichen mit heute: ${count(more, "Ereignis hätte", "Ereignisse hätten")} mehr Personen benachrichtigt, und ${count(less, "Ereignis hätte", "Ereignisse hätten")} weniger Personen benachrichtigt.`,
    silenced: "Das Ereignis wäre stummgeschaltet gewesen.",
    grouped: "Das Ereignis wäre mit einem anderen gruppiert worden.",
    belowThreshold: "Der Schwellenwert wäre nicht erreicht gewesen.",
    flapping:
      "Der Alarm flatterte: Das Ereignis wäre zurückgehalten worden, und der Alarm endete vor der Benachrichtigung.",
    rings: (before: number, after: number) =>
      `Personen wären ${formatNumber(after)}-mal statt ${formatNumber(before)}-mal alarmiert worden.`,
    tooMany: (n: number) =>
      `${count(n, "Benachrichtigung wäre", "Benachrichtigungen wären")} wegen der Grenze für Alarme je Person ohne Ton geblieben.`,
    notKnown:
      "Ruhezeiten nach einer Quittierung in der Nacht sind nicht berücksichtigt; sie würden weitere Alarmierungen vermeiden.",
    saved: (n: number, of: number) =>
      `Die Regel hätte ${formatNumber(n)} von ${count(of, "Benachrichtigung", "Benachrichtigungen")} vermieden.`,
    delayedByGroup:
      "Spätere Ereignisse einer Gruppe von Ereignissen hätten deren Benachrichtigungen nur ohne Ton und innerhalb von 30 s aktualisiert.",
    delayed: (n: number, seconds: number) =>
      `Bei ${count(n, "Ereignis", "Ereignissen")} wäre später benachrichtigt worden, beim Erreichen des Schwellenwerts: nach höchstens ${formatDuration(seconds)}.`,
    untold: (n: number) =>
      `Bei ${count(n, "Ereignis", "Ereignissen")} wäre niemand benachrichtigt worden, weil der Schwellenwert nicht erreicht war.`,
    more: (n: number) => count(n, "weiteres", "weitere"),
    fitting: (n: number, recent: number) =>
      recent === 0
        ? "Noch keine Ereignisse, um die Regel zu erproben."
        : n === 0
          ? `Keines der letzten ${count(recent, "Ereignis", "Ereignisse")} hat einen passenden Ereignisschlüssel.`
          : `Von den letzten ${count(recent, "Ereignis", "Ereignissen")} ${n === 1 ? "hat" : "haben"} ${formatNumber(n)} einen passenden Ereignisschlüssel.`,
  },
} satisfies Texts;
