import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aBrowser, aService, failureOf, createTokenAnswer, createJwt, load, type Signal, tokenOf } from "./browser.ts";

type Person = { state: string; userId?: string; name?: string };
type Session = {
  session: Signal<Person>;
  isSessionEnded: Signal<boolean>;
  getAccessToken: (refused?: string) => Promise<string>;
  signIn: (to: string) => Promise<void>;
  finishSignIn: (query: URLSearchParams) => Promise<object>;
  startSession: () => Promise<void>;
  signOut: (pagesOn: boolean) => Promise<void>;
};

const NOW = Date.UTC(2026, 10, 23, 12);
let { pool, answers } = aService();
let browser: ReturnType<typeof aBrowser>;

const openPage = (at?: string, kept: Record<string, string> = { "refresh-token": "first" }) => {
  browser = aBrowser(at === undefined ? {} : { at });
  for (const [key, value] of Object.entries(kept)) browser.kept.set(key, value);
  ({ pool, answers } = aService());
};
/** The token request that the small early script has started. */
const early = globalThis as { earlyTokens?: Promise<unknown> };

const startSession = async () => {
  const session = await load<Session>("session");
  await session.startSession();
  return session;
};

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  openPage();
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, "earlyTokens");
});

describe("signing in to the console", () => {
  it("opens the user pool's pages with PKCE, and passes on the email address that the link contains", async () => {
    openPage("https://a.example/login?as=ann@a.example");
    await (await load<Session>("session")).signIn("/rules");

    const attempt = JSON.parse(browser.session.get("sign-in")!) as Record<string, string>;
    expect(attempt).toEqual({
      state: expect.stringMatching(/^[\w-]{43}$/),
      verifier: expect.stringMatching(/^[\w-]{43}$/),
      to: "/rules",
    });
    const [how, address] = browser.history[0]!.split(" ") as [string, string];
    const { origin, pathname, searchParams } = new URL(address);
    expect([how, origin, pathname]).toEqual(["assign", "https://in.example", "/oauth2/authorize"]);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: "code",
      client_id: "c",
      redirect_uri: "https://a.example/signed-in",
      scope: "openid email profile aws.cognito.signin.user.admin",
      state: attempt["state"],
      code_challenge: createHash("sha256").update(attempt["verifier"]!).digest("base64url"),
      code_challenge_method: "S256",
      as: "ann@a.example",
    });
  });

  it("passes on no email address if the link contains none", async () => {
    await (await load<Session>("session")).signIn("/");

    expect(browser.history[0]).not.toContain("as=");
  });

  it("uses the identity provider directly if there is only one provider", async () => {
    browser = aBrowser({ provider: "SingleSignOn" });
    await (await load<Session>("session")).signIn("/");

    expect(browser.history[0]).toContain("&identity_provider=SingleSignOn");
  });

  const storeBegunSignIn = () =>
    browser.session.set("sign-in", JSON.stringify({ state: "s", verifier: "v", to: "/rules" }));
  const finishSignIn = async (query: string) => {
    const session = await load<Session>("session");
    return { end: await session.finishSignIn(new URLSearchParams(query)), person: session.session.value };
  };

  it("returns to the page where it began, reads the person's name, and stores a token for the next visit", async () => {
    storeBegunSignIn();
    answers.pool = () => createTokenAnswer({ id_token: createJwt({ name: "Änn", email: "ann@a.example" }) });

    expect(await finishSignIn("code=x&state=s")).toEqual({
      end: { kind: "in", to: "/rules" },
      person: { state: "in", userId: "usr_ann", name: "Änn" },
    });
    expect(pool).toEqual([
      {
        address: "/oauth2/token",
        form: {
          client_id: "c",
          grant_type: "authorization_code",
          code: "x",
          redirect_uri: "https://a.example/signed-in",
          code_verifier: "v",
        },
      },
    ]);
    expect(browser.kept.get("refresh-token")).toBe("next");
    // A code can be used only once.
    expect(browser.session.has("sign-in")).toBe(false);
  });

  it.each([
    [
      "it is the email address if the token has no name",
      { id_token: createJwt({ email: "ann@a.example" }) },
      "ann@a.example",
    ],
    ["it is empty if the token has no name and no email address", { id_token: createJwt({}) }, ""],
    ["it is empty if the answer has no ID token", {}, ""],
  ])("reads the person's name from the latest ID token: %s", async (_, fields, name) => {
    storeBegunSignIn();
    answers.pool = () => createTokenAnswer({ id_token: createJwt({ name: "Ann" }) });
    await finishSignIn("code=x&state=s");
    storeBegunSignIn();
    answers.pool = () => createTokenAnswer(fields);

    expect((await finishSignIn("code=x&state=s")).person).toMatchObject({ name });
  });

  it.each([
    ["with the state of another page", "code=x&state=t", true],
    ["without a code", "state=s", true],
    ["whose sign-in did not begin in this browser", "code=x&state=s", false],
    ["with a forged error message and a wrong state", "error=x&error_description=Call+0900&state=t", true],
  ])("rejects a return from the user pool %s", async (_, query, isBegun) => {
    if (isBegun) storeBegunSignIn();

    expect((await finishSignIn(query)).end).toEqual({ kind: "lost" });
    expect(pool).toEqual([]);
  });

  it.each([
    ["error=server_error&error_description=SingleSignOn+gave+no+answer&state=s", "SingleSignOn gave no answer"],
    ["error=access_denied&state=s", "access_denied"],
  ])("shows the user pool's reason if the person returns with %s", async (query, reason) => {
    storeBegunSignIn();

    expect((await finishSignIn(query)).end).toEqual({ kind: "denied", reason });
    expect(pool).toEqual([]);
  });

  it("fails if the user pool refuses the code, and keeps the previous token", async () => {
    storeBegunSignIn();
    answers.pool = () => new Response("{}", { status: 400 });

    expect(await finishSignIn("code=x&state=s")).toEqual({ end: { kind: "lost" }, person: { state: "starting" } });
  });
});

