import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeJwt, decodeProtectedHeader, SignJWT, type JWTPayload } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes } from "../../lib/routes.ts";
import { aDirectory, startLocalService, type SpawnedService } from "../support/local-service.ts";

const dir = aDirectory();
let service: SpawnedService;
beforeAll(async () => {
  service = await startLocalService(dir);
});
afterAll(() => service.stop());

const session = routes.filter(({ auth }) => auth === "session");
const MISSING = "0000000000000000";

/** The address of a route below Acme; ids of nothing, for nobody comes as far as looking. */
const address = (path: string): string =>
  path.replace("{workspaceId}", service.workspace("Acme").id).replace(/\{(\w+)\}/g, `x_${MISSING}`);

type Changes = { claims?: JWTPayload; kid?: string; without?: string };

/** Alice's token with other claims, signed with the service's own key unless another is given. */
const forge = async (
  { claims = {}, kid, without }: Changes = {},
  key?: Parameters<SignJWT["sign"]>[0],
  alg = "RS256",
) => {
  const good = service.workspace("Acme").members[0]!.token;
  const payload = { ...decodeJwt(good), ...claims };
  if (without !== undefined) delete payload[without];
  const keys = JSON.parse(readFileSync(join(dir, "keys.json"), "utf8")) as { session: string };
  const header = { ...decodeProtectedHeader(good), alg, ...(kid === undefined ? {} : { kid }) };
  return new SignJWT(payload).setProtectedHeader(header).sign(key ?? createPrivateKey(keys.session));
};

const hour = 3600;
const now = () => Math.floor(Date.now() / 1000);
const unsigned = async () => {
  const [, payload = ""] = (await forge()).split(".");
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${payload}.`;
};
const strangersKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const publicKeyAsSecret = async () => {
  const keys = JSON.parse(readFileSync(join(dir, "keys.json"), "utf8")) as { session: string };
  return forge({}, new TextEncoder().encode(keys.session), "HS256");
};

const callers: readonly [string, () => Promise<string | undefined>][] = [
  ["no token", async () => undefined],
  ["no token at all in its place", async () => "nonsense"],
  ["a token with a broken signature", async () => (await forge()).replace(/.{8}$/, "AAAAAAAA")],
  ["a token that somebody else signed", () => forge({}, strangersKey)],
  ["a token without a signature", unsigned],
  ["a token signed with the public key as a secret", publicKeyAsSecret],
  ["a token of an unknown key", () => forge({ kid: "unknown" })],
  ["an expired token", () => forge({ claims: { exp: now() - hour, iat: now() - 2 * hour } })],
  ["a token that never expires", () => forge({ without: "exp" })],
  ["a token that is not good yet", () => forge({ claims: { nbf: now() + hour } })],
  [
    "a token of another pool",
    () => forge({ claims: { iss: "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_other" } }),
  ],
  ["a token of another client", () => forge({ claims: { client_id: "other" } })],
  ["an API key", async () => service.workspace("Acme").apiKey],
];

describe("every endpoint for people", () => {
  it.each(callers)("answers 401 to %s", async (_, tokenOf) => {
    const token = await tokenOf();

    const answers = await Promise.all(
      session.map(async ({ method, path }) => {
        const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
        const answer = await fetch(new URL(address(path), service.session.baseUrl), { method, headers });
        return `${method} ${path} ${answer.status}`;
      }),
    );

    expect(answers).toStrictEqual(session.map(({ method, path }) => `${method} ${path} 401`));
  });

  it("answers 401 to an id token, which the gateway lets through", async () => {
    const aud = decodeJwt(await forge())["client_id"] as string;
    const token = await forge({ claims: { token_use: "id", aud }, without: "client_id" });

    const answer = await fetch(new URL(address("/v1/workspaces/{workspaceId}/groups"), service.session.baseUrl), {
      headers: { authorization: `Bearer ${token}` },
    });

    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "unauthenticated" });
  });

  it("lets the same token through when nothing is changed", async () => {
    const answer = await fetch(new URL(address("/v1/workspaces/{workspaceId}/groups"), service.session.baseUrl), {
      headers: { authorization: `Bearer ${await forge()}` },
    });

    expect(answer.status).toBe(200);
  });
});
