import type { Texts } from "../en/rules.ts";
import { counted as count, number } from "../numbers.ts";
import { duration } from "./duration.ts";

export const texts = {
  rules: {
    newRule: "Neue Regel",
    empty: "Noch keine Regel. Eine Regel sagt, welche Ereignisse wen wecken.",
    on: "Eingeschaltet",
    off: "Ausgeschaltet",
    turnOff: "Ausschalten",
    askTurnOff: "Ereignisse werden weiter angenommen, aber diese Regel benachrichtigt niemanden mehr.",
    turnOnAgain: "Einschalten",
    turn: (enabled: boolean, name: string) => `${name} ${enabled ? "ausschalten" : "einschalten"}`,
    turnedOn: (name: string) => `Die Regel „${name}“ ist eingeschaltet.`,
    turnedOff: (name: string) => `Die Regel „${name}“ ist ausgeschaltet.`,
    inChain: (chain: string, place: number) => `${chain}, ${number(place)}`,
    earlier: (name: string) => `${name} in der Kette nach oben schieben`,
    later: (name: string) => `${name} in der Kette nach unten schieben`,
    moved: (name: string, chain: string, place: number) =>
      `Die Regel „${name}“ ist Nummer ${number(place)} in der Kette „${chain}“.`,
    conditions: (n: number) => (n === 0 ? "keine Bedingung" : count(n, "Bedingung", "Bedingungen")),
  },
  rule: {
    heading: "Regel",
    groups: "Gruppen",
    noGroups: "Es gibt noch keine Gruppe; legen Sie zuerst eine an.",
    requiresAck: "Muss quittiert werden",
    priority: "Priorität",
    asEvent: "Wie das Ereignis sagt",
    critical: "Kritisch",
    onCallOnly: "Nur Bereitschaft",
    onCallOnlyHint: "Aus den Gruppen nur, wer dann Bereitschaft hat.",
    policy: "Eskalationsrichtlinie",
    noPolicy: "Keine",
    enabled: "Eingeschaltet",
    fallback: "Nur wo keine andere Regel gilt",
    fallbackHint: "Für das, was sonst niemanden erreichen würde.",
    chain: "Kette",
    chainHint:
      "Von einer Kette gilt nur die erste Regel, die zutrifft. Leer: Die Regel gilt, was auch immer andere Regeln tun.",
    position: "Position in der Kette",
    ringsOnce: "Für eine Gruppe von Ereignissen einmal klingeln",
    ringsOnceHint:
      "Das erste klingelt; seine Benachrichtigung sagt dann ohne Ton, wie viele danach kamen. Eine höhere Priorität klingelt.",
    groupBy: "Ereignisse mit gleichem",
    groupByHint: "Höchstens 3 Felder mit Kommas dazwischen, etwa data.host. Keines: alle Ereignisse der Regel.",
    groupMinutes: "Für wie viele Minuten",
    counts: "Erst klingeln, wenn mehrere Ereignisse gekommen sind",
    count: "Wie viele Ereignisse",
    withinMinutes: "Innerhalb wie vieler Minuten",
    save: "Speichern",
    saved: (name: string) => `Die Regel „${name}“ ist gespeichert.`,
    like: "Noch eine solche anlegen",
    delete: "Regel löschen",
    deleteQuestion: (name: string) =>
      `Die Regel „${name}“ löschen? Ereignisse gehen weiter ein; durch diese Regel wird niemand mehr benachrichtigt.`,
    deleted: (name: string) => `Die Regel „${name}“ ist gelöscht.`,
  },
  effect: {
    heading: "Was sie tun würde",
    matches: "Passt",
    matchesNot: "Passt nicht",
    nobody: "Sie würde niemanden benachrichtigen.",
    told: (names: readonly string[]) => `Sie würde ${names.join(", ")} benachrichtigen.`,
    noGroup: "Wählen Sie eine Gruppe: Ohne sie wird niemand benachrichtigt.",
    pastEvents: "Vergangene Ereignisse",
    strip: "Wann sie gepasst hätte, Stunde für Stunde",
    stripSaid: (matched: number, told: number) =>
      `${count(matched, "Ereignis", "Ereignisse")}, davon ${number(told)} mit jemandem, der benachrichtigt worden wäre.`,
    past: { 7: "Die letzte Woche", 28: "Die letzten vier Wochen" },
    lookBack: "Zurückblicken auf",
    matched: (n: number, events: number, all: boolean) =>
      `Sie hätte auf ${number(n)} ${all ? "von" : "der neuesten"} ${count(events, "Ereignis", all ? "Ereignissen" : "Ereignisse")} gepasst.`,
    difference: (more: number, less: number) =>
      `Anders als jetzt: ${count(more, "Ereignis hätte", "Ereignisse hätten")} jemanden zusätzlich benachrichtigt, ${count(less, "Ereignis", "Ereignisse")} jemanden weniger.`,
    silenced: "Eine Stummschaltung hätte es still gehalten.",
    grouped: "Ein anderes Ereignis seiner Gruppe hätte geklingelt.",
    belowThreshold: "Es wären zu wenige gekommen, um zu klingeln.",
    flapping: "Es wäre zurückgehalten worden, weil sein Alarm flattert, und vorbei gewesen, bevor das endete.",
    rings: (before: number, after: number) =>
      `Es hätte bei den Leuten ${number(after)}-mal geklingelt, nicht ${number(before)}-mal.`,
    tooMany: (n: number) =>
      `${count(n, "Benachrichtigung wäre", "Benachrichtigungen wären")} ohne Ton geblieben, weil es zu viele waren.`,
    notKnown: "Bei wem nachts eine Gruppe quittiert worden war, hätte es seltener geklingelt.",
    saved: (n: number, of: number) =>
      `Sie hätte ${number(n)} von ${count(of, "Benachrichtigung", "Benachrichtigungen")} erspart.`,
    delayedByGroup: "Was nach dem ersten einer Gruppe kam, hätten die Leute ohne Ton erfahren, höchstens 30 s später.",
    delayed: (n: number, seconds: number) =>
      `Von ${count(n, "Ereignis", "Ereignissen")} hätten die Leute später erfahren, sobald genug gekommen waren: nach höchstens ${duration(seconds)}.`,
    untold: (n: number) => `Von ${count(n, "Ereignis", "Ereignissen")} hätte niemand erfahren, weil zu wenige kamen.`,
    more: (n: number) => count(n, "weiteres", "weitere"),
    newest: "Die neuesten Ereignisse mit passendem Schlüssel",
    fitting: (n: number, recent: number) =>
      recent === 0
        ? "Es ist noch kein Ereignis eingegangen, an dem sich die Regel erproben ließe."
        : n === 0
          ? `Keines der letzten ${count(recent, "Ereignis", "Ereignisse")} hat einen passenden Schlüssel.`
          : `Von den letzten ${count(recent, "Ereignis", "Ereignissen")} ${n === 1 ? "hat" : "haben"} ${number(n)} einen passenden Schlüssel. Die neuesten davon:`,
  },
} satisfies Texts;
