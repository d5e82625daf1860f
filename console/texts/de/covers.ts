import { formatCount as count } from "../numbers.ts";
import type { Texts } from "../en/covers.ts";

export const texts = {
  cover: {
    heading: "Übernahmen",
    findOf: (group: string) => `Vertretung in ${group} suchen`,
    part: "Teil der Schicht",
    whole: "Ganze Schicht",
    night: (day: string) => `Nacht ab ${day}`,
    ask: "Kollegen fragen",
    to: "Wer gefragt wird",
    anybody: "Alle, die übernehmen können",
    wanted: "Im Tausch",
    nothing: "Nichts",
    note: "Notiz",
    noteHint: "Ihre Kollegen sehen diese Notiz.",
    sent: (names: readonly string[]) => `Gefragt: ${names.join(", ")}.`,
    nobodyAsked: "Zu dieser Zeit kann niemand übernehmen. Die Verwalter werden benachrichtigt.",
    open: (who: string, group: string) => `${who} sucht eine Vertretung in ${group}`,
    taken: (who: string, taker: string, group: string) => `${taker} übernimmt für ${who} in ${group}`,
    inReturn: (span: string) => `im Tausch gegen ${span}`,
    asked: (people: number) => `${count(people, "Person", "Personen")} gefragt`,
    labelOf: (verb: string, who: string, start: string) => `${verb}: ${who}, ${start}`,
    take: "Übernehmen",
    youTake: (who: string) => `Sie übernehmen für ${who}.`,
    decline: "Ablehnen",
    declined: "Abgelehnt.",
    withdraw: "Zurückziehen",
    askWithdrawOpen: "Ihre Kollegen können diese Schicht nicht mehr übernehmen.",
    askWithdraw: (who: string) =>
      `${who} hat wieder Bereitschaft. Die Person, die übernommen hatte, wird benachrichtigt.`,
    withdrawn: "Die Übernahme ist zurückgezogen.",
  },
} satisfies Texts;
