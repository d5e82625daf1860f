import type { Catalogue } from "../catalogue.ts";

/** What the frame around every page says now and then. */
export const texts = {
  first: {
    lead: "You are in no workspace yet. Make one, or ask a colleague to add you to theirs.",
    name: "Name",
    create: "Create workspace",
  },
  keysHelp: {
    heading: "Keys",
    rows: [
      ["/", "Search"],
      ["j, k", "Next, previous entry"],
      ["a", "Acknowledge the chosen entry"],
      ["Ctrl+K, ⌘K", "Go to a page, rule, group or person"],
      ["?", "Show the keys"],
    ],
  },
  wrongClock: (minutes: number, isSlow: boolean) =>
    `This device's clock is ${minutes} min ${isSlow ? "slow" : "fast"}. Times here follow the service's clock.`,
  unreached: {
    silentAsk: (name: string) => `${name} was not heard of for 30 days. Open the console there, or send it a test.`,
    renewAsk: (name: string) =>
      `No push reaches ${name}: it is registered with another sender. Open the console there and renew it, or sign in to the app again.`,
    goneHere: "This browser was a device of yours and is not told any more.",
    renew: "Renew",
  },
  join: {
    ask: (who: string | undefined, workspace: string, role: string) =>
      `${who === undefined ? "You are invited" : `${who} invites you`} to join ${workspace} as ${role.toLowerCase()}.`,
    join: "Join",
    joined: (workspace: string) => `You are a member of ${workspace}.`,
  },
};
export type Texts = Catalogue<typeof texts>;
