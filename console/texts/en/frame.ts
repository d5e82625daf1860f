import type { Catalogue } from "../catalogue.ts";

/** Texts around every page that are shown only sometimes. */
export const texts = {
  first: {
    lead: "You are not in a workspace yet. Create one, or ask a colleague to invite you.",
    name: "Name",
    create: "Create workspace",
  },
  keysHelp: {
    heading: "Keys",
    rows: [
      ["/", "Search"],
      ["j, k", "Next, previous entry"],
      ["a", "Acknowledge the chosen entry"],
      ["z", "Undo the last change"],
      ["Ctrl+K, ⌘K", "Go to a page, rule, group or person"],
      ["?", "Show the keys"],
    ],
  },
  wrongClock: (minutes: number, isSlow: boolean) =>
    `This device's clock is ${minutes} min ${isSlow ? "slow" : "fast"}. Times here follow the service's clock.`,
  unreached: {
    silentAsk: (name: string) =>
      `No contact with ${name} for 30 days. Open the console on that device, or send a test to it.`,
    renewAsk: (name: string) =>
      `Pushes to ${name} do not arrive, because the device is registered with the keys of another service. Open the console on that device and press “Renew”, or sign in to the app again.`,
    goneHere: "This browser no longer receives notifications.",
    renew: "Renew",
  },
  shadow: {
    lasts: (until: string) =>
      `Shadow until ${until}: the service determines whom it would notify, but notifies nobody.`,
    compare: "Compare",
    end: "End shadow",
    ended: "The shadow has ended. From the next event on, people are notified.",
  },
  join: {
    ask: (who: string | undefined, workspace: string, role: string) =>
      `${who === undefined ? "You are invited" : `${who} invites you`} to join ${workspace} as ${role.toLowerCase()}.`,
    join: "Join",
    joined: (workspace: string) => `You joined ${workspace}.`,
  },
};
export type Texts = Catalogue<typeof texts>;
