import { expect, test } from "vitest";
import { aPerson, readSession, workspaceNamed } from "./person.ts";

const STEPS_MAX = 70;
/** The time limit is long, because the test sets up six people. */
const WHOLE_MS = 400_000;

test(
  "using only the console, a new user sets up a team with rotations, rules and every other kind of setting",
  async () => {
    const { outsider } = readSession();
    const colleagues = workspaceNamed("Acme").members.slice(1, 6);
    const oscar = await aPerson();
    const { page } = oscar;
    await page.goto(readSession().console);
    await oscar.pressNamed("Sign in");
    await oscar.pressNamed(`${outsider.name} (${outsider.email})`);
    await oscar.fill("Name", "Night owls");
    await oscar.pressNamed("Create workspace");
    await oscar.heading("Inbox").waitFor();
    await oscar.pressNamed("Notify this browser");

    await oscar.pressNamed("People");
    await oscar.pressNamed("Invite somebody");
    await oscar.fill("Email addresses", colleagues.map(({ email }) => email).join(", "));
    await oscar.pressNamed("Invite");
    await page.getByText("5 people are invited").waitFor();
    let presses = 0;
    for (const { email } of colleagues) {
      const colleague = await aPerson();
      await colleague.signInAs(email);
      await colleague.pressNamed("Join: Night owls");
      await colleague.page.getByText("You joined Night owls.").waitFor();
      presses += colleague.presses();
      await colleague.context.close();
    }
    const six = [outsider, ...colleagues];
    const groups = [
      { name: "Platform", people: six.slice(0, 3) },
      { name: "Shop", people: six.slice(3) },
    ];

    await oscar.pressNamed("Groups");
    for (const { name, people } of groups) {
      await oscar.pressNamed("New group");
      await oscar.fill("Name", name);
      await oscar.pressNamed("Save");
      for (const one of people) await oscar.check(one.name);
    }
    for (const { name } of groups) {
      await oscar.pressNamed("On call");
      await oscar.pressNamed(`Edit schedule of ${name}`);
      await oscar.heading(`Schedule of ${name}`).waitFor();
      await oscar.pressNamed("Add everybody in the group");
      await oscar.pressNamed("Save schedule");
      await page.getByText(`Schedule of ${name} saved.`).waitFor();
    }

    await oscar.pressNamed("Escalation");
    await oscar.pressNamed("New policy");
    await oscar.fill("Name", "Everybody of Platform");
    await oscar.choose("Notify", "Platform");
    await oscar.pressNamed("Add");
    await oscar.pressNamed("Save");
    await oscar.heading("Everybody of Platform").waitFor();

    await oscar.pressNamed("Rules");
    await oscar.pressNamed("New rule");
    await oscar.fill("Name", "Disks");
    await oscar.fill("Event key", "disk.filling");
    await oscar.check("Platform");
    await oscar.check("On call only");
    await oscar.choose("Escalation policy", "Everybody of Platform");
    await oscar.pressNamed("Save");
    await oscar.heading("Disks").waitFor();
    for (const [name, eventKey] of [
      ["Backups", "backup.failed"],
      ["Orders", "order.*"],
    ] as const) {
      await oscar.pressNamed("Duplicate rule");
      await oscar.heading("New rule").waitFor();
      await oscar.fill("Name", name);
      await oscar.fill("Event key", eventKey);
      await oscar.pressNamed("Save");
      await oscar.heading(name).waitFor();
    }

    await oscar.pressNamed("Silences");
    await oscar.pressNamed("New silence");
    await oscar.fill("Name", "Maintenance on Sundays");
    await oscar.fill("Event key", "backup.*");
    await oscar.choose("When", "Every week");
    await oscar.pressNamed("Save");
    await page.getByText("Maintenance on Sundays").first().waitFor();
    await oscar.pressNamed("Integrations");
    await oscar.pressNamed("Heartbeats");
    await oscar.pressNamed("New heartbeat");
    await oscar.fill("Name", "Nightly backup");
    await oscar.pressNamed("Save");
    const url = await page.getByLabel("URL to call", { exact: true }).first().textContent();

    expect(url).toContain("/v1/heartbeats/");
    const { token } = outsider;
    const readAsOutsider = async (path: string): Promise<unknown[]> => {
      const headers = { Authorization: `Bearer ${token}` };
      const read = async (address: string) =>
        (await (await fetch(`${readSession().baseUrl}/v1/workspaces${address}`, { headers })).json()) as {
          id: string;
        }[];
      const [own] = await read("");
      return read(`/${own!.id}${path}`);
    };
    expect(await readAsOutsider("/devices")).toHaveLength(1);
    expect(await readAsOutsider("/routing-rules")).toHaveLength(3);
    expect(await readAsOutsider("/on-call/now")).toMatchObject([
      { groupName: "Platform", onCall: [{ inGroup: true }] },
      { groupName: "Shop", onCall: [{ inGroup: true }] },
    ]);
    const steps = oscar.steps() + presses;
    expect(steps).toBeLessThan(STEPS_MAX);
  },
  WHOLE_MS,
);