describe("a visit to the console", () => {
  it("starts signed out, without a request, if no token is stored", async () => {
    openPage(undefined, {});

    expect((await startSession()).session.value).toEqual({ state: "out" });
    expect(pool).toEqual([]);
  });

  it("resumes the session with the stored token, which can be used only once", async () => {
    expect((await startSession()).session.value).toMatchObject({ state: "in", userId: "usr_ann" });
    expect(pool[0]).toEqual({
      address: "/oauth2/token",
      form: { client_id: "c", grant_type: "refresh_token", refresh_token: "first" },
    });
    expect(browser.kept.get("refresh-token")).toBe("next");
  });

  it.each([
    ["has no new token", { refresh_token: undefined }],
    ["has a new token that is not a text", { refresh_token: 1 }],
  ])("keeps the old token if the answer of the user pool %s", async (_, fields) => {
    answers.pool = () => createTokenAnswer(fields);
    await startSession();

    expect(browser.kept.get("refresh-token")).toBe("first");
  });

  it("uses the token that the page's early script renewed, or renews the token again if that failed", async () => {
    const tokens = { access_token: tokenOf("bob"), expires_in: 60 };
    early.earlyTokens = Promise.resolve(tokens);
    expect((await startSession()).session.value).toMatchObject({ userId: "usr_bob" });
    expect([pool, early.earlyTokens]).toEqual([[], undefined]);

    vi.resetModules();
    early.earlyTokens = Promise.reject(new Error("no network"));
    expect((await startSession()).session.value).toMatchObject({ userId: "usr_ann" });
  });

  it("keeps the session and retries if the user pool does not answer", async () => {
    answers.pool = () => Promise.reject(new TypeError("no network"));
    const page = await startSession();
    expect(page.session.value).toEqual({ state: "starting" });

    answers.pool = () => createTokenAnswer();
    expect(await page.getAccessToken()).toBe(tokenOf("ann"));
  });

  const said = { code: "", message: "", faults: [], retryAfter: undefined, requestId: undefined };
  it.each([
    ...[429, 500, 502, 503].map((status) => [`${status}`, status, "", { kind: "refused", status, ...said }] as const),
    ["403, which only a proxy sends", 403, "", { kind: "offline" }] as const,
    ["a page, as a captive portal does", 200, "<html>Sign in to the hotel</html>", { kind: "offline" }] as const,
  ])("keeps its token and retries after a while if the user pool answers with %s", async (_, status, body, failure) => {
    answers.pool = () => new Response(body, { status });
    const { session } = await startSession();
    const { outage } = await load<{ outage: Signal<{ failure: object } | undefined> }>("outage");
    expect(outage.value?.failure).toEqual(failure);
    expect([session.value.state, browser.kept.get("refresh-token")]).toEqual(["starting", "first"]);
    const [again] = browser.timers;
    expect([again!.ms >= 2500, again!.ms <= 5000]).toEqual([true, true]);

    answers.pool = () => createTokenAnswer();
    again!.run();
    await vi.waitFor(() => expect(session.value).toMatchObject({ state: "in", userId: "usr_ann" }), { interval: 1 });
  });

  it("signs the person out and forgets the token if the user pool refuses the token", async () => {
    answers.pool = () => new Response('{"error":"invalid_grant"}', { status: 400 });

    expect((await startSession()).session.value).toEqual({ state: "out" });
    expect(browser.kept.has("refresh-token")).toBe(false);
  });
});

