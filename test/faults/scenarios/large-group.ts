import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const PEOPLE = 120;
const names = Array.from({ length: PEOPLE }, (_, index) => `p${String(index).padStart(3, "0")}`);

export const largeGroup: Scenario = {
  name: "large-group",
  about: "an event matches two rules with three overlapping groups of 120 people, ten of them without a device",
  channel: "both",
  setup: async (deps) => [
    await buildWorkspace(deps, {
      people: Object.fromEntries(names.map((name, index) => [name, index % 12 === 11 ? [] : [`${name}-phone`]])),
      groups: { a: names.slice(0, 50), b: names.slice(40, 90), c: names.slice(80) },
      rules: {
        wide: { eventKey: "site.*", groups: ["a", "b", "c"] },
        narrow: { eventKey: "site.down", groups: ["b"], priorityOverride: "URGENT" },
      },
    }),
  ],
  play: async ({ clients, fixtures: [acme] }) => {
    await clients.post(acme!, { event: "site.down", title: "The site is down" });
  },
  expectNotified: () => [
    [...names.map((name) => `wide|${name}`), ...names.slice(40, 90).map((name) => `narrow|${name}`)],
  ],
};
