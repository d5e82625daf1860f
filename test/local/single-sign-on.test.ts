import { createHash } from "node:crypto";
import { decodeJwt } from "jose";
import { afterAll, expect, it } from "vitest";
import { makeDirectory, startLocalService } from "../support/local-service.ts";

/* Tests single sign-on as the stack's template sets it up, with the URLs that the console gets. */

const service = await startLocalService(makeDirectory(), { env: { LOCAL_SSO: "only" } });
afterAll(service.stop);
const { id, members } = service.workspace("Acme");
const accounts = service.session.sso!.accountsUrl;
const verifier = "v".repeat(43);

const readSetting = async () => {
  const page = await (await fetch(`${service.session.baseUrl}/login`)).text();
  const written = /<meta name="event-alerting" content="([^"]*)"/.exec(page)![1]!.replaceAll("&quot;", '"');
  return JSON.parse(written) as { origin: string; signIn: string; clientId: string; provider: string };
};
const setting = await readSetting();
const callback = `${setting.origin}/signed-in`;

/** Returns the parameters of the console's page after the sign-in. */
const signIn = async (as: string): Promise<URLSearchParams> => {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: setting.clientId,
    redirect_uri: callback,
    scope: "openid email profile aws.cognito.signin.user.admin",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    identity_provider: setting.provider,
    as,
  });
  let [at, cookie] = [`${setting.signIn}/oauth2/authorize?${query.toString()}`, ""];
  while (!at.startsWith(callback)) {
    const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
    cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    at = answer.headers.get("location") ?? "";
    expect(at, await answer.text()).not.toBe("");
  }
  return new URL(at).searchParams;
};

const requestTokens = async (as: string) => {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: setting.clientId,
    code: (await signIn(as)).get("code") ?? "",
    redirect_uri: callback,
    code_verifier: verifier,
  });
  const answer = await fetch(`${setting.signIn}/oauth2/token`, { method: "POST", body });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { access_token: string; refresh_token: string };
};
const listWorkspaces = async (token: string) =>
  (await service.call("GET", "/v1/workspaces", { as: token })).body as { id: string; role: string }[];
const invite = (email: string) =>
  service.call("POST", `/v1/workspaces/${id}/invitations`, { as: members[0]!.token, body: { email, role: "manager" } });
const listInvitations = async (token: string) =>
  (await service.call("GET", "/v1/invitations", { as: token })).body as { id: string }[];

it("with single sign-on, a linked person signs in as themselves, and the API accepts the token", async () => {
  const alice = members[0]!;
  const { access_token: token } = await requestTokens(alice.email);

  expect(`usr_${decodeJwt(token).sub!.replaceAll("-", "")}`).toBe(alice.userId);
  expect(await listWorkspaces(token)).toMatchObject([{ id }]);
});

it("with single sign-on, a new person is not a member until an invitation to their address is accepted", async () => {
  const { access_token: token } = await requestTokens("nora@demo.example");
  expect(await listWorkspaces(token)).toEqual([]);

  await invite("nora@demo.example");
  const [invitation] = await listInvitations(token);
  const accepted = await service.call("POST", `/v1/invitations/${invitation!.id}/accept`, { as: token });

  expect(accepted).toMatchObject({ status: 200 });
  expect(await listWorkspaces(token)).toMatchObject([{ id, role: "manager" }]);
  // The next sign-in finds the same person.
  expect(await listWorkspaces((await requestTokens("nora@demo.example")).access_token)).toMatchObject([{ id }]);
});

it("with single sign-on, nobody can accept an invitation to an address that they entered themselves", async () => {
  await invite("boss@acme.example");
  const putAccount = (emailVerified: boolean) =>
    fetch(`${accounts}/account-eve`, {
      method: "PUT",
      body: JSON.stringify({ name: "Eve", email: "boss@acme.example", emailVerified }),
    });

  await putAccount(false);
  expect(await listInvitations((await requestTokens("account-eve")).access_token)).toEqual([]);
  await putAccount(true);
  expect(await listInvitations((await requestTokens("account-eve")).access_token)).toHaveLength(1);
});

it("with single sign-on, the console shows a reason while the provider is unavailable", async () => {
  await service.control("PUT", "/faults", { sso: "down" });
  const signedIn = await signIn(members[1]!.email);
  await service.control("PUT", "/faults", {});

  expect(signedIn.get("error_description")).toBe("SingleSignOn gave no answer");
  expect((await signIn(members[1]!.email)).has("code")).toBe(true);
});
