import type { Catalogue } from "../catalogue.ts";
import { formatCount as count } from "../numbers.ts";

export const texts = {
  cover: {
    heading: "Covers",
    findOf: (group: string) => `Find cover in ${group}`,
    part: "Part of the shift",
    whole: "Whole shift",
    night: (day: string) => `${day} night`,
    ask: "Ask colleagues",
    to: "Whom to ask",
    anybody: "Everybody who can take the shift",
    wanted: "In return",
    nothing: "Nothing",
    note: "Note",
    noteHint: "Your colleagues see this note.",
    sent: (names: readonly string[]) => `Asked: ${names.join(", ")}.`,
    nobodyAsked: "Nobody can take the shift. The managers are notified.",
    open: (who: string, group: string) => `${who} needs cover in ${group}`,
    taken: (who: string, taker: string, group: string) => `${taker} covers for ${who} in ${group}`,
    inReturn: (span: string) => `in return for ${span}`,
    asked: (people: number) => `${count(people, "colleague", "colleagues")} asked`,
    labelOf: (verb: string, who: string, start: string) => `${verb}: ${who}, ${start}`,
    take: "Take",
    youTake: (who: string) => `You cover for ${who}.`,
    decline: "Decline",
    declined: "Declined.",
    withdraw: "Withdraw",
    askWithdrawOpen: "Your colleagues can no longer take this shift.",
    askWithdraw: (who: string) => `${who} is on call again. The person who took the shift is notified.`,
    withdrawn: "Cover withdrawn.",
  },
};
export type Texts = Catalogue<typeof texts>;
