import { isSameSecret } from "../../core/domain/basics/hmac.ts";
import type { Keys } from "../sessions.ts";
import type { MachineModel } from "../template/clients.ts";

/** Reads the client's id and secret from the header, or else from the form. Missing values are empty. */
export const readClientCredentials = (
  authorization: string | undefined,
  form: URLSearchParams,
): { id: string; secret: string } => {
  const basic = /^basic +([a-z0-9+/=]+)$/i.exec(authorization ?? "")?.[1];
  if (basic === undefined) return { id: form.get("client_id") ?? "", secret: form.get("client_secret") ?? "" };
  const pair = Buffer.from(basic, "base64").toString("utf8");
  const at = pair.indexOf(":");
  return { id: pair.slice(0, Math.max(at, 0)), secret: pair.slice(at + 1) };
};

export type TokenAnswer = { status: number; body: object };
const createRefusal = (error: string): TokenAnswer => ({ status: 400, body: { error } });

/**
 * Serves `/oauth2/token` for clients with a secret (client credentials). Accepts what Cognito accepts: the correct secret, one
 * flow, and the client's scopes. There is no refresh token.
 */
export const createMachineTokens = (
  machines: readonly MachineModel[],
  keys: Pick<Keys, "clientSecretOf" | "mintForClient">,
) => ({
  token: async (
    { id, secret }: { id: string; secret: string },
    form: URLSearchParams,
  ): Promise<TokenAnswer | undefined> => {
    const machine = machines.find((one) => one.id === id);
    if (machine === undefined) return undefined;
    if (!isSameSecret(secret, keys.clientSecretOf(id))) return createRefusal("invalid_client");
    if (form.get("grant_type") !== "client_credentials") return createRefusal("unauthorized_client");
    const requestedScopes = (form.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
    if (!requestedScopes.every((scope) => machine.scopes.includes(scope))) return createRefusal("invalid_scope");
    const { issuer, accessTokenMs: lifetimeMs } = machine;
    const scope = (requestedScopes.length === 0 ? machine.scopes : requestedScopes).join(" ");
    const access_token = await keys.mintForClient({ issuer, clientId: id, scope, lifetimeMs });
    return { status: 200, body: { access_token, expires_in: lifetimeMs / 1000, token_type: "Bearer" } };
  },
});
export type Machines = ReturnType<typeof createMachineTokens>;
