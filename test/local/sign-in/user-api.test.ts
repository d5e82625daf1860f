import { createServer } from "node:http";
import { decodeJwt } from "jose";
import { afterAll, describe, expect, it } from "vitest";
import { toFailureOrRethrow } from "../../../console/app/failure.ts";
import { createSecondFactorClient, formatAuthenticatorLink } from "../../../console/app/second-factor.ts";
import { createProfileReader } from "../../../core/identity/profile.ts";
import { liveCallUserPool } from "../../../core/live-user-pool.ts";
import { type Listener, listenLocally } from "../../../local/listen.ts";
import { createSignIn } from "../../../local/sign-in/server.ts";
import { computeTotp } from "../../../local/sign-in/totp.ts";
import type { Mfa } from "../../../local/sign-in/user-api.ts";
import { createTestClock } from "../../world/clock.ts";
import { aClient, ann as person, keys } from "./identity-provider.ts";

const grant = { issuer: aClient.issuer, clientId: aClient.id };
const ann = { ...person, name: "Änn" };
const listeners: Listener[] = [];
const startPool = async (mfa: Mfa) => {
  const signIn = createSignIn({ clients: [{ ...aClient, providers: ["COGNITO"] }], mfa }, keys);
  signIn.setPeople([{ company: "Acme", people: [ann] }]);
  const listener = await listenLocally(createServer(signIn.serve), 0);
  listeners.push(listener);
  return listener.url;
};
const url = await startPool("OPTIONAL");
afterAll(async () => {
  for (const { close } of listeners) await close();
});

const mintFullToken = () => keys.mintAccessToken(ann, grant);
const mintNarrowToken = () => keys.mintAccessToken(ann, { ...grant, scope: "openid email profile" });
const { log } = createTestClock().deps;
const readProfile = (at = url) => createProfileReader({ callUserPool: liveCallUserPool(at), log });
const createFactor = (at = url, accessToken = mintFullToken) =>
  createSecondFactorClient({ url: at, fetch, accessToken });
/** Signs in, and returns whether that gave an OAuth code. `parameters` may contain the code of an authenticator app. */
const signIn = async (at: string, parameters: Record<string, string> = {}) => {
  const query = new URLSearchParams({
    client_id: "console",
    redirect_uri: aClient.callbackUrls[0]!,
    response_type: "code",
    code_challenge: "c".repeat(43),
    code_challenge_method: "S256",
    as: ann.email,
    ...parameters,
  });
  const answer = await fetch(`${at}/oauth2/authorize?${query.toString()}`, { redirect: "manual" });
  return { isIn: answer.status === 302, text: await answer.text() };
};

describe("an access token of the user pool", () => {
  it("has the sub as user name, while name and address are only in the ID token", async () => {
    const access = decodeJwt(await mintFullToken());
    const id = decodeJwt(await keys.mintIdToken(ann, { ...grant, scopes: ["openid", "email"] }));

    expect(access).toMatchObject({ token_use: "access", username: "0-1", sub: "0-1", client_id: "console" });
    expect([access["name"], access["email"], access.aud]).toEqual([undefined, undefined, undefined]);
    expect(id).toMatchObject({ token_use: "id", "cognito:username": "0-1", aud: "console", email: ann.email });
    expect(id["name"]).toBeUndefined();
  });
});

