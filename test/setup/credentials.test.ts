import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { connectToWorkspace } from "../../setup/api.ts";
import type { World } from "../../setup/command.ts";
import { chooseCredentials } from "../../setup/credentials.ts";

const env = {
  ALERTS_CLIENT_ID: "client1",
  ALERTS_CLIENT_SECRET: "hush",
  ALERTS_TOKEN_URL: "https://sign-in.example/oauth2/token",
};

/** Creates the environment of a command. By default, the user pool returns a token valid for an hour at each request. */
const aWorld = (fields: { env?: Record<string, string>; answer?: (count: number) => Response | undefined } = {}) => {
  const asked: { url: string; headers: Headers; body: unknown }[] = [];
  const used: (string | null)[] = [];
  const slept: number[] = [];
  const clock = { now: 0 };
  const answerAndRecord: typeof fetch = async (url, init) => {
    const { href } = new URL(url instanceof Request ? url.url : url);
    const headers = new Headers(init?.headers);
    if (!href.endsWith("/oauth2/token")) {
      used.push(headers.get("authorization"));
      return new Response("[]", { status: refusedTokens.has(headers.get("authorization") ?? "") ? 401 : 200 });
    }
    asked.push({ url: href, headers, body: init?.body });
    const answer = fields.answer?.(asked.length);
    if (answer !== undefined) return answer;
    return Response.json({ access_token: `token${asked.length}`, expires_in: 3600, token_type: "Bearer" });
  };
  const refusedTokens = new Set<string>();
  const world = {
    env: { ...env, ...fields.env },
    now: () => clock.now,
    fetch: answerAndRecord,
    sleep: (ms: number) => (slept.push(ms), Promise.resolve()),
  } as unknown as World;
  const connect = () =>
    connectToWorkspace(world, { baseUrl: "https://x", workspaceId: "w", credentials: chooseCredentials(world) });
  return { world, connected: connect, asked, used, slept, clock, refusedTokens };
};
const listGroups = (api: ReturnType<typeof connectToWorkspace>) => api.list("/groups", v.unknown());

describe("a machine that runs the command `alerts`", () => {
  it("requests its token with its id and secret, by OAuth", async () => {
    const { connected, asked, used } = aWorld();

    await listGroups(connected());

    expect(asked.map(({ url, body }) => [url, body])).toEqual([
      ["https://sign-in.example/oauth2/token", "grant_type=client_credentials"],
    ]);
    expect(Object.fromEntries(asked[0]!.headers)).toEqual({
      authorization: "Basic Y2xpZW50MTpodXNo",
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(used).toEqual(["Bearer token1"]);
  });

  it("requests one token for many requests, also concurrent ones", async () => {
    const { connected, asked, used } = aWorld();
    const api = connected();

    await Promise.all([listGroups(api), listGroups(api), listGroups(api)]);
    await listGroups(api);

    expect([asked.length, used.length]).toEqual([1, 4]);
  });

  it("renews its token a minute before it expires", async () => {
    const { connected, asked, used, clock } = aWorld();
    const api = connected();

    await listGroups(api);
    clock.now = 59 * 60_000 - 1;
    await listGroups(api);
    expect(asked).toHaveLength(1);
    clock.now = 59 * 60_000;
    await listGroups(api);

    expect(used).toEqual(["Bearer token1", "Bearer token1", "Bearer token2"]);
  });

  it("requests a new token once if a token is refused", async () => {
    const { connected, refusedTokens, used } = aWorld();
    const api = connected();
    refusedTokens.add("Bearer token1");

    await listGroups(api);
    expect(used).toEqual(["Bearer token1", "Bearer token2"]);

    refusedTokens.add("Bearer token2").add("Bearer token3");
    await expect(listGroups(api)).rejects.toThrow("GET /groups: the machine's token was refused");
    expect(used).toEqual(["Bearer token1", "Bearer token2", "Bearer token2", "Bearer token3"]);
  });

  it("keeps its new token if the old token is refused once more", async () => {
    const { token, canRenew } = chooseCredentials(aWorld().world);
    const old = await token();
    canRenew(old);
    const renewed = await token();

    canRenew(old);

    expect([old, renewed, await token()]).toEqual(["token1", "token2", "token2"]);
  });

  it("waits for a busy user pool, and reports a user pool that stays busy", async () => {
    const once = aWorld({ answer: (count) => (count === 1 ? new Response("", { status: 503 }) : undefined) });
    await listGroups(once.connected());
    expect([once.asked.length, once.slept]).toEqual([2, [400]]);

    const never = aWorld({ answer: () => new Response("", { status: 429 }) });
    await expect(listGroups(never.connected())).rejects.toThrow(
      "ALERTS_TOKEN_URL: https://sign-in.example/oauth2/token",
    );
    expect(never.asked).toHaveLength(4);
  });

  it("prints which environment variables to check, and never the secret, if the user pool refuses the machine", async () => {
    const { connected } = aWorld({ answer: () => Response.json({ error: "invalid_client" }, { status: 400 }) });

    const error = await listGroups(connected()).catch((one: unknown) => one);

    expect(String(error)).toContain("ALERTS_CLIENT_ID and ALERTS_CLIENT_SECRET must belong to a machine");
    expect(String(error)).not.toContain("hush");
  });

  it("asks whether the token URL is right if a web page answers there instead of the user pool", async () => {
    const { connected } = aWorld({ answer: () => new Response("<html>") });

    await expect(listGroups(connected())).rejects.toThrow("gave no token: is ALERTS_TOKEN_URL right?");
  });
});

describe("the credentials of the command `alerts`", () => {
  const readMessage = (fields: Record<string, string>): string => {
    try {
      chooseCredentials(aWorld({ env: fields }).world);
      return "none";
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };

  it("are those of the person's token, even if a machine's credentials are also set", async () => {
    const { connected, asked, used } = aWorld({ env: { SESSION_TOKEN: "hers" } });

    await listGroups(connected());

    expect([asked.length, used]).toEqual([0, ["Bearer hers"]]);
  });

  it("are missing if there is neither a person's token nor all three environment variables of a machine", () => {
    const none = { ALERTS_CLIENT_ID: "", ALERTS_CLIENT_SECRET: "", ALERTS_TOKEN_URL: "" };

    expect(readMessage(none)).toBe(
      "Credentials are missing. Set SESSION_TOKEN, or for a machine ALERTS_CLIENT_ID, ALERTS_CLIENT_SECRET, ALERTS_TOKEN_URL.",
    );
    expect(readMessage({ ALERTS_CLIENT_SECRET: "", ALERTS_TOKEN_URL: "" })).toBe(
      "ALERTS_CLIENT_SECRET and ALERTS_TOKEN_URL: missing. A machine needs all three variables.",
    );
  });

  it("are not sent to a URL without TLS", () => {
    expect(readMessage({ ALERTS_TOKEN_URL: "http://sign-in.example/oauth2/token" })).toContain(
      "must be the https address",
    );
    expect(readMessage({ ALERTS_TOKEN_URL: "nowhere" })).toContain("must be the https address");
    expect(readMessage({ ALERTS_TOKEN_URL: "http://127.0.0.1:4000/oauth2/token" })).toBe("none");
  });
});
