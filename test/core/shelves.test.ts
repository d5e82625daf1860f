import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";

/* A shelf imports only itself and those before it, so that its reader need not know later ones. Lint guards rooms. */

const core = join(import.meta.dirname, "../../core");

/** Files directly in a room, on no shelf. */
const ROOM = ".";

const orders: Readonly<Record<string, readonly string[]>> = {
  domain: [
    "basics",
    "escalation",
    "people",
    "delivery",
    "event",
    "rules",
    "planning",
    "heartbeat",
    "sources",
    "statistics",
    "matching",
  ],
  flow: ["read", "admin", ROOM],
};

const shelfOf = (room: string, file: string): string => dirname(relative(join(core, room), file)).split("/")[0] ?? ROOM;

it.each(Object.entries(orders))("no shelf of core/%s imports one that comes after it", (room, order) => {
  const files = globSync(join(core, room, "**/*.ts"));
  expect([...new Set(files.map((file) => shelfOf(room, file)))].toSorted()).toEqual(order.toSorted());
  const imports = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/from "(\.{1,2}\/[^"]+)"/g)].map(([, target = ""]) => ({
      file: relative(core, file),
      from: shelfOf(room, file),
      to: shelfOf(room, join(dirname(file), target)),
    })),
  );
  expect(imports.length).toBeGreaterThan(files.length);
  expect(imports.filter(({ from, to }) => order.indexOf(to) > order.indexOf(from))).toEqual([]);
});
