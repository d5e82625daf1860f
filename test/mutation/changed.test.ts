import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listChangedLines } from "./changed.ts";
import { isIn, rooms } from "./rooms.ts";

describe("the changed lines of a diff", () => {
  it("are the lines that the diff adds or changes, by file, without removed lines", () => {
    const diff = [
      "diff --git a/core/a.ts b/core/a.ts",
      "--- a/core/a.ts",
      "+++ b/core/a.ts",
      "@@ -3 +3 @@ export const a = 1;",
      "-old",
      "+new",
      "@@ -10,0 +11,3 @@",
      "+one",
      "+@@ -1 +1 @@ is text here",
      "+three",
      "@@ -20,2 +23,0 @@",
      "--- a/core/b.ts",
      "+++ b/core/b.ts",
      "@@ -1,2 +1,4 @@",
    ];

    expect(listChangedLines(diff.join("\n"))).toEqual([
      { file: "core/a.ts", from: 3, to: 3 },
      { file: "core/a.ts", from: 11, to: 13 },
      { file: "core/b.ts", from: 1, to: 4 },
    ]);
  });
});

describe("the groups of domain files for mutation tests", () => {
  it("contain every file of the domain", () => {
    const files = globSync("core/domain/**/*.ts");

    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => !Object.values(rooms).some((room) => isIn(room, file)))).toEqual([]);
  });

  it("contain their own files, and not the files of a group inside them", () => {
    expect(isIn(rooms["rules"]!, "core/domain/rules/silence.ts")).toBe(true);
    expect(isIn(rooms["rules"]!, "core/domain/rules/matching/bucket.ts")).toBe(false);
    expect(isIn(rooms["event"]!, "core/domain/events.ts")).toBe(false);
    expect(isIn(rooms["console"]!, "console/app/inbox.tsx")).toBe(false);
  });
});
