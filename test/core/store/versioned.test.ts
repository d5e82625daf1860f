import * as v from "valibot";
import { expect, it } from "vitest";
import { changeVersionedItem, deleteVersionedItem } from "../../../core/store/configuration/versioned.ts";
import { putItem } from "../../../core/store/table.ts";
import { groupKey } from "../../../core/store/keys.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const { deps: clock } = createTestClock();
const stand = await useTable();
const deps = { ...clock, table: stand.table };
const Thing = v.object({
  name: v.string(),
  note: v.exactOptional(v.string()),
  version: v.optional(v.number(), 1),
});
type Thing = v.InferOutput<typeof Thing>;

const recorded = { ws: "ws_1", kind: "group", id: "grp_1" } as const;

let things = 0;
const aThing = async (thing: object = {}) => {
  things += 1;
  const key = groupKey("ws_1", `grp_${things}`);
  await putItem(deps, key, { name: "First", ...thing });
  return key;
};
const rename = (name: string) => (thing: Thing) => ({ ...thing, name });

const { send } = stand.table.client;
type Sent = { constructor: { name: string } };
/** Returns dependencies whose client loses the answer to its first write, and repeats the write. */
const createDepsLosingAnswerOf = (commandName: string) => {
  let lost = false;
  const client = {
    send: (async (command: Sent) => {
      if (command.constructor.name === commandName && !lost) {
        lost = true;
        await send(command as never);
      }
      return send(command as never);
    }) as typeof send,
  };
  return { ...deps, table: { ...stand.table, client } };
};

it("a write whose answer was lost recognises its own change, not somebody else's", async () => {
  const key = await aThing({ version: 3 });

  // Each run of this change gives another name, so the item's name does not show whether the change was made.
  const renameAgain = (thing: Thing) => ({ ...thing, name: `${thing.name} again` });
  const changed = await changeVersionedItem(createDepsLosingAnswerOf("TransactWriteCommand"), key, Thing, renameAgain, {
    recorded,
    expected: [3],
  });

  expect(changed).toEqual({ name: "First again", version: 4 });
});

it("two changes of an item at the same moment are both made, one after the other", async () => {
  const key = await aThing({ version: 1 });

  await Promise.all([
    changeVersionedItem(deps, key, Thing, rename("Second"), { recorded }),
    changeVersionedItem(deps, key, Thing, (thing) => ({ ...thing, note: "Noted" }), { recorded }),
  ]);

  expect(await changeVersionedItem(deps, key, Thing, (thing) => thing, { recorded })).toEqual({
    name: "Second",
    note: "Noted",
    version: 3,
  });
});

it("if two changes expect the same version at the same moment, the conditional write of one is refused", async () => {
  const key = await aThing({ version: 1 });

  const ended = await Promise.allSettled(
    ["Second", "Third"].map((name) => changeVersionedItem(deps, key, Thing, rename(name), { recorded, expected: [1] })),
  );

  expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

it("a deletion that expects a version is refused if the item has changed; a deletion without a version succeeds", async () => {
  const key = await aThing({ version: 1 });
  const renameStored = async () => {
    await changeVersionedItem(deps, key, Thing, rename("Second"), { recorded, expected: [1] }).catch(() => undefined);
  };

  const refused = deleteVersionedItem(deps, key, Thing, { recorded, expected: [1], checkBefore: renameStored });

  await expect(refused).rejects.toMatchObject({ kind: "changed_meanwhile" });
  expect((await deleteVersionedItem(deps, key, Thing, { recorded })).isDeleted).toBe(true);
});

it("an item stored without a version is treated as version one, and is not recreated after its deletion", async () => {
  const key = await aThing();

  expect(await changeVersionedItem(deps, key, Thing, rename("Second"), { recorded, expected: [1] })).toEqual({
    name: "Second",
    version: 2,
  });
  const old = await aThing();
  const deleteStored = async () => {
    await deleteVersionedItem(deps, old, Thing, { recorded });
  };
  expect(
    await changeVersionedItem(deps, old, Thing, rename("Ghost"), { recorded, checkBefore: deleteStored }),
  ).toBeUndefined();
});

it("an update writes only what differs, and keeps fields that only other code versions know", async () => {
  const key = await aThing({ version: 1, note: "Noted", later: "kept" });

  await changeVersionedItem(deps, key, Thing, ({ version }) => ({ name: "Second", version }), { recorded });

  const items = await stand.listItems();
  expect(items.find(({ sk }) => sk === key.sk)).toEqual({ ...key, name: "Second", version: 2, later: "kept" });
});
