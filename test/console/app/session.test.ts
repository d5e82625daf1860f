import { beforeEach, describe, expect, it, vi } from "vitest";

/* The console's session and outbox as they are, in a browser that stands for one. */

type Session = { state: string; userId?: string };
type Console = {
  session: { value: Session };
  startSession: () => Promise<void>;
  signIn: (to: string) => Promise<void>;
  acknowledge: (workspaceId: string, eventIds: readonly string[]) => Promise<number>;
  startOutbox: () => void;
};

const tokenOf = (sub: string): string => `h.${Buffer.from(JSON.stringify({ sub })).toString("base64url")}.s`;
const signedInAs = (sub: string, seconds = 3600) =>
  Response.json({ access_token: tokenOf(sub), expires_in: seconds, refresh_token: `next-${sub}` });

const answers = { token: (): Response => signedInAs("ann"), api: (): Response => Response.json([]) };
/** Who asked the API for what. */
let asked: string[];
let kept: Map<string, string>;
let tick: () => void;
let later: { run: () => void; ms: number };

/** A page that is opened anew. */
const open = async (): Promise<Console> => {
  vi.resetModules();
  const app = "../../../console/app";
  const [session, outbox] = (await Promise.all([import(`${app}/session.ts`), import(`${app}/outbox.ts`)])) as [
    Console,
    Console,
  ];
  return { ...session, ...outbox };
};

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 23, 12), toFake: ["Date"] });
  asked = [];
  kept = new Map([["refresh-token", "first"]]);
  answers.token = () => signedInAs("ann");
  answers.api = () => Response.json([]);
  const content = JSON.stringify({ origin: "https://a.example", signIn: "https://in.example", clientId: "c" });
  const ignore = () => undefined;
  const document = { visibilityState: "visible", addEventListener: ignore, removeEventListener: ignore };
  vi.stubGlobal("document", { ...document, querySelector: () => ({ getAttribute: () => content }) });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal("navigator", { locks: { request: (_: string, run: () => unknown) => run() } });
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("window", {
    setInterval: (run: () => void) => void (tick = run),
    setTimeout: (run: () => void, ms: number) => void (later = { run, ms }),
    clearTimeout: ignore,
  });
  vi.stubGlobal("fetch", async (address: string, { headers, body }: { headers: Headers; body: string }) => {
    if (address.startsWith("https://in.example")) return answers.token();
    const [, payload = ""] = new Headers(headers).get("authorization")!.split(".");
    const { sub } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { sub: string };
    asked.push(`${sub}: ${(JSON.parse(body) as { eventIds: string[] }).eventIds.join(" ")}`);
    return answers.api();
  });
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

const unsent = (): unknown => JSON.parse(kept.get("unsent") ?? "[]");

describe("signing in", () => {
  it.each([
    [{}, null],
    [{ provider: "SingleSignOn" }, "SingleSignOn"],
  ])("with the setting %j names the one provider, if there is one", async (more, named) => {
    const content = JSON.stringify({
      origin: "https://a.example",
      signIn: "https://in.example",
      clientId: "c",
      ...more,
    });
    vi.stubGlobal("document", {
      querySelector: () => ({ getAttribute: () => content }),
      addEventListener: () => undefined,
    });
    let went = "";
    vi.stubGlobal("location", { search: "", assign: (to: string) => void (went = to) });
    vi.stubGlobal("sessionStorage", { setItem: () => undefined });

    await (await open()).signIn("/inbox");

    expect(new URL(went).searchParams.get("identity_provider")).toBe(named);
  });
});

describe("a session", () => {
  it.each([500, 502, 503, 429])("survives %i of the sign-in", async (status) => {
    answers.token = () => new Response("", { status });
    const page = await open();

    await page.startSession();

    expect(page.session.value.state).toBe("starting");
    expect(kept.get("refresh-token")).toBe("first");
    expect([later.ms >= 2500, later.ms <= 5000]).toEqual([true, true]);
    answers.token = () => signedInAs("ann");
    later.run();
    await vi.waitFor(() => expect(page.session.value).toMatchObject({ state: "in", userId: "usr_ann" }));
  });

  it("survives a captive portal, which answers with a page", async () => {
    answers.token = () => new Response("<html>Sign in to the hotel</html>", { status: 200 });
    const page = await open();

    await page.startSession();

    expect(page.session.value.state).toBe("starting");
    expect(kept.get("refresh-token")).toBe("first");
  });

  it("ends when the sign-in refuses its token", async () => {
    answers.token = () => new Response('{"error":"invalid_grant"}', { status: 400 });
    const page = await open();

    await page.startSession();

    expect(page.session.value.state).toBe("out");
    expect(kept.has("refresh-token")).toBe(false);
  });
});

describe("an acknowledgement", () => {
  it.each([429, 500, 503])(
    "that is answered %i is kept and sent later, also by a page that is opened anew",
    async (status) => {
      const first = await open();
      await first.startSession();
      answers.api = () => new Response("{}", { status });

      expect(await first.acknowledge("ws_1", ["evt_1"])).toBe(0);
      expect(unsent()).toEqual([{ userId: "usr_ann", workspaceId: "ws_1", eventId: "evt_1" }]);

      answers.api = () => Response.json([]);
      const second = await open();
      await second.startSession();
      second.startOutbox();
      await vi.waitFor(() => expect(unsent()).toEqual([]));
      expect(asked).toEqual(["ann: evt_1", "ann: evt_1"]);
    },
  );

  it("that had to wait is tried again by a page that stays open, and never as the next who signs in", async () => {
    const page = await open();
    await page.startSession();
    page.startOutbox();
    answers.api = () => new Response("{}", { status: 503 });
    await page.acknowledge("ws_1", ["evt_1"]);
    tick();
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    answers.api = () => Response.json([]);

    tick();
    await Promise.resolve();
    expect(asked).toHaveLength(2);
    vi.setSystemTime(Date.now() + 10_000);
    page.session.value = { state: "in", userId: "usr_bob" };
    tick();
    await Promise.resolve();
    expect(asked).toHaveLength(2);
    page.session.value = { state: "in", userId: "usr_ann" };
    await vi.waitFor(() => expect(unsent()).toEqual([]));
    expect(asked).toEqual(["ann: evt_1", "ann: evt_1", "ann: evt_1"]);
  });

  it("that is refused for good is told to whoever pressed, and not kept", async () => {
    const page = await open();
    await page.startSession();
    answers.api = () => new Response("{}", { status: 422 });

    await expect(page.acknowledge("ws_1", ["evt_1"])).rejects.toThrow("refused");
    expect(unsent()).toEqual([]);
  });

  it("waits while another tab has signed in somebody else, whose token this page then gets", async () => {
    const page = await open();
    // Due for renewal at once.
    answers.token = () => signedInAs("ann", 0);
    await page.startSession();
    answers.token = () => signedInAs("bob");

    await expect(page.acknowledge("ws_1", ["evt_1"])).rejects.toThrow("signed-out");

    expect(asked).toEqual([]);
  });
});
