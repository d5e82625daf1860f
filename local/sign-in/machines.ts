import { isSameText } from "../../core/domain/basics/hmac.ts";
import type { Keys } from "../sessions.ts";
import type { MachineModel } from "../template/clients.ts";

/** The id and the secret of a client as it may send them: as Basic authentication, or in the form. */
export const clientIn = (authorization: string | undefined, form: URLSearchParams): { id: string; secret: string } => {
  const basic = /^basic +([a-z0-9+/=]+)$/i.exec(authorization ?? "")?.[1];
  if (basic === undefined) return { id: form.get("client_id") ?? "", secret: form.get("client_secret") ?? "" };
  const pair = Buffer.from(basic, "base64").toString("utf8");
  const at = pair.indexOf(":");
  return { id: pair.slice(0, Math.max(at, 0)), secret: pair.slice(at + 1) };
};

export type TokenAnswer = { status: number; body: object };
const refused = (error: string): TokenAnswer => ({ status: 400, body: { error } });

/**
 * Simulates `/oauth2/token` as it answers clients with a secret, which ask for themselves. Takes what Cognito takes:
 * the right secret, the one flow that the client has, and scopes that it has. There is no refresh token.
 */
export const createMachines = (
  machines: readonly MachineModel[],
  keys: Pick<Keys, "clientSecretOf" | "mintForClient">,
) => ({
  /** Undefined if the client is none of them. */
  token: async (
    { id, secret }: { id: string; secret: string },
    form: URLSearchParams,
  ): Promise<TokenAnswer | undefined> => {
    const machine = machines.find((one) => one.id === id);
    if (machine === undefined) return undefined;
    if (!isSameText(secret, keys.clientSecretOf(id))) return refused("invalid_client");
    if (form.get("grant_type") !== "client_credentials") return refused("unauthorized_client");
    const asked = (form.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
    if (!asked.every((scope) => machine.scopes.includes(scope))) return refused("invalid_scope");
    const { issuer, accessTokenMs: lifetimeMs } = machine;
    const scope = (asked.length === 0 ? machine.scopes : asked).join(" ");
    const access_token = await keys.mintForClient({ issuer, clientId: id, scope, lifetimeMs });
    return { status: 200, body: { access_token, expires_in: lifetimeMs / 1000, token_type: "Bearer" } };
  },
});
export type Machines = ReturnType<typeof createMachines>;
