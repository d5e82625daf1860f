import { generateKeyPairSync } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, exportJWK, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { aBrowser, aPool, NOW, verified } from "./identity-provider.ts";

type Pool = Awaited<ReturnType<typeof aPool>>;
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

const readReturnUrl = async (pool: Pool, cookie: { value?: string } = {}): Promise<string> => {
  const begun = await fetch(pool.address({ as: "nora" }), { redirect: "manual" });
  cookie.value = begun.headers.get("set-cookie")!.split(";")[0]!;
  const confirmed = await fetch(begun.headers.get("location")!, { redirect: "manual" });
  return confirmed.headers.get("location")!;
};
const returnTo = async (address: string, cookie: string) => {
  const answer = await fetch(address, { redirect: "manual", headers: { cookie } });
  return { status: answer.status, text: await answer.text(), to: answer.headers.get("location") };
};

const aPoolWithChanged = async (at: string, change: (body: Record<string, unknown>) => unknown) => {
  const pool = await aPool({
    between: async (...call) => {
      const answer = await fetch(...call);
      if (!call[0].endsWith(at)) return answer;
      return Response.json(await change((await answer.json()) as Record<string, unknown>));
    },
  });
  pool.setAccount("nora", verified);
  return pool;
};

const readOutcome = async (pool: Pool) => {
  const { at } = await aBrowser()(pool.address({ as: "nora" }));
  const { code, error, error_description: why, state } = Object.fromEntries(at.searchParams);
  expect([code, state]).toEqual([undefined, "of the console"]);
  return { error, why };
};

describe("an ID token of the identity provider", () => {
  const kidOf = (token: string) => decodeProtectedHeader(token).kid!;
  const signAgain = (token: string, claims: object, header: object = {}) =>
    new SignJWT({ ...decodeJwt(token), ...claims })
      .setProtectedHeader({ alg: "RS256", kid: kidOf(token), ...header })
      .sign(privateKey);
  const removeSignature = (token: string) =>
    `${Buffer.from('{"alg":"none"}').toString("base64url")}.${token.split(".")[1] ?? ""}.`;

  it.each<[string, (token: string) => string | Promise<string>]>([
    ["signed by another key under the same kid", (token) => signAgain(token, {})],
    ["signed by a key that the provider does not list", (token) => signAgain(token, {}, { kid: "another" })],
    ["signed by the public key as if it were a secret", (token) => signBySecret(token)],
    ["without a signature", removeSignature],
    ["not a token", () => "a.b.c"],
  ])("is refused if it is %s", async (_, change) => {
    const pool = await aPoolWithChanged("/token", async (body) => ({
      ...body,
      id_token: await change(String(body["id_token"])),
    }));

    expect(await readOutcome(pool)).toEqual({
      error: "invalid_request",
      why: "SingleSignOn gave an ID token that is not valid",
    });
  });
  const signBySecret = (token: string) =>
    new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: "HS256", kid: kidOf(token) })
      .sign(Buffer.from("public key"));

  /** The provider lists the test's key, so that only the token's claims can be wrong. */
  const aPoolWithClaims = async (claims: object) => {
    const pool = await aPool({
      between: async (...call) => {
        const [address, answer] = [call[0], await fetch(...call)];
        if (address.endsWith("/jwks"))
          return Response.json({ keys: [{ ...(await exportJWK(publicKey)), kid: "listed", alg: "RS256" }] });
        if (!address.endsWith("/token")) return answer;
        const body = (await answer.json()) as { id_token: string };
        return Response.json({ ...body, id_token: await signAgain(body.id_token, claims, { kid: "listed" }) });
      },
    });
    pool.setAccount("nora", verified);
    return pool;
  };

  it.each([
    ["of another issuer", { iss: "https://login.example.com/other" }],
    ["for another client", { aud: "another" }],
    ["that has expired", { exp: NOW / 1000 }],
    ["that never ends", { exp: undefined }],
    ["with the nonce of another request", { nonce: "of-another" }],
    ["without a nonce", { nonce: undefined }],
    ["without a person", { sub: "" }],
  ])("%s is refused", async (_, claims) => {
    expect(await readOutcome(await aPoolWithClaims(claims))).toMatchObject({
      why: "SingleSignOn gave an ID token that is not valid",
    });
  });

  it("is accepted if it is valid", async () => {
    const pool = await aPoolWithClaims({});

    expect((await pool.signInAs("nora")).status).toBe(200);
  });
});

