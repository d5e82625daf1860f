import { expect, test } from "vitest";
import { asDora, callApi, makeGroup, makeRule, workspaceNamed } from "./person.ts";

test("what somebody else has changed is not overwritten, and what leaves nobody to be told is asked first", async () => {
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
    .getByText(/^Somebody else has changed this/)
    .waitFor();
  await page.getByRole("link", { name: /^See what it is now/ }).waitFor();
  expect(await page.getByLabel("Name", { exact: true }).first().inputValue()).toBe("Hot ovens");
  expect(await callApi("Demo", "GET", `/routing-rules/${ruleId}`)).toMatchObject({ name: "Cold ovens" });
  await page.reload();
  await someone.pressNamed("Start over");
  await someone.fill("Name", "Hot ovens");
  await someone.pressNamed("Save");
  await page.getByText('The rule "Hot ovens" is saved.').first().waitFor();
  await someone.fill("Name", "Hotter ovens");
  await someone.pressNamed("Save");
  await page.getByText('The rule "Hotter ovens" is saved.').first().waitFor();

  await someone.open(`/escalation/${policyId}`, "Demo");
  await someone.pressNamed("Delete policy");
  await page
    .getByRole("dialog")
    .getByText(/It is in use: "Hotter ovens"/)
    .waitFor();
  await someone.pressNamed("Delete policy", page.getByRole("dialog"));
  await page.getByText('The policy "For two" is deleted.').first().waitFor();

  await someone.open(`/groups?open=${groupId}`, "Demo");
  const box = page.getByLabel(dora!.name, { exact: true });
  await box.click();
  await page
    .getByRole("dialog")
    .getByText(/Nobody is left in Two then/)
    .waitFor();
  expect(await callApi<unknown[]>("Demo", "GET", `/groups/${groupId}/members`)).toHaveLength(1);
  await someone.pressNamed("Remove", page.getByRole("dialog"));
  await expect.poll(() => callApi<unknown[]>("Demo", "GET", `/groups/${groupId}/members`)).toHaveLength(0);
});
