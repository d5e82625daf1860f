import { expect, test } from "vitest";
import { asDora, callApi, HANDS, makeGroup, makeRule, workspaceNamed } from "./person.ts";

test.each(HANDS)(
  "with $input, a rule is moved up in its chain, and the page announces its new position",
  async ({ keyboard }) => {
    const chain = `chain_${Date.now().toString(36)}`;
    const { userId } = workspaceNamed("Demo").members.find(({ name }) => name === "Dora")!;
    const groupId = await makeGroup("Demo", `Of ${chain}`, [userId]);
    const eventKey = `${chain}.x`;
    await makeRule("Demo", groupId, { name: `First of ${chain}`, eventKey, chain, position: 10 });
    const second = await makeRule("Demo", groupId, { name: `Second of ${chain}`, eventKey, chain, position: 20 });

    const dora = await asDora({ keyboard, at: `/rules?search=${chain}` });
    await dora.pressNamed(`Move Second of ${chain} up in its chain`);
    await dora.page.getByText(`The rule "Second of ${chain}" is number 1 in the chain "${chain}".`).waitFor();

    expect(await callApi("Demo", "GET", `/routing-rules/${second}`)).toMatchObject({ position: 5 });
    const names = dora.page.getByRole("listitem").filter({ hasText: chain });
    expect((await names.allInnerTexts()).map((text) => text.split(" of ")[0])).toEqual(["Second", "First"]);
  },
);

test("a rule that is dragged onto another rule of its chain takes the position of that rule", async () => {
  const chain = `drag_${Date.now().toString(36)}`;
  const { userId } = workspaceNamed("Demo").members.find(({ name }) => name === "Dora")!;
  const groupId = await makeGroup("Demo", `Of ${chain}`, [userId]);
  const eventKey = `${chain}.x`;
  const first = await makeRule("Demo", groupId, { name: `First of ${chain}`, eventKey, chain, position: 10 });
  await makeRule("Demo", groupId, { name: `Second of ${chain}`, eventKey, chain, position: 20 });

  const dora = await asDora({ at: `/rules?search=${chain}` });
  const findRow = (name: string) => dora.page.getByRole("listitem").filter({ hasText: `${name} of ${chain}` });
  await findRow("First").dragTo(findRow("Second"));
  await dora.page.getByText(`The rule "First of ${chain}" is number 2 in the chain "${chain}".`).waitFor();

  expect(await callApi("Demo", "GET", `/routing-rules/${first}`)).toMatchObject({ position: 30 });
});