describe("an access token", () => {
  it("is used until a minute before it expires, and renewed once for all callers", async () => {
    const { getAccessToken } = await startSession();
    vi.setSystemTime(NOW + 3_540_000 - 1);
    expect([await getAccessToken(), pool.length]).toEqual([tokenOf("ann"), 1]);

    vi.setSystemTime(NOW + 3_540_000);
    answers.pool = () => createTokenAnswer({ access_token: tokenOf("ann", 1) });
    expect(await Promise.all([getAccessToken(), getAccessToken()])).toEqual([tokenOf("ann", 1), tokenOf("ann", 1)]);
    expect(pool).toHaveLength(2);
  });

  it("is renewed if the API refuses it, unless it has been replaced already", async () => {
    const { getAccessToken } = await startSession();
    answers.pool = () => createTokenAnswer({ access_token: tokenOf("ann", 1) });

    expect(await getAccessToken(tokenOf("ann"))).toBe(tokenOf("ann", 1));
    expect(await getAccessToken(tokenOf("ann"))).toBe(tokenOf("ann", 1));
    expect(pool).toHaveLength(2);
  });

  it("that cannot be renewed ends the session, but the open page still names the person", async () => {
    const { getAccessToken, session, isSessionEnded } = await startSession();
    answers.pool = () => new Response("{}", { status: 400 });

    expect(await failureOf(getAccessToken(tokenOf("ann")))).toEqual({ kind: "signed-out" });
    expect([session.value, isSessionEnded.value]).toMatchObject([{ state: "in", userId: "usr_ann" }, true]);
    expect(browser.kept.has("refresh-token")).toBe(false);
    expect(await failureOf(getAccessToken())).toEqual({ kind: "signed-out" });

    // The renewal happens in another window.
    answers.pool = () => createTokenAnswer();
    browser.kept.set("refresh-token", "anew");
    const before = session.value;
    browser.window.tell("storage", { key: "refresh-token", newValue: "anew" });
    await vi.waitFor(() => expect(isSessionEnded.value).toBe(false), { interval: 1 });
    expect(session.value).toBe(before);
  });

  it("is discarded if its renewal arrives after signing out", async () => {
    const { getAccessToken, session, isSessionEnded } = await startSession();
    answers.pool = () => new Response("{}", { status: 400 });
    await failureOf(getAccessToken(tokenOf("ann")));

    browser.window.tell("storage", { key: "refresh-token", newValue: null });

    expect([session.value, isSessionEnded.value]).toEqual([{ state: "out" }, false]);
  });
});

describe("another tab", () => {
  const changeStorageInOtherTab = (key: string | null, newValue: string | null) =>
    browser.window.tell("storage", { key, newValue });

  it.each([
    ["removes the token", "refresh-token", null],
    ["clears the storage", null, null],
  ])("that %s on signing out also signs out this tab", async (_, key, value) => {
    const { session, getAccessToken } = await startSession();
    changeStorageInOtherTab(key, value);

    expect([session.value, browser.kept.has("refresh-token")]).toEqual([{ state: "out" }, false]);
    expect(await failureOf(getAccessToken())).toEqual({ kind: "signed-out" });
  });

  it("that signs in also signs in this tab", async () => {
    openPage(undefined, {});
    const { session } = await startSession();
    browser.kept.set("refresh-token", "theirs");
    changeStorageInOtherTab("refresh-token", "theirs");

    await vi.waitFor(() => expect(session.value).toMatchObject({ state: "in" }), { interval: 1 });
  });

  it("changes nothing in this tab if it renews its token or stores something else", async () => {
    const { session } = await startSession();
    changeStorageInOtherTab("refresh-token", "next");
    changeStorageInOtherTab("theme", null);

    expect([session.value.state, pool.length]).toEqual(["in", 1]);
  });
});

describe("signing out", () => {
  it.each([
    ["keeps the data for notifications if this browser still gets them", true, ["theme"]],
    ["keeps no data if this browser no longer gets notifications", false, []],
  ])("revokes the token, and keeps data only for notifications: it %s", async (_, pagesOn, left) => {
    openPage(undefined, { "refresh-token": "first", theme: "dark" });
    const { session, signOut } = await startSession();
    browser.session.set("sign-in", "x");
    await signOut(pagesOn);

    expect([session.value, [...browser.kept.keys()], browser.session.size]).toEqual([{ state: "out" }, left, 0]);
    expect(pool.at(-1)).toEqual({ address: "/oauth2/revoke", form: { token: "next", client_id: "c" } });
    expect(browser.history).toEqual([
      "assign https://in.example/logout?client_id=c&logout_uri=https%3A%2F%2Fa.example%2Flogin",
    ]);
  });

  it("leaves the page even if the user pool does not answer, or no token is left to revoke", async () => {
    const { signOut } = await startSession();
    answers.pool = () => Promise.reject(new TypeError("no network"));
    await signOut(true);
    await signOut(true);

    expect([browser.history.length, pool.filter(({ address }) => address === "/oauth2/revoke").length]).toEqual([2, 1]);
  });
});
