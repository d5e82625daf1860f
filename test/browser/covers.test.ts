import { expect, onTestFinished, test } from "vitest";
import { aPerson, callApi, makeGroup, workspaceNamed } from "./person.ts";

const DAY_MS = 86_400_000;
// In every other workspace, other tests put people on call, who then cannot take a shift.
const COMPANY = "Acme";

test.each([
  { width: 360, height: 740 },
  { width: 1_280, height: 800 },
])(
  "at $width pixels, a person asks for cover for a night in three presses, and a colleague takes the cover in two presses",
  async (viewport) => {
    const [giver, taker] = workspaceNamed(COMPANY).members;
    const group = `Nights ${viewport.width}`;
    const groupId = await makeGroup(COMPANY, group, [giver!.userId, taker!.userId]);
    for (const member of [0, 1]) {
      const { id } = await callApi(
        COMPANY,
        "POST",
        "/devices",
        { token: `covers-${viewport.width}-${member}`, platform: "ios" },
        member,
      );
      onTestFinished(async () => void (await callApi(COMPANY, "DELETE", `/devices/${id}`, undefined, member)));
    }
    const start = new Date(Date.now() - DAY_MS).toISOString();
    const layer = { start, every: 1, unit: "week", participants: [giver!.userId] };
    await callApi(COMPANY, "PUT", `/groups/${groupId}/on-call`, { timeZone: "UTC", layers: [layer] });
    const night = `${new Date(Date.now() + 2 * DAY_MS).toLocaleDateString("en", { weekday: "long" })} night`;

    const one = await aPerson({ viewport });
    await one.signInAs(giver!.email);
    await one.open("/on-call", COMPANY);
    const mine = one.page.getByRole("listitem").filter({ hasText: group });
    await one.press(mine.getByRole("button", { name: "Find cover" }));
    await one.pressNamed(night);
    await one.pressNamed("Ask colleagues");
    await one.page.getByText(`${giver!.name} needs cover in ${group}`).waitFor();
    expect(one.presses()).toBe(3);

    const other = await aPerson({ viewport });
    await other.signInAs(taker!.email);
    await other.open("/", COMPANY);
    await other.goTo("On call");
    const asked = other.page.getByRole("listitem").filter({ hasText: `${giver!.name} needs cover in ${group}` });
    await other.press(asked.getByRole("button", { name: "Take" }));
    await other.page.getByText(`${taker!.name} covers for ${giver!.name} in ${group}`).waitFor();
    expect(other.presses()).toBe(2);
  },
);
