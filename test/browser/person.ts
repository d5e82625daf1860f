import { join } from "node:path";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, expect, inject, onTestFinished } from "vitest";
import { readJsonFile } from "../../local/files.ts";
import { Session, type SessionWorkspace } from "../../local/session.ts";
import { launchChromium } from "../../tools/chromium.ts";

const PATIENCE_MS = 30_000;

export const readSession = (): Session => {
  const found = readJsonFile(join(inject("localDir"), "session.json"), Session);
  if (found === undefined) throw new Error("the service does not run");
  return found;
};

export const workspaceNamed = (name: string): SessionWorkspace =>
  readSession().workspaces.find((one) => one.name === name)!;

let browser: Browser | undefined;
afterAll(async () => browser?.close());

const TABS_MAX = 300;
/** The length of texts that are typed. Longer texts are pasted, because typing takes too long. */
const TYPED_MAX = 200;

/** The actions of a person with a pointer, or with only the keyboard. */
type Hands = Record<"press" | "check", (what: Locator) => Promise<void>> &
  Record<"fill" | "choose", (what: Locator, text: string) => Promise<void>>;

const withPointer: Hands = {
  press: (what) => what.click(),
  check: (what) => what.check(),
  fill: (what, text) => what.fill(text),
  choose: async (what, label) => void (await what.selectOption({ label })),
};

const createKeyboardActions = (page: Page): Hands => {
  const { keyboard } = page;
  const tabTo = async (target: Locator): Promise<void> => {
    await target.waitFor();
    for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await keyboard.press("Tab");
    }
    throw new Error(`no Tab leads to ${target.toString()}`);
  };
  const pressKey = (key: string) => async (target: Locator) => {
    await tabTo(target);
    await keyboard.press(key);
  };
  return {
    press: pressKey("Enter"),
    check: pressKey("Space"),
    fill: async (what, text) => {
      await tabTo(what);
      await keyboard.press("ControlOrMeta+a");
      await (text.length > TYPED_MAX ? keyboard.insertText(text) : keyboard.type(text));
    },
    // Typing in a list selects the entry that begins with the text.
    choose: async (what, label) => {
      await tabTo(what);
      await keyboard.type(label);
    },
  };
};

type PersonOptions = BrowserContextOptions & { keyboard?: boolean };

/**
 * Opens a browser, and returns the actions of a person in it, which find elements by their accessible names. The browser is
 * closed when the test ends. The test fails if the page had an error or its Content Security Policy blocked something.
 */
export const aPerson = async ({ keyboard = false, ...options }: PersonOptions = {}) => {
  browser ??= await launchChromium();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const troubles: string[] = [];
  onTestFinished(async () => {
    const found = [...troubles];
    await context.close();
    expect(found).toEqual([]);
  });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.grantPermissions(["notifications"], { origin: readSession().baseUrl });
  const page = await context.newPage();
  page.on("pageerror", ({ message }) => troubles.push(message));
  page.on("console", (message) => {
    if (message.type() === "error" && message.text().includes("Content Security Policy")) troubles.push(message.text());
  });
  const hands = keyboard ? createKeyboardActions(page) : withPointer;
  let presses = 0;
  let others = 0;
  const press = async (target: Locator): Promise<void> => {
    presses += 1;
    await hands.press(target);
  };
  const countStep = async (done: Promise<void>): Promise<void> => {
    others += 1;
    await done;
  };
  const findField = (label: string, within: Page | Locator): Locator =>
    within.getByLabel(label, { exact: true }).first();
  const pressNamed = (name: string, within: Page | Locator = page): Promise<void> =>
    press(
      within
        .getByRole("button", { name, exact: true })
        .or(within.getByRole("link", { name, exact: true }))
        .first(),
    );
  const heading = (name: string): Locator => page.getByRole("heading", { level: 1, name, exact: true });
  return {
    page,
    context,
    press,
    presses: (): number => presses,
    steps: (): number => presses + others,
    pressNamed,
    /** Presses a link, and waits for the page with the link's name as its heading. */
    goTo: async (name: string, within: Page | Locator = page): Promise<void> => {
      await pressNamed(name, within);
      await heading(name).waitFor();
    },
    fill: (label: string, text: string, within: Page | Locator = page): Promise<void> =>
      countStep(hands.fill(findField(label, within), text)),
    check: (label: string): Promise<void> => countStep(hands.check(findField(label, page))),
    choose: (label: string, option: string, within: Page | Locator = page): Promise<void> =>
      countStep(hands.choose(findField(label, within), option)),
    open: async (path: string, workspace?: string): Promise<void> => {
      const url = new URL(path, readSession().baseUrl);
      if (workspace !== undefined) url.searchParams.set("workspace", workspaceNamed(workspace).id);
      await page.goto(url.href);
    },
    heading,
    openAccount: (): Promise<void> => press(page.getByRole("banner").getByRole("button", { expanded: false })),
    /** Waits for the inbox; `inbox` is the inbox's heading in the person's language. */
    signInAs: async (email: string, inbox = "Inbox"): Promise<void> => {
      await page.goto(`${readSession().baseUrl}/login?as=${email}`);
      await heading(inbox).waitFor();
    },
  };
};

export const asDora = async ({ at, ...options }: PersonOptions & { at?: string } = {}) => {
  const dora = await aPerson(options);
  await dora.signInAs("dora@demo.example");
  if (at !== undefined) await dora.open(at, "Demo");
  return dora;
};

export const HANDS = [
  { input: "a pointer", keyboard: false },
  { input: "the keyboard alone", keyboard: true },
];

/** Calls the API as a member of the workspace, by default the first; throws if the call fails. */
export const callApi = async <Body = { id: string; items?: { id: string }[] }>(
  workspace: string,
  method: string,
  path: string,
  body?: unknown,
  member = 0,
): Promise<Body> => {
  const { id, members } = workspaceNamed(workspace);
  const answer = await fetch(`${readSession().baseUrl}/v1/workspaces/${id}${path}`, {
    method,
    headers: { Authorization: `Bearer ${members[member]!.token}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  const text = await answer.text();
  return JSON.parse(text === "" ? "{}" : text) as Body;
};

/** Creates an item that is deleted when the test ends. */
export const make = async (workspace: string, path: string, body: object): Promise<string> => {
  const { id } = await callApi(workspace, "POST", path, body);
  onTestFinished(async () => void (await callApi(workspace, "DELETE", `${path}/${id}`)));
  return id;
};

export const makeGroup = async (workspace: string, name: string, userIds: readonly string[]): Promise<string> => {
  const groupId = await make(workspace, "/groups", { name });
  for (const userId of userIds) await callApi(workspace, "POST", `/groups/${groupId}/members`, { userId });
  return groupId;
};

export const makeRule = (
  workspace: string,
  groupId: string,
  rule: { name: string; eventKey: string; [more: string]: unknown },
): Promise<string> =>
  make(workspace, "/routing-rules", { targets: [{ type: "group", groupId }], requiresAck: true, ...rule });

export const sendEvent = async (workspace: string, event: object): Promise<{ eventId: string }> => {
  const answer = await fetch(`${readSession().baseUrl}/v1/events`, {
    method: "POST",
    headers: { "X-Api-Key": workspaceNamed(workspace).apiKey, "Content-Type": "application/json" },
    body: JSON.stringify(event),
  });
  if (answer.status !== 201) throw new Error(`the event was answered ${answer.status}: ${await answer.text()}`);
  return answer.json() as Promise<{ eventId: string }>;
};
