import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

export const dedupeRace: Scenario = {
  name: "dedupe-race",
  about: "three clients send the same dedupeKey at once, and each repeats its request until it is answered",
  setup: async (deps) => [await buildWorkspace(deps, { rules: { everything: { eventKey: "*" } } })],
  play: async ({ clients, world, fixtures: [acme] }) => {
    const send = async (title: string, after: number) => {
      await world.kernel.sleep(after);
      return clients.post(acme!, { event: "disk.full", title, dedupeKey: "disk-7" });
    };
    await Promise.all([send("first", 0), send("second", 1), send("third", 12)]);
  },
  expectNotified: () => [["everything|alice"]],
  check: async ({ clients }) => {
    const answers = clients.posts.map(({ answers }) => answers.at(-1));
    const ids = new Set(
      answers.flatMap((answer) => (answer?.status === 200 || answer?.status === 201 ? [answer.eventId] : [])),
    );
    return ids.size > 1 ? [`one dedupeKey was answered with ${ids.size} events`] : [];
  },
};
