import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { readArguments } from "../tools/command-line.ts";
import { launchChromium } from "../tools/chromium.ts";
import { consolePages, findFirstId } from "../tools/console-pages.ts";
import { spawnService } from "../local/spawn.ts";
import type { SessionWorkspace } from "../local/session.ts";

const usage = `npm run docs:sheet                            takes every page of the console at three widths, light and dark, in an empty
                                              workspace, the demo and a full one, and lays them out on one sheet to look at
npm run docs:sheet -- --pages statistics,rule --widths 360 --themes dark --states demo    some of them
npm run docs:sheet -- --into DIR              where to (.local/sheet)
npm run docs:sheet -- --locale de             as who prefers this language sees them (en-GB)`;

const values = readArguments(usage, {
  pages: { type: "string", default: "" },
  widths: { type: "string", default: "360,768,1280" },
  themes: { type: "string", default: "light,dark" },
  states: { type: "string", default: "empty,demo,full" },
  into: { type: "string", default: join(import.meta.dirname, "../.local/sheet") },
  locale: { type: "string", default: "en-GB" },
});
const splitByComma = (text: string): string[] => text.split(",").filter((one) => one !== "");

/** The numbers of items at which lists have a search field, several pages and an ellipsis. */
const FULL = { rules: 120, events: 150, groups: 30 };
const LONG = "a name that says in many words what it is for, who asked for it, and in which quarter";

const theme = v.picklist(["light", "dark"]);
const wanted = splitByComma(values.pages);
const shown = consolePages.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

const dir = mkdtempSync(join(tmpdir(), "sheet-"));
const service = await spawnService({ dir, env: { LOCAL_DEMO_DAYS: "7", LOCAL_PUSH: "stand-in" } });
const browser = await launchChromium();

const toMemberToken = ({ members }: SessionWorkspace): string => members[0]?.token ?? "";

const Made = v.object({ id: v.string() });
/** Creates groups, rules and events with long names, in the numbers of `FULL`. */
const fillWorkspace = async (workspace: SessionWorkspace): Promise<void> => {
  const at = `/v1/workspaces/${workspace.id}`;
  const createItem = async (path: string, body: object) =>
    v.parse(Made, (await service.call("POST", `${at}${path}`, { as: toMemberToken(workspace), body })).body);
  let groupId = "";
  for (let n = 1; n <= FULL.groups; n += 1)
    ({ id: groupId } = await createItem("/groups", { name: `Group ${n}: ${LONG}` }));
  const targets = [{ type: "group", groupId }];
  for (let n = 1; n <= FULL.rules; n += 1)
    await createItem("/routing-rules", { name: `Rule ${n}: ${LONG}`, eventKey: `full.kind_${n % 9}`, targets });
  for (let n = 1; n <= FULL.events; n += 1) {
    const body = { event: `full.kind_${n % 9}`, title: `Event ${n}: ${LONG}`, body: LONG, requiresAck: n % 3 === 0 };
    await service.call("POST", "/v1/events", { as: workspace.apiKey, body });
  }
};

/** Returns the id of the first item of a list; undefined if the list is empty. `path`: the list's path in the API. */
const readFirstId = async (workspace: SessionWorkspace, path: string): Promise<string | undefined> =>
  findFirstId(
    (await service.call("GET", `/v1/workspaces/${workspace.id}${path}`, { as: toMemberToken(workspace) })).body,
  );

const waitUntilLoaded = async (page: Page): Promise<void> => {
  await page.locator("main h1").waitFor();
  await page.locator("main [aria-busy=true], main .skeleton").waitFor({ state: "detached" });
};

const rows: string[] = [];
try {
  const findWorkspace = (name: string) => service.workspace(name);
  const states: Readonly<Record<string, SessionWorkspace>> = {
    empty: findWorkspace("Globex"),
    demo: findWorkspace("Demo"),
    full: findWorkspace("Acme"),
  };
  mkdirSync(values.into, { recursive: true });
  for (const state of splitByComma(values.states)) {
    const workspace = states[state];
    if (workspace === undefined) throw new Error(`--states knows ${Object.keys(states).join(", ")}, not ${state}`);
    if (state === "full") await fillWorkspace(workspace);
    const context = await browser.newContext({ locale: values.locale });
    const page = await context.newPage();
    await page.goto(`${service.session.baseUrl}/login?as=${workspace.members[0]?.email ?? ""}`);
    await waitUntilLoaded(page);
    for (const { name, path, list } of shown) {
      const id = list === undefined ? "" : await readFirstId(workspace, list);
      if (id === undefined) continue;
      const figures: string[] = [];
      for (const colorScheme of splitByComma(values.themes).map((one) => v.parse(theme, one)))
        for (const width of splitByComma(values.widths).map(Number)) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          await page.goto(`${service.session.baseUrl}${path.replace(":id", id)}?workspace=${workspace.id}`);
          await waitUntilLoaded(page);
          const file = `${state}-${name}-${width}-${colorScheme}.png`;
          await page.screenshot({ path: join(values.into, file), fullPage: width < 1000 });
          figures.push(
            `<figure><a href="${file}"><img src="${file}" loading="lazy" height="360" alt="${file}"></a></figure>`,
          );
        }
      rows.push(`<h2>${name}, ${state}</h2><div>${figures.join("")}</div>`);
    }
    await context.close();
  }
  const style =
    "body{font:14px sans-serif}div{display:flex;gap:8px;overflow-x:auto}figure{margin:0}img{border:1px solid #999}";
  const sheet = join(values.into, "index.html");
  writeFileSync(
    sheet,
    `<!doctype html><meta charset="utf-8"><title>The console</title><style>${style}</style>${rows.join("\n")}`,
  );
  console.log(sheet);
} finally {
  await browser.close();
  await service.stop();
  rmSync(dir, { recursive: true, force: true });
}
