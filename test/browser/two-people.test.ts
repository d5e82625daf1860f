import { expect, test } from "vitest";
import { asDora, callApi, makeGroup, makeRule, workspaceNamed } from "./person.ts";

test("edits of two people do not overwrite each other, and a change that leaves nobody to notify needs a confirmation", async () => {
  const [dora] = workspaceNamed("Demo").members;
  const groupId = await makeGroup("Demo", "Two", [dora!.userId]);
  const { id: policyId } = await callApi("Demo", "POST", "/escalation-policies", {
    name: "For two",
    steps: [{ delayMinutes: 5, targets: [{ type: "group", groupId, onCallOnly: false }] }],
  });
  const rule = { name: "Ovens", eventKey: "oven.*", escalationPolicyId: policyId };
  const ruleId = await makeRule("Demo", groupId, rule);
  const someone = await asDora({ at: `/rules/${ruleId}` });
  const { page } = someone;

  await someone.fill("Name", "Hot ovens");
  await callApi("Demo", "PATCH", `/routing-rules/${ruleId}`, { name: "Cold ovens" });
  await someone.pressNamed("Save");
  await page
    .getByRole("alert")
    .getByText(/^Somebody else changed this/)
    .waitFor();
  await page.getByRole("link", { name: /^See the current version/ }).waitFor();
  expect(await page.getByLabel("Name", { exact: true }).first().inputValue()).toBe("Hot ovens");
  expect(await callApi("Demo", "GET", `/routing-rules/${ruleId}`)).toMatchObject({ name: "Cold ovens" });
  await page.reload();
  await someone.pressNamed("Start over");
  await someone.fill("Name", "Hot ovens");
  await someone.pressNamed("Save");
  await page.getByText('Rule "Hot ovens" saved.').first().waitFor();
  await someone.fill("Name", "Hotter ovens");
  await someone.pressNamed("Save");
  await page.getByText('Rule "Hotter ovens" saved.').first().waitFor();

  await someone.open(`/escalation/${policyId}`, "Demo");
  await someone.pressNamed("Delete policy");
  await page
    .getByRole("dialog")
    .getByText(/These rules will no longer escalate: "Hotter ovens"/)
    .waitFor();
  await someone.pressNamed("Delete policy", page.getByRole("dialog"));
  await page.getByText('Policy "For two" deleted.').first().waitFor();

  await someone.open(`/groups?open=${groupId}`, "Demo");
  const box = page.getByRole("checkbox", { name: dora!.name, exact: true });
  await box.click();
  await page
    .getByRole("dialog")
    .getByText(/Two would be empty/)
    .waitFor();
  expect(await callApi<unknown[]>("Demo", "GET", `/groups/${groupId}/members`)).toHaveLength(1);
  await someone.pressNamed("Remove", page.getByRole("dialog"));
  await expect.poll(() => callApi<unknown[]>("Demo", "GET", `/groups/${groupId}/members`)).toHaveLength(0);
});