describe("the user pool's stand-in", () => {
  it("refuses a sign-in if the identity provider's user data belong to another person than the ID token", async () => {
    const pool = await aPoolWithChanged("/userinfo", (body) => ({ ...body, sub: "somebody" }));

    expect(await readOutcome(pool)).toMatchObject({
      why: "the access token and the ID token of SingleSignOn belong to different people",
    });
  });

  it.each([
    ["another issuer", { issuer: "https://evil.example" }, "SingleSignOn says that it is another issuer"],
    ["an address without TLS", { token_endpoint: "http://login.example.com/token" }, "in an unexpected form"],
    ["a port that Cognito does not call", { jwks_uri: "https://login.example.com:8443/jwks" }, "in an unexpected form"],
  ])("refuses a sign-in if the identity provider's configuration names %s", async (_, change, why) => {
    const pool = await aPoolWithChanged("/.well-known/openid-configuration", (body) => ({ ...body, ...change }));

    expect((await readOutcome(pool)).why).toContain(why);
  });
});

describe("a person who returns from the identity provider", () => {
  it("can return only once", async () => {
    const pool = await aPool();
    pool.setAccount("nora", verified);
    const cookie: { value?: string } = {};
    const address = await readReturnUrl(pool, cookie);

    expect(await returnTo(address, cookie.value!)).toMatchObject({ status: 302 });
    const again = await returnTo(address, cookie.value!);
    expect([again.status, again.to]).toEqual([400, null]);
    expect(again.text).toContain("Something went wrong");
  });

  it("must return in the same browser; an attempt in another browser does not end the sign-in", async () => {
    const pool = await aPool();
    pool.setAccount("nora", verified);
    const cookie: { value?: string } = {};
    const address = await readReturnUrl(pool, cookie);

    expect(await returnTo(address, "")).toMatchObject({ status: 400 });
    expect(await returnTo(address, `csrf-state=${"x".repeat(43)}`)).toMatchObject({ status: 400 });
    expect(await returnTo(address.replace(/state=[\w-]+/, "state=guessed"), cookie.value!)).toMatchObject({
      status: 400,
    });
    expect(await returnTo(address, cookie.value!)).toMatchObject({ status: 302 });
  });

  it("must return within five minutes", async () => {
    const pool = await aPool();
    pool.setAccount("nora", verified);
    const cookie: { value?: string } = {};
    const address = await readReturnUrl(pool, cookie);

    pool.clock.now = NOW + 5 * 60_000;

    expect(await returnTo(address, cookie.value!)).toMatchObject({ status: 400 });
  });
});

describe("the application in which a person signs in", () => {
  it("receives the reason if the person cancelled the sign-in", async () => {
    const pool = await aPool();

    const { at } = await aBrowser()(pool.address());
    const back = await continueSignInAt(pool, `${at.href}&cancel=yes`);

    expect(back).toMatchObject({
      error: "access_denied",
      error_description: "SingleSignOn Error - The account was not confirmed.",
    });
  });
  const continueSignInAt = async (pool: Pool, address: string) => {
    const browser = aBrowser();
    const { at } = await browser(pool.address());
    const next = new URL(address);
    next.searchParams.set("state", at.searchParams.get("state")!);
    return Object.fromEntries((await browser(next.href)).at.searchParams);
  };

  it("receives the reason if the client secret is not the identity provider's", async () => {
    const pool = await aPool({ secret: "rotated" });
    pool.setAccount("nora", verified);

    expect(await readOutcome(pool)).toEqual({
      error: "invalid_request",
      why: "SingleSignOn Error - 401 invalid_client",
    });
  });

  it("receives the reason if the identity provider is unavailable, before or after the redirect", async () => {
    const pool = await aPoolWithChanged("/token", (body) => body);
    pool.faults.sso = "down";
    expect(await readOutcome(pool)).toEqual({ error: "server_error", why: "SingleSignOn gave no answer" });

    pool.faults.sso = "up";
    const cookie: { value?: string } = {};
    const address = await readReturnUrl(pool, cookie);
    pool.faults.sso = "down";

    const { to } = await returnTo(address, cookie.value!);
    expect(new URL(to!).searchParams.get("error")).toBe("server_error");
  });
});
