import { readFileSync } from "node:fs";
import * as v from "valibot";
import { expect, it } from "vitest";
import { ApiDocument, renderApiPage } from "../../../console/build/api-page.ts";
import { routes } from "../../../interface/routes.ts";

it("the page of the API shows every endpoint, and escapes its texts", () => {
  const text = readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8");
  const { html, style } = renderApiPage(v.parse(ApiDocument, JSON.parse(text)));

  for (const { entry } of routes) expect(html).toContain(`id="${entry.split("/")[1]}"`);
  expect(html).toContain("&quot;Nightly backup&quot;");
  expect(html).toContain(`<style>${style}</style>`);
});
