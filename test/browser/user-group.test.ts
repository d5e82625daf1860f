import { expect, test } from "vitest";
import { asDora, callApi } from "./person.ts";

type Connection = { id: string; name: string; follows: { unlinkedIds: string[]; kept: string | null } | null };

test("a Slack user group follows an on-call group, and the page names people on call without a linked Slack account", async () => {
  const name = "Mentioned as @oncall";
  const [duty] = (
    await callApi<{ groupId: string; groupName: string; onCall: { name: string }[] }[]>("Demo", "GET", "/on-call/now")
  ).filter(({ onCall }) => onCall.length > 0);
  const dora = await asDora({ at: "/connections?edit=new" });
  const { page } = dora;
  await dora.fill("Name", name);
  await dora.choose("Type", "Slack user group that follows who is on call");
  await dora.fill("User group", "@oncall");
  await page.getByLabel(duty!.groupName, { exact: true }).check();
  await dora.pressNamed("Save");
  await page.getByRole("alert").getByText("User group: must be the id of a user group").waitFor();
  await dora.fill("User group", "S0BROWSER99");
  await dora.pressNamed("Save");
  const row = page.getByRole("listitem").filter({ hasText: name });
  await row.getByText(`Who is on call in ${duty!.groupName}`).waitFor();

  await dora.pressNamed(`Test ${name}`);
  await page.getByText("The test failed: NOBODY_LINKED.").waitFor();
  await row
    .getByText(`On call but not in the user group: ${duty!.onCall.map((one) => one.name).join(", ")}.`)
    .waitFor();

  const connections = await callApi<Connection[]>("Demo", "GET", "/connections");
  const made = connections.find((one) => one.name === name);
  expect(made?.follows?.kept).toBe("nobody_linked");
  await callApi("Demo", "DELETE", `/connections/${made?.id}`);
});
