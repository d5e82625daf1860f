import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, it } from "vitest";
import { onCallPictures } from "../../scripts/on-call-pictures.ts";

const page = readFileSync(new URL("../../docs/on-call.md", import.meta.url), "utf8");

it.each(onCallPictures.map((picture) => [basename(picture.path.pathname), picture] as const))(
  "docs/img/%s matches the schedules (npm run docs:on-call draws it), and docs/on-call.md shows it",
  (name, { path, content }) => {
    expect(readFileSync(path, "utf8")).toBe(content);
    expect(page).toContain(`(img/${name})`);
  },
);
