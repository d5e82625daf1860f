import { afterEach, describe, expect, it } from "vitest";
import type { Table } from "../../../core/deps.ts";
import { EVENT_TYPES } from "../../../core/domain/webhook/webhook.ts";
import { updateWebhook } from "../../../core/flow/admin/webhooks.ts";
import { type LineDeps, workLine } from "../../../core/flow/work-line.ts";
import { createWebhook } from "../../../core/store/webhooks.ts";
import { closeWorlds, createWorld } from "../../world/world.ts";

afterEach(closeWorlds);

const MINUTE = 60_000;

/** A webhook with three events in its line, and an invocation that takes from it. */
const setUp = async () => {
  const world = await createWorld();
  const ops = await world.group("Ops", ["usr_ann"]);
  await world.rule([ops]);
  const { id } = await createWebhook(world.deps, world.ws, {
    name: "Board",
    url: "https://board.example.com/hook",
    types: [...EVENT_TYPES],
    eventKeys: null,
    paused: true,
  });
  for (const title of ["One", "Two", "Three"]) await world.post({ title });
  await world.runFor(MINUTE);
  await updateWebhook(world.deps, world.ws, id, { paused: false });
  // What asks for the line is taken away: the invocation below is the only one that has been asked.
  world.queues.webhooks.drain();
  const work = (hasTime: () => boolean, deps: LineDeps = { ...world.deps, sleep: async () => {} }) =>
    workLine(deps, { kind: "line", ws: world.ws, id }, hasTime);
  const titles = () => world.posted.map(({ body }) => (JSON.parse(body) as { data: { title: string } }).data.title);
  return { world, work, titles };
};

describe("an invocation that holds a line", () => {
  it("gives it back when its time is up, to be gone on with at once", async () => {
    const { world, work, titles } = await setUp();
    let left = 1;
    await work(() => left-- > 0);
    expect(titles()).toEqual(["One"]);

    await world.runFor(1000);

    expect(titles()).toEqual(["One", "Two", "Three"]);
  });

  it("sends also what is put in line after it has found the line empty", async () => {
    const { world, work, titles } = await setUp();
    let isLate = true;
    const send = async (command: { input: { UpdateExpression?: string; ConditionExpression?: string } }) => {
      const { UpdateExpression = "", ConditionExpression = "" } = command.input;
      const givesBack = UpdateExpression.includes("REMOVE") && ConditionExpression.startsWith("lease = ");
      if (givesBack && isLate) {
        isLate = false;
        await world.post({ title: "Four" });
        await world.runFor(1000);
        expect(titles()).not.toContain("Four");
      }
      return world.deps.table.client.send(command as never);
    };
    const table = { ...world.deps.table, client: { send } as unknown as Table["client"] };
    await work(() => true, { ...world.deps, table, sleep: async () => {} });

    expect(isLate).toBe(false);
    expect(titles()).toEqual(["One", "Two", "Three", "Four"]);
  });
});
