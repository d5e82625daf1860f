import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import axe from "axe-core";
import { expect, onTestFinished, test } from "vitest";
import { aPerson, asDora, callApi, workspaceNamed } from "./person.ts";

const createUserReference = (id: string) => ({ id, type: "user_reference" });
const createEscalation = (id: string, name: string, target: string) => ({
  id,
  name,
  escalation_rules: [{ escalation_delay_in_minutes: 10, targets: [createUserReference(target)] }],
});
const createService = (name: string, policy: string) => ({
  id: name,
  name,
  escalation_policy: { id: policy },
  integrations: [{ id: `I ${name}`, type: "events_api_v2_inbound_integration", name: "API" }],
});
/** An account of PagerDuty: Dora is a member of the workspace, Gus is not. */
const account = {
  users: [
    { id: "P1", name: "Dora", email: "dora@demo.example", role: "user" },
    { id: "P2", name: "Gus", email: "gus@gone.example", role: "user" },
  ],
  escalation_policies: [createEscalation("PD", "Kiosks first", "P1"), createEscalation("PG", "Gus first", "P2")],
  services: [
    createService("Kiosk", "PD"),
    { id: "Fax", name: "Fax", escalation_policy: { id: "PX" }, status: "active", integrations: [] },
  ],
};
const createExportFile = (content: string) => ({
  name: "export.json",
  mimeType: "application/json",
  buffer: Buffer.from(content),
});

const LISTS = ["/routing-rules", "/escalation-policies", "/groups", "/api-keys"];

const deleteNewItems = async (): Promise<void> => {
  const readList = (list: string) => callApi<{ id: string }[]>("Demo", "GET", list);
  const before = new Set((await Promise.all(LISTS.map(readList))).flat().map(({ id }) => id));
  onTestFinished(async () => {
    for (const list of LISTS)
      for (const { id } of await readList(list)) if (!before.has(id)) await callApi("Demo", "DELETE", `${list}/${id}`);
  });
};

test("an owner uploads an export, reads the import's report and plan, and applies the plan", async () => {
  await deleteNewItems();
  const dora = await asDora({ at: "/integrations" });
  const { page } = dora;
  const loaded: string[] = [];
  page.on("request", (request) => void loaded.push(new URL(request.url()).pathname));
  await page.addInitScript(axe.source);
  await page.reload();
  await dora.goTo("Import", page.getByRole("navigation", { name: "Integrations" }));
  const input = page.getByLabel("Files", { exact: true });

  await dora.choose("Service", "PagerDuty");
  await input.setInputFiles(createExportFile('{ "users": ['));
  expect(loaded.filter((path) => path.includes("importer"))).toEqual([]);
  await dora.pressNamed("Read export");
  await page.getByRole("alert").getByText("export.json: The file is not JSON: fetch it again.").waitFor();

  await input.setInputFiles(createExportFile(JSON.stringify(account)));
  await dora.pressNamed("Read export");
  const counts = page.getByRole("table", { name: "Contents of the export" });
  await counts.getByRole("row", { name: "services 2 1 0 1" }).waitFor();
  await page.getByText(/^Service Fax:/).waitFor();
  expect(await page.getByRole("link", { name: "Download: Setup file" }).getAttribute("download")).toBe("set-up.yaml");

  await dora.pressNamed("Show plan");
  await page.getByRole("region", { name: "Plan" }).getByText('+ rule "Kiosk"').waitFor();
  for (const width of [1280, 360])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate<string[]>(
        'axe.run({ rules: { "target-size": { enabled: true } } }).then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))',
      );
      expect(found).toEqual([]);
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
  await dora.pressNamed("Apply");
  await page.getByText("Setup file applied.").waitFor();
  await page.getByRole("region", { name: "Result" }).getByText('created rule "Kiosk"').waitFor();
  await page.getByRole("link", { name: "Download: Keys" }).waitFor();

  const hasItemNamed = async (list: string, name: string) =>
    (await callApi<{ name: string }[]>("Demo", "GET", list)).some((one) => one.name === name);
  expect(await hasItemNamed("/groups", "Kiosks first: first")).toBe(true);
  await page.setViewportSize({ width: 1280, height: 800 });
  await dora.goTo("Rules");
  await page.getByRole("link", { name: "Kiosk", exact: true }).waitFor();
});

test("an owner chooses the folder of a backup, and reads what each of its folders and files contains", async () => {
  const dir = mkdtempSync(join(tmpdir(), "backup-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const files: Record<string, object> = {
    "users/dora@demo.example.json": { username: "dora@demo.example", role: { name: "Owner" } },
    "teams/Ops/team.json": { name: "Ops", members: [{ user: { type: "user", username: "dora@demo.example" } }] },
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), JSON.stringify(content));
  }
  const dora = await asDora({ at: "/import" });
  const { page } = dora;

  await page.getByLabel("Folder", { exact: true }).setInputFiles(dir);
  await dora.pressNamed("Read export");
  const counts = page.getByRole("table", { name: "Contents of the export" });
  await counts.getByRole("row", { name: "users 1 1 0 0" }).waitFor();
  await counts.getByRole("row", { name: "teams 1 1 0 0" }).waitFor();
});

test("a viewer sees which role is needed to import data, and no import button", async () => {
  const { members } = workspaceNamed("Demo");
  const { userId, name, email } = members.find((one) => one.name !== "Dora" && one.name !== "")!;
  const [before] = (await callApi<{ userId: string; role: string }[]>("Demo", "GET", "/members")).filter(
    (one) => one.userId === userId,
  );
  await callApi("Demo", "POST", "/members", { userId, name, email, role: "viewer" });
  onTestFinished(
    async () => void (await callApi("Demo", "POST", "/members", { userId, name, email, role: before!.role })),
  );
  const viewer = await aPerson();
  await viewer.signInAs(email);
  await viewer.open("/import", "Demo");

  await viewer.page.getByText(/needs the role manager/).waitFor();
  expect(await viewer.page.locator("main").getByRole("button").count()).toBe(0);
});
