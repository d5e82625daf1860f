import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "../tools/command-line.ts";
import { spawnService } from "../local/spawn.ts";
import { launchChromium } from "../tools/chromium.ts";

readArguments("npm run docs:pictures    takes the pictures of the console in Chromium, and writes docs/img/", {});

/* Takes the screenshots for README and docs/console.md. Needs Chromium: `apt-get install chromium`, or its path in CHROMIUM. */

const folder = join(import.meta.dirname, "../docs/img");
const WEEK = "7";
const desk = { width: 1120, height: 640 };
const phone = { width: 360, height: 640 };

type Screenshot = { name: string; path: string; size: typeof desk };

const dir = mkdtempSync(join(tmpdir(), "pictures-"));
const service = await spawnService({ dir, env: { LOCAL_DEMO_DAYS: WEEK, LOCAL_PUSH: "stand-in" } });
const browser = await launchChromium();
try {
  const demo = service.workspace("Demo");
  const dora = demo.members.find(({ name }) => name === "Dora");
  if (dora === undefined) throw new Error("the demo has no Dora");
  const readItems = async (path: string): Promise<{ id: string }[]> => {
    const { body } = await service.call("GET", `/v1/workspaces/${demo.id}${path}`, { as: dora.token });
    const list: { id: string }[] | { items: { id: string }[] } = JSON.parse(JSON.stringify(body));
    return Array.isArray(list) ? list : list.items;
  };
  const [event] = await readItems("/events?state=acknowledged&eventKey=payment.errors");
  const [rule] = await readItems("/routing-rules");
  const shots: readonly Screenshot[] = [
    { name: "inbox", path: "/inbox?all=1", size: desk },
    { name: "event", path: `/events/${event?.id ?? ""}?why=${dora.userId}`, size: desk },
    { name: "rule", path: `/rules/${rule?.id ?? ""}`, size: desk },
    { name: "on-call", path: "/on-call", size: desk },
    { name: "insights", path: "/insights", size: desk },
    { name: "on-call-phone", path: "/on-call", size: phone },
  ];
  mkdirSync(folder, { recursive: true });
  const page = await browser.newPage();
  await page.goto(`${service.session.baseUrl}/login?as=${dora.email}`);
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  for (const colorScheme of ["light", "dark"] as const)
    for (const { name, path, size } of shots) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      const url = new URL(path, service.session.baseUrl);
      url.searchParams.set("workspace", demo.id);
      await page.goto(url.href);
      await page.locator("main [aria-label=Loading]").waitFor({ state: "detached" });
      await page.getByText("Loading").waitFor({ state: "detached" });
      const file = join(folder, `${name}-${colorScheme}.png`);
      await page.screenshot({ path: file });
      console.log(file);
    }
} finally {
  await browser.close();
  await service.stop();
  rmSync(dir, { recursive: true, force: true });
}
