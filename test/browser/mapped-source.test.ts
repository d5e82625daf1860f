import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asDora, callApi } from "./person.ts";

const { mapping, firing, ignored } = JSON.parse(readFileSync("docs/examples/mapped/new-relic.json", "utf8"));

test("a tool without an adapter is set up from a sample message, and sends to its own URL", async () => {
  const dora = await asDora({ at: "/keys" });
  const { page } = dora;
  await dora.pressNamed("New key");
  await dora.fill("Name", "New Relic");
  await dora.choose("Used by", "Any other tool");
  const tried = page.getByRole("status", { name: "Preview" });

  await dora.fill("Sample message", JSON.stringify(firing));
  await tried.getByText("my_tool.firing").waitFor();
  await dora.fill("Mapping", "{");
  await tried.getByText("Mapping: ").waitFor();
  await dora.pressNamed("Create");
  await page.getByText("The mapping must be JSON.").waitFor();
  await dora.fill("Mapping", JSON.stringify({ ...mapping, resource: "My Tool" }));
  await dora.pressNamed("Create");
  await page.getByRole("alert").getByText("resource must be lowercase letters").waitFor();
  await dora.fill("Mapping", JSON.stringify(mapping));
  await tried.getByText("new_relic.firing · CPU of db-1 is above 90 % · URGENT · identified by 7b1f8a52").waitFor();
  await dora.fill("Sample message", JSON.stringify(ignored[0]));
  await tried.getByText("No event").waitFor();
  await dora.pressNamed("Create");

  const address = (await page.getByLabel("URL for the tool", { exact: true }).textContent()) ?? "";
  const answer = await fetch(address, { method: "POST", body: JSON.stringify(firing) });
  expect(await answer.json()).toMatchObject({ ok: true, events: [{ eventKey: "new_relic.firing", warnings: [] }] });
  const keys = await callApi<{ id: string; source?: string }[]>("Demo", "GET", "/api-keys");
  for (const { id, source } of keys) if (source === "mapped") await callApi("Demo", "DELETE", `/api-keys/${id}`);
});
