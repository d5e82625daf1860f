import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { aBrowser, ann, aPool, HOUR, NOW, verified } from "./identity-provider.ts";

describe("signing in with an identity provider", () => {
  it("gives the user pool's own tokens, with the provider's attributes of the person", async () => {
    const pool = await aPool();
    pool.setAccount("nora", verified);

    const { access_token: token, claims, sub } = await pool.signInAs("nora");

    expect(decodeJwt(token!)).toMatchObject({ client_id: "console", username: "SingleSignOn_nora" });
    expect(claims).toMatchObject({
      sub,
      iss: "https://issuer.example/pool",
      aud: "console",
      name: "Nora",
      email: "nora@acme.example",
      email_verified: true,
      identities: [{ userId: "nora", providerName: "SingleSignOn", providerType: "OIDC" }],
      // The user pool's nonce in its request to the provider, as with Cognito.
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(await pool.attributes(token!)).toMatchObject({ name: "Nora", email_verified: "true" });
  });

  it("redirects at once if the application names the provider, and returns with the application's state", async () => {
    const pool = await aPool();

    const { at, text } = await aBrowser()(pool.address());

    expect(`${at.origin}${at.pathname}`).toBe(`${pool.elsewhere}/authorize`);
    expect(Object.fromEntries(at.searchParams)).toEqual({
      client_id: "event-alerting",
      redirect_uri: pool.callbackUrl,
      response_type: "code",
      scope: "openid email profile",
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(text).toContain("your company's provider");
    pool.setAccount("nora", verified);
    const back = await aBrowser()(pool.address({ as: "nora" }));
    expect([back.at.searchParams.get("state"), back.at.searchParams.get("error")]).toEqual(["of the console", null]);
  });

  it.each([
    ["only the company's provider", ["SingleSignOn"], false],
    ["the company's provider and passwords", ["COGNITO", "SingleSignOn"], true],
  ])("shows %s on the user pool's page if the client has these providers", async (_, providers, hasPasswords) => {
    const pool = await aPool({ client: { providers } });
    const unnamed = pool.address().replace("&identity_provider=SingleSignOn", "");

    const { text } = await aBrowser()(unnamed);

    expect(text).toContain("<button>Sign in with SingleSignOn</button>");
    expect(text.includes(ann.email)).toBe(hasPasswords);
    // If passwords are off, naming a person in the URL does not sign that person in.
    const { at } = await aBrowser()(`${unnamed}&as=${ann.email}`);
    expect(at.searchParams.has("code")).toBe(hasPasswords);
  });

  it("is refused if the client does not offer the provider", async () => {
    const pool = await aPool({ client: { providers: ["COGNITO"] } });

    expect(await aBrowser()(pool.address())).toMatchObject({ status: 400 });
  });

  it.each([
    ["says that the address is not verified", false],
    ["does not say whether the address is verified", undefined],
  ])("gives an unverified address if the provider %s", async (_, emailVerified) => {
    const pool = await aPool();
    pool.setAccount("mallory", { ...verified, email: ann.email, emailVerified });

    const { access_token: token, claims } = await pool.signInAs("mallory");

    expect(claims).toMatchObject({ email: ann.email, email_verified: false });
    expect(await pool.attributes(token!)).toMatchObject({ email_verified: "false" });
  });

  it("keeps an address unverified until the provider says that it is verified", async () => {
    const pool = await aPool();
    const signInWith = async (emailVerified: boolean | undefined) => {
      pool.setAccount("nora", { ...verified, emailVerified });
      return (await pool.signInAs("nora")).claims?.["email_verified"];
    };

    expect([await signInWith(false), await signInWith(undefined), await signInWith(true)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("updates the provider's attributes each time, for the same person", async () => {
    const pool = await aPool();
    pool.setAccount("nora", verified);
    const first = await pool.signInAs("nora");

    pool.setAccount("nora", { ...verified, name: "Nora Neu", email: "neu@acme.example", emailVerified: undefined });
    const second = await pool.signInAs("nora");

    expect(second.sub).toBe(first.sub);
    expect(second.claims).toMatchObject({ name: "Nora Neu", email: "neu@acme.example", email_verified: false });
  });

  it("ignores the groups that the provider knows, because roles are set in the workspace", async () => {
    const pool = await aPool();
    pool.setAccount("nora", { ...verified, groups: ["admins", "owners"] });

    const { access_token: token, id_token: id } = await pool.signInAs("nora");

    expect(JSON.stringify([decodeJwt(token!), decodeJwt(id!)])).not.toMatch(/admins|groups/);
  });

  it("fails with a reason if the client may not write the attributes", async () => {
    const pool = await aPool({ client: { writes: ["name"] } });
    pool.setAccount("nora", verified);

    const { at } = await aBrowser()(pool.address({ as: "nora" }));

    expect(at.searchParams.get("error_description")).toBe("The client may not write the attribute email");
    expect(at.searchParams.has("code")).toBe(false);
  });
});

describe("an existing account in the user pool", () => {
  it("is not taken over by an account with the same address, verified or not", async () => {
    const pool = await aPool({ client: { providers: ["COGNITO", "SingleSignOn"] } });
    pool.setAccount("other", { ...verified, name: "Other", email: ann.email });

    const other = await pool.signInAs("other");

    expect(other.sub).not.toBe(ann.sub);
    const { at } = await aBrowser()(pool.address({ identity_provider: "COGNITO", as: ann.email }));
    const own = await pool.exchange(at);
    expect(decodeJwt(own.access_token!).sub).toBe(ann.sub);
    expect(await pool.attributes(own.access_token!)).toMatchObject({ name: "Ann", email_verified: "true" });
  });

  it("keeps its identity if an operator linked the two accounts before the first sign-in", async () => {
    const pool = await aPool();
    pool.setAccount("ann", { ...verified, name: "Ann Elsewhere", email: ann.email });

    expect(await pool.tie("ann", ann.email)).toMatchObject({ status: 200 });

    const { sub, claims } = await pool.signInAs("ann");
    expect(sub).toBe(ann.sub);
    expect(claims).toMatchObject({ "cognito:username": ann.sub, name: "Ann Elsewhere", email_verified: true });
  });

  it("can be linked by operators only, and not if the account has signed in itself or is already linked", async () => {
    const pool = await aPool();
    pool.setAccount("nora", verified);
    await pool.signInAs("nora");

    expect(await pool.tie("ann", ann.email, "somebody")).toMatchObject({ body: { __type: "AccessDeniedException" } });
    await pool.tie("max", ann.email);
    for (const subject of ["nora", "max"])
      expect(await pool.tie(subject, ann.email)).toMatchObject({ body: { __type: "InvalidParameterException" } });
    expect(await pool.tie("ann", "nobody@acme.example")).toMatchObject({ body: { __type: "UserNotFoundException" } });
  });
});

describe("a person who loses their account at the identity provider", () => {
  it("keeps the session until it ends, however often it was renewed, and gets no other session", async () => {
    const pool = await aPool();
    pool.setAccount("nora", verified);
    const { refresh_token: refresh } = await pool.signInAs("nora");
    await pool.removeAccount("nora");

    for (const hours of [1, 6, 11.9]) {
      pool.clock.now = NOW + hours * HOUR;
      expect(await pool.renew(refresh!)).toMatchObject({ status: 200 });
    }
    pool.clock.now = NOW + 12 * HOUR;
    expect(await pool.renew(refresh!)).toMatchObject({ status: 400, error: "invalid_grant" });
    const { at, text } = await aBrowser()(pool.address({ as: "nora" }));
    expect(at.pathname).toBe("/tenant/authorize");
    expect(text).toContain("There is no account nora any more.");
  });

  it("cannot sign in with a code that was issued just before the account was lost", async () => {
    const pool = await aPool({
      between: async (...call) => {
        if (call[0].endsWith("/token")) await pool.removeAccount("nora");
        return fetch(...call);
      },
    });
    pool.setAccount("nora", verified);

    const { at } = await aBrowser()(pool.address({ as: "nora" }));

    expect(at.searchParams.get("error_description")).toBe("SingleSignOn Error - 400 invalid_grant");
  });
});