describe("the profile of a user in the user pool", () => {
  it("is returned from the user pool's attributes", async () => {
    expect(await readProfile()(await mintFullToken())).toEqual({ name: "Änn", email: "ann@acme.example" });
  });

  it.each([
    ["does not have the scope", mintNarrowToken],
    ["is not a token", async () => "x"],
    ["has expired", () => keys.mintAccessToken(ann, { ...grant, lifetimeMs: -1000 })],
    ["is an id token", () => keys.mintIdToken(ann, { ...grant, scopes: ["email"] })],
    ["names an unknown user", () => keys.mintAccessToken({ sub: "0-9" }, grant)],
  ])("is refused for a token that %s", async (_, token) => {
    await expect(readProfile()(await token())).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  it("is refused as busy if the user pool does not answer or is too busy", async () => {
    const readProfileFromAnswer = (status: number, text: string) =>
      createProfileReader({ callUserPool: async () => ({ status, text }), log })("t");

    await expect(readProfile("http://127.0.0.1:9")(await mintFullToken())).rejects.toMatchObject({ kind: "busy" });
    await expect(readProfileFromAnswer(400, '{"__type":"TooManyRequestsException"}')).rejects.toMatchObject({
      kind: "busy",
    });
    await expect(readProfileFromAnswer(500, "")).rejects.toMatchObject({ kind: "busy" });
  });

  it("has no unverified address", async () => {
    const text = JSON.stringify({
      UserAttributes: [
        { Name: "email", Value: "ceo@acme.example" },
        { Name: "email_verified", Value: "false" },
      ],
    });

    expect(await createProfileReader({ callUserPool: async () => ({ status: 200, text }), log })("t")).toEqual({});
  });
});

describe("a second factor in the user pool", () => {
  it("is set up with a code from an authenticator app, required at the next sign-in, and can be turned off", async () => {
    const factor = createFactor();
    expect([await factor.isOn(), (await signIn(url)).isIn]).toEqual([false, true]);

    const { key, link } = await factor.begin();
    expect(link).toBe(`otpauth://totp/Event%20Alerting%3Aann%40acme.example?secret=${key}&issuer=Event%20Alerting`);
    expect(key).toMatch(/^[A-Z2-7]{52}$/);
    expect((await signIn(url)).isIn).toBe(true);
    await factor.confirm(` ${computeTotp(key, Date.now()).replace(/^.../, "$& ")}`);

    expect(await factor.isOn()).toBe(true);
    const wrong = String((Number(computeTotp(key, Date.now())) + 1) % 1_000_000).padStart(6, "0");
    expect([(await signIn(url)).isIn, (await signIn(url, { totp: wrong })).isIn]).toEqual([false, false]);
    expect((await signIn(url, { totp: computeTotp(key, Date.now()) })).isIn).toBe(true);

    await factor.turnOff();
    expect([await factor.isOn(), (await signIn(url)).isIn]).toEqual([false, true]);
  });

  it("is off until a valid code of an authenticator app is entered", async () => {
    const at = await startPool("OPTIONAL");
    const factor = createFactor(at);
    await factor.begin();

    for (const code of ["000000", "12345", "abcdef", ""])
      await expect(factor.confirm(code)).rejects.toMatchObject({
        failure: { faults: [{ field: "code", message: expect.stringContaining("This code is not valid") as string }] },
      });
    expect([await factor.isOn(), (await signIn(at)).isIn]).toEqual([false, true]);
  });

  it("cannot be set up with a token that lacks the required scope, in a stage without second factors, or offline", async () => {
    const readRefusal = (promise: Promise<unknown>) => promise.then(() => undefined, toFailureOrRethrow);

    expect(await readRefusal(createFactor(url, mintNarrowToken).begin())).toMatchObject({
      message: expect.stringContaining("sign in"),
    });
    expect(await readRefusal(createFactor(await startPool("OFF")).begin())).toMatchObject({
      message: expect.stringContaining("not available here"),
    });
    expect(await readRefusal(createFactor("http://127.0.0.1:9").begin())).toEqual({ kind: "offline" });
  });

  it("is set up at the next sign-in if the stage requires one", async () => {
    const at = await startPool("ON");
    const { isIn, text } = await signIn(at);
    const key = /<code>([A-Z2-7]+)</.exec(text)?.[1] ?? "";

    expect(isIn).toBe(false);
    expect((await signIn(at, { totp: computeTotp(key, Date.now()) })).isIn).toBe(true);
    expect((await signIn(at)).isIn).toBe(false);
  });

  it("uses the codes of RFC 6238", () => {
    // RFC 6238, appendix B: the last six of eight digits.
    const key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    expect([59, 1_111_111_109, 20_000_000_000].map((s) => computeTotp(key, s * 1000))).toEqual([
      "287082",
      "081804",
      "353130",
    ]);
    expect(formatAuthenticatorLink("K", "a b")).toBe(
      "otpauth://totp/Event%20Alerting%3Aa%20b?secret=K&issuer=Event%20Alerting",
    );
  });
});
