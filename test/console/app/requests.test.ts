import { beforeEach, describe, expect, it, vi } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { aBrowser, aService, failureOf, createTokenAnswer, load, type Signal, tokenOf } from "./browser.ts";

type Ask = { path?: object; query?: object; body?: object; version?: number; as?: string; withinMs?: number };
type Api = { createApi: (workspaceId: WorkspaceId) => (name: string, ask: Ask) => Promise<unknown> };
type Outbox = {
  unsentIds: Signal<Set<string>>;
  acknowledgeOrKeep: (workspaceId: WorkspaceId, eventIds: readonly string[]) => Promise<number>;
  handleWorkerMessage: (said: unknown) => void;
  startOutbox: () => void;
};
type Session = { session: Signal<{ state: string; userId?: string }>; startSession: () => Promise<void> };

let browser: ReturnType<typeof aBrowser>;
let service: ReturnType<typeof aService>;

const openPage = (at?: string) => {
  browser = aBrowser(at === undefined ? {} : { at });
  browser.kept.set("refresh-token", "first");
  service = aService();
};

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 23, 12), toFake: ["Date"] });
  openPage();
});

describe("a request to the API", () => {
  const callApi = async (name: string, asks: Ask, workspaceId: WorkspaceId = "ws_1") => {
    const { createApi } = await load<Api>("api");
    return createApi(workspaceId)(name, asks);
  };

  it("has its workspace, its parameters and its query in the URL, and carries the person's token", async () => {
    service.answers.api = () => Response.json({ id: "evt 1" });

    expect(
      await callApi("events/get-event", { path: { eventId: "evt/1" }, query: { a: 1, b: undefined, c: "x y" } }),
    ).toEqual({ id: "evt 1" });
    expect(service.calls[0]).toMatchObject({ method: "GET", address: "/v1/workspaces/ws_1/events/evt%2F1?a=1&c=x+y" });
    expect(Object.fromEntries(service.calls[0]!.headers)).toEqual({ authorization: `Bearer ${tokenOf("ann")}` });
    expect(service.calls[0]!.body).toBeUndefined();
  });

  it("that changes something sends the version that the user saw; an empty answer is returned as null", async () => {
    service.answers.api = () => new Response("");

    expect(
      await callApi("routing-rules/update-routing-rule", {
        path: { ruleId: "rule_1" },
        body: { name: "A" },
        version: 3,
      }),
    ).toBeNull();
    expect(Object.fromEntries(service.calls[0]!.headers)).toEqual({
      authorization: `Bearer ${tokenOf("ann")}`,
      "content-type": "application/json",
      "if-match": '"3"',
      "x-via": "console",
    });
    expect(service.calls[0]!.body).toBe('{"name":"A"}');
  });

  it("sends the ETag of the last answer, and returns that answer again if nothing has changed", async () => {
    service.answers.api = ({ headers }) =>
      headers.get("if-none-match") === 'W/"one"'
        ? new Response(null, { status: 304 })
        : Response.json([{ id: "evt_1" }], { headers: { ETag: 'W/"one"' } });
    const { createApi } = await load<Api>("api");
    const listSites = () => createApi("ws_1")("sites/list-sites", {});

    const [first, again] = [await listSites(), await listSites()];
    await createApi("ws_2")("sites/list-sites", {});

    expect([first, again]).toEqual([[{ id: "evt_1" }], [{ id: "evt_1" }]]);
    expect(service.calls.map(({ headers }) => headers.get("if-none-match"))).toEqual([null, 'W/"one"', null]);
  });

  it("contains the ETag of the last answer from its URL, for the twenty latest URLs of the same person", async () => {
    let tag: string | undefined = 'W/"one"';
    service.answers.api = () => Response.json([], { headers: tag === undefined ? {} : { ETag: tag } });
    const tagOf = async (site: number) => {
      await callApi("events/list-events", { query: { site } });
      return service.calls.at(-1)!.headers.get("if-none-match");
    };
    for (let site = 0; site < 20; site += 1) await tagOf(site);

    expect([await tagOf(0), await tagOf(20), await tagOf(1), await tagOf(20)]).toEqual([tag, null, null, tag]);
    tag = undefined;
    expect([await tagOf(20), await tagOf(20)]).toEqual(['W/"one"', null]);
    vi.setSystemTime(Date.now() + 3_600_000);
    service.answers.pool = () => createTokenAnswer({ access_token: tokenOf("bob") });
    expect(await tagOf(0)).toBeNull();
  });

  it("is repeated with a new token if its token is refused; a second refusal signs the person out", async () => {
    let sub = 0;
    service.answers.pool = () => createTokenAnswer({ access_token: tokenOf("ann", (sub += 1)) });
    service.answers.api = ({ headers }) =>
      new Response("{}", { status: headers.get("authorization") === `Bearer ${tokenOf("ann", 2)}` ? 200 : 401 });
    expect(await callApi("events/list-events", {})).toEqual({});
    expect(service.calls).toHaveLength(2);

    service.answers.api = () => new Response("{}", { status: 401 });
    expect(await failureOf(callApi("events/list-events", {}))).toEqual({ kind: "signed-out" });
    expect(service.calls).toHaveLength(4);
  });

  it("is sent only with the token of the person who made it", async () => {
    expect(await failureOf(callApi("events/list-events", { as: "usr_bob" }))).toEqual({ kind: "signed-out" });
    expect(service.calls).toEqual([]);
    service.answers.api = () => new Response("{}", { status: 401 });
    service.answers.pool = () => createTokenAnswer({ access_token: tokenOf("bob") });
    expect(await failureOf(callApi("events/list-events", { as: "usr_ann" }))).toEqual({ kind: "signed-out" });
    expect(service.calls.map(({ headers }) => headers.get("authorization"))).toEqual([`Bearer ${tokenOf("ann")}`]);
  });

  it("reports that the console is offline if no answer comes", async () => {
    service.answers.api = () => {
      throw new TypeError("no network");
    };

    expect(await failureOf(callApi("events/list-events", {}))).toEqual({ kind: "offline" });
  });

  it.each([
    [
      "an HTML page",
      () => new Response("<html>Hotel</html>", { headers: { "content-type": "text/html; charset=utf-8" } }),
    ],
    ["an HTML page without a content type", () => new Response("<html>Hotel</html>")],
    [
      "an HTML page with an error status",
      () => new Response("<html>", { status: 511, headers: { "content-type": "text/html" } }),
    ],
  ])("reports that the console is offline if the answer is %s, as from a captive portal", async (_, answer) => {
    service.answers.api = answer;

    expect(await failureOf(callApi("events/list-events", {}))).toEqual({ kind: "offline" });
  });

  it.each([
    ["events/list-events", {}, 10_000],
    ["events/acknowledge-events", { body: { eventIds: [] }, withinMs: 10_000 }, 10_000],
    ["groups/create-group", { body: { name: "A" } }, 40_000],
  ])("to %s is aborted if no answer comes within $2 ms", async (name, asks, ms) => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const hang = vi.fn((_: string, { signal }: { signal: AbortSignal }) => {
      const hung = Promise.withResolvers<Response>();
      signal.addEventListener("abort", () => hung.reject(signal.reason));
      return hung.promise;
    });
    const { getAccessToken } = await load<{ getAccessToken: () => Promise<string> }>("session");
    await getAccessToken();
    const { createApi } = await load<Api>("api");
    vi.stubGlobal("fetch", hang);
    const failure = failureOf(createApi("ws_1")(name, asks));
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(hang.mock.calls[0]![1].signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);

    expect(await failure).toEqual({ kind: "offline" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    [
      "a problem with its code and faults",
      { detail: "No.", code: "invalid_input", errors: [{ field: "a", code: "b", message: "c" }], requestId: "r" },
      { "retry-after": "7", "apigw-requestid": "g" },
      {
        message: "No.",
        code: "invalid_input",
        faults: [{ field: "a", code: "b", message: "c" }],
        retryAfter: 7,
        requestId: "r",
      },
    ],
    [
      "only a message, as from API Gateway itself",
      { message: "Service Unavailable" },
      { "retry-after": "soon", "apigw-requestid": "g" },
      { message: "Service Unavailable", code: "", faults: [], retryAfter: undefined, requestId: "g" },
    ],
    ["not JSON", "no JSON", {}, { message: "", code: "", faults: [], retryAfter: undefined, requestId: undefined }],
  ])("reports why it was refused, if the answer is %s", async (_, body, headers, failure) => {
    service.answers.api = () =>
      new Response(typeof body === "string" ? body : JSON.stringify(body), {
        status: 422,
        headers: headers as Record<string, string>,
      });

    expect(await failureOf(callApi("events/list-events", {}))).toEqual({ kind: "refused", status: 422, ...failure });
  });
});

describe("acknowledgements", () => {
  const startWorker = async () => {
    const posted: unknown[] = [];
    const active = { postMessage: (said: unknown) => void posted.push(said) };
    vi.stubGlobal("navigator", { locks: navigator.locks, serviceWorker: { ready: Promise.resolve({ active }) } });
    const { session, startSession } = await load<Session>("session");
    await startSession();
    return { session, posted, outbox: await load<Outbox>("outbox") };
  };
  const listSentIds = () => service.calls.map(({ body }) => (JSON.parse(body) as { eventIds: string[] }).eventIds);
  const readUnsent = () => JSON.parse(browser.kept.get("unsent") ?? "[]") as { eventId: string }[];
  const createIds = (count: number) => Array.from({ length: count }, (_, index) => `evt_${index}`);
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it("are sent a hundred at a time, each once", async () => {
    const { outbox } = await startWorker();

    expect(await outbox.acknowledgeOrKeep("ws_1", [...createIds(250), "evt_0"])).toBe(250);
    expect(listSentIds().map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(listSentIds().flat()).toEqual(createIds(250));
    expect(service.calls[0]).toMatchObject({ method: "POST", address: "/v1/workspaces/ws_1/events/acknowledge" });
  });

  it("are stored and shown as unsent if their own request failed, and not if an earlier request sent them", async () => {
    const { outbox } = await startWorker();
    service.answers.api = () => new Response("{}", { status: service.calls.length === 1 ? 200 : 503 });

    expect(await outbox.acknowledgeOrKeep("ws_1", createIds(102))).toBe(100);
    expect(readUnsent().map(({ eventId }) => eventId)).toEqual(["evt_100", "evt_101"]);
    expect([...outbox.unsentIds.value]).toEqual(["evt_100", "evt_101"]);
  });

  it("of another person are not shown as the user's own", async () => {
    browser.kept.set("unsent", JSON.stringify([{ userId: "usr_bob", workspaceId: "ws_1", eventId: "evt_1" }]));
    const { outbox, session } = await startWorker();

    expect([...outbox.unsentIds.value]).toEqual([]);
    session.value = { state: "in", userId: "usr_bob" };
    expect([...outbox.unsentIds.value]).toEqual(["evt_1"]);
    session.value = { state: "out" };
    expect([...outbox.unsentIds.value]).toEqual([]);
  });

  it("are not stored if nobody is signed in", async () => {
    const { outbox, session } = await startWorker();
    session.value = { state: "out" };
    service.answers.api = () => new Response("{}", { status: 503 });

    expect(await failureOf(outbox.acknowledgeOrKeep("ws_1", ["evt_1"]))).toMatchObject({ status: 503 });
    expect(readUnsent()).toEqual([]);
  });

  it("that are stored are sent at once when the network is back, even during the pause between two attempts", async () => {
    const { outbox } = await startWorker();
    outbox.startOutbox();
    service.answers.api = () => new Response("{}", { status: 503 });
    await outbox.acknowledgeOrKeep("ws_1", ["evt_1"]);
    browser.timers.find(({ ms }) => ms === 10_000)!.run();
    await settle();
    expect(service.calls).toHaveLength(2);
    service.answers.api = () => Response.json([]);
    browser.timers.find(({ ms }) => ms === 10_000)!.run();
    await settle();
    expect(service.calls).toHaveLength(2);

    browser.window.tell("online");
    await vi.waitFor(() => expect(readUnsent()).toEqual([]), { interval: 1 });
    expect([...outbox.unsentIds.value]).toEqual([]);
  });

  it("that are stored are not sent with the token of another person who signed in in another tab", async () => {
    const { outbox } = await startWorker();
    browser.kept.set("unsent", JSON.stringify([{ userId: "usr_ann", workspaceId: "ws_1", eventId: "evt_1" }]));
    service.answers.pool = () => createTokenAnswer({ access_token: tokenOf("bob") });
    vi.setSystemTime(Date.now() + 3_600_000);
    outbox.startOutbox();
    await vi.waitFor(() => expect(service.pool).toHaveLength(2), { interval: 1 });
    await settle();

    expect(service.calls).toEqual([]);
    expect(readUnsent()).toHaveLength(1);
  });

  it("that an earlier page stored are sent once the same person is signed in, and never for another person", async () => {
    browser.kept.set("unsent", JSON.stringify([{ userId: "usr_ann", workspaceId: "ws_1", eventId: "evt_1" }]));
    const { outbox, session } = await startWorker();
    session.value = { state: "in", userId: "usr_bob" };
    outbox.startOutbox();
    await settle();
    expect(service.calls).toEqual([]);

    session.value = { state: "in", userId: "usr_ann" };
    await vi.waitFor(() => expect(readUnsent()).toEqual([]), { interval: 1 });
    expect(listSentIds()).toEqual([["evt_1"]]);
  });

  it("are not sent with the token of another person who signed in in another tab, and the user is informed", async () => {
    const { outbox } = await startWorker();
    service.answers.pool = () => createTokenAnswer({ access_token: tokenOf("bob") });
    vi.setSystemTime(Date.now() + 3_600_000);

    expect(await failureOf(outbox.acknowledgeOrKeep("ws_1", ["evt_1"]))).toEqual({ kind: "signed-out" });
    expect(service.calls).toEqual([]);
  });

  it("that another tab stores or sends are shown in this tab too", async () => {
    const { outbox } = await startWorker();
    outbox.startOutbox();
    browser.kept.set("unsent", JSON.stringify([{ userId: "usr_ann", workspaceId: "ws_1", eventId: "evt_1" }]));
    browser.window.tell("storage", { key: "theme" });
    expect([...outbox.unsentIds.value]).toEqual([]);
    browser.window.tell("storage", { key: "unsent" });
    expect([...outbox.unsentIds.value]).toEqual(["evt_1"]);
  });

  it("that were pressed on notifications are sent by the service worker at once, and retried until all are sent", async () => {
    const { outbox, posted } = await startWorker();
    outbox.startOutbox();
    await settle();
    expect(posted).toEqual([{ sendKept: true }]);
    const checkOutbox = browser.timers.find(({ ms }) => ms === 10_000)!.run;

    checkOutbox();
    outbox.handleWorkerMessage({ unsent: ["evt_1", "evt_2"], news: false });
    expect([...outbox.unsentIds.value]).toEqual(["evt_1", "evt_2"]);
    checkOutbox();
    checkOutbox();
    await settle();
    expect(posted).toHaveLength(2);
    // The worker has sent one of the acknowledgements, so the next can follow.
    outbox.handleWorkerMessage({ unsent: ["evt_2"], news: false });
    checkOutbox();
    await settle();
    expect(posted).toHaveLength(3);
    outbox.handleWorkerMessage({ unsent: [], news: false });
    checkOutbox();
    outbox.handleWorkerMessage({ said: "something else" });
    await settle();

    expect([posted.length, outbox.unsentIds.value.size]).toEqual([3, 0]);
  });

  it("refresh the page if the service worker sends them", async () => {
    const { outbox } = await startWorker();
    const { createResource } = await load<{ createResource: (ask: () => Promise<unknown>) => unknown }>("resource");
    let asked = 0;
    createResource(async () => (asked += 1));
    await settle();

    outbox.handleWorkerMessage({ unsent: [], news: false });
    expect(asked).toBe(1);
    outbox.handleWorkerMessage({ unsent: [], news: true });
    expect(asked).toBe(2);
  });
});

describe("the workspace of a page", () => {
  type Workspaces = {
    workspaces: Signal<unknown>;
    workspace: Signal<{ id: string } | undefined>;
    workspaceId: Signal<string | undefined>;
    isElsewhere: Signal<boolean>;
    startLoadingWorkspaces: () => void;
    stopLoadingWorkspaces: () => void;
    storeWorkspace: (workspace: { id: string; name: string }) => void;
    readWorkspaceName: (page: string) => string | null;
    switchWorkspace: (id: string) => void;
  };
  const openWorkspacePage = async (at: string, last?: string, all = ["ws_1", "ws_2"]) => {
    openPage(at);
    if (last !== undefined) browser.kept.set("workspace", last);
    service.answers.api = () => Response.json(all.map((id) => ({ id })));
    const parts = await load<Workspaces>("workspace");
    const before = parts.workspaceId.value;
    parts.startLoadingWorkspaces();
    await vi.waitFor(() => expect(service.calls).toHaveLength(1), { interval: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { ...parts, before };
  };

  it.each([
    ["that the URL names", "?workspace=ws_2", "ws_1", "ws_2", "ws_2", false],
    ["that was used last", "", "ws_2", "ws_2", "ws_2", false],
    ["that comes first in the list, if none was used", "", undefined, undefined, "ws_1", false],
    ["that comes first in the list, if the last used workspace is gone", "", "ws_9", "ws_9", "ws_1", false],
    [
      "that was used last if the URL names an unknown workspace, and the page says so",
      "?workspace=ws_9",
      "ws_2",
      "ws_9",
      "ws_2",
      true,
    ],
  ])("is the workspace %s", async (_, query, last, before, id, isElsewhere) => {
    const parts = await openWorkspacePage(`https://a.example/${query}`, last);

    // Until the list of workspaces is loaded, the page assumes the workspace of the URL or of the last use.
    expect(parts.before).toBe(before);
    expect([parts.workspace.value?.id, parts.workspaceId.value, parts.isElsewhere.value]).toEqual([
      id,
      id,
      isElsewhere,
    ]);
    expect(service.calls[0]).toMatchObject({ method: "GET", address: "/v1/workspaces" });
  });

  it("is missing for a person without workspaces, and after signing out", async () => {
    const parts = await openWorkspacePage("https://a.example/", undefined, []);
    expect([parts.workspaceId.value, parts.isElsewhere.value]).toEqual([undefined, false]);

    parts.stopLoadingWorkspaces();
    expect([parts.workspaces.value, parts.workspace.value]).toEqual([undefined, undefined]);
  });

  it("is stored for the next visit, and replaced only if the person is no longer a member of that workspace", async () => {
    const never = await openWorkspacePage("https://a.example/");
    never.storeWorkspace({ id: "ws_1", name: "Acme" });
    expect(browser.kept.get("workspace")).toBe("ws_1");
    never.storeWorkspace({ id: "ws_2", name: "Globex" });
    expect(browser.kept.get("workspace")).toBe("ws_1");

    const closed = await openWorkspacePage("https://a.example/", "ws_9");
    closed.stopLoadingWorkspaces();
    closed.storeWorkspace({ id: "ws_1", name: "Acme" });
    expect(browser.kept.get("workspace")).toBe("ws_9");
  });

  it.each([
    ["it was used last", "/inbox", "Acme"],
    ["the page belongs to it", "/events/evt_1?workspace=ws_2", "Globex"],
  ])("is named on the sign-in page when a person signs in again, if %s", async (_, page, name) => {
    const { storeWorkspace, readWorkspaceName } = await openWorkspacePage("https://a.example/");
    storeWorkspace({ id: "ws_1", name: "Acme" });
    storeWorkspace({ id: "ws_2", name: "Globex" });

    expect([readWorkspaceName(page), readWorkspaceName("/inbox?workspace=ws_9")]).toEqual([name, null]);
  });

  it("is put in the URL when the user switches to it, and is the workspace of the next visit", async () => {
    const { switchWorkspace, workspaceId } = await openWorkspacePage("https://a.example/events?state=open");
    switchWorkspace("ws_2");

    expect([workspaceId.value, browser.kept.get("workspace"), browser.history]).toEqual([
      "ws_2",
      "ws_2",
      ["replace /events?state=open&workspace=ws_2"],
    ]);
  });
});
