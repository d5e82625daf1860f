import * as v from "valibot";
import type { Keys } from "../sessions.ts";
import type { Person } from "./directory.ts";
import { isTotp, createTotpSecret } from "./totp.ts";

export type Mfa = "OFF" | "OPTIONAL" | "ON";

/** A person's authenticator app. `verified`: the app has produced a correct code. `preferred`: the sign-in asks for a code. */
type Factor = { secret: string; verified: boolean; preferred: boolean };

const SCOPE = "aws.cognito.signin.user.admin";

class PoolError extends Error {
  readonly type: string;
  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

const Token = v.object({ AccessToken: v.pipe(v.string(), v.nonEmpty()) });
const Verify = v.object({
  UserCode: v.pipe(v.string(), v.regex(/^\d{6}$/)),
  FriendlyDeviceName: v.optional(v.pipe(v.string(), v.maxLength(131_072))),
});
const Preference = v.object({
  SoftwareTokenMfaSettings: v.object({ Enabled: v.boolean(), PreferredMfa: v.optional(v.boolean(), false) }),
});

const parseParameters = <Output>(schema: v.GenericSchema<unknown, Output>, body: unknown): Output => {
  const parsed = v.safeParse(schema, body);
  if (parsed.success) return parsed.output;
  throw new PoolError("InvalidParameterException", v.summarize(parsed.issues));
};

/** Creates an empty store of second factors, which is lost when the service stops. */
export const createFactors = (mfa: Mfa) => {
  const bySub = new Map<string, Factor>();
  return {
    mfa,
    /** Returns the secret of a new authenticator app, which replaces the person's previous app. */
    associate: (sub: string): string => {
      const secret = createTotpSecret();
      bySub.set(sub, { secret, verified: false, preferred: false });
      return secret;
    },
    verify: (sub: string, code: string, now: number): boolean => {
      const factor = bySub.get(sub);
      if (factor === undefined || !isTotp(factor.secret, code, now)) return false;
      factor.verified = true;
      return true;
    },
    prefer: (sub: string, preferred: boolean): boolean => {
      const factor = bySub.get(sub);
      if (preferred && factor?.verified !== true) return false;
      if (factor !== undefined) factor.preferred = preferred;
      return true;
    },
    isSet: (sub: string): boolean => {
      const factor = bySub.get(sub);
      return mfa !== "OFF" && factor?.verified === true && (factor.preferred || mfa === "ON");
    },
    /** Returns the secret of the app that the person must set up; undefined if the person need not set up an app. */
    toSetUp: (sub: string): string | undefined => {
      const factor = bySub.get(sub);
      if (mfa !== "ON" || factor?.verified === true) return undefined;
      if (factor !== undefined) return factor.secret;
      const secret = createTotpSecret();
      bySub.set(sub, { secret, verified: false, preferred: true });
      return secret;
    },
  };
};
export type Factors = ReturnType<typeof createFactors>;

/** Serves people's own profile and second factor. Requires an access token. */
export const createUserApi = ({
  keys,
  factors,
  findPerson,
  now = Date.now,
}: {
  keys: Pick<Keys, "readSession">;
  factors: Factors;
  findPerson: (sub: string) => Person | undefined;
  now?: () => number;
}) => {
  const readPersonOfToken = async (body: unknown): Promise<Person> => {
    const { AccessToken } = parseParameters(Token, body);
    const session = await keys.readSession(AccessToken, now());
    if (session === undefined) throw new PoolError("NotAuthorizedException", "Invalid Access Token");
    if (!session.scopes.includes(SCOPE))
      throw new PoolError("NotAuthorizedException", "Access Token does not have required scopes");
    const person = findPerson(session.sub);
    if (person === undefined) throw new PoolError("UserNotFoundException", "User does not exist.");
    return person;
  };
  const requireMfaEnabled = (): void => {
    if (factors.mfa === "OFF")
      throw new PoolError(
        "SoftwareTokenMFANotFoundException",
        "Software Token MFA has not been enabled by the userPool.",
      );
  };

  const actions: Readonly<Record<string, (person: Person, body: unknown) => object>> = {
    GetUser: ({ sub, username = sub, name, email, emailVerified = true, identities }) => ({
      Username: username,
      UserAttributes: [
        { Name: "email", Value: email },
        { Name: "email_verified", Value: String(emailVerified) },
        { Name: "name", Value: name },
        { Name: "sub", Value: sub },
        ...(identities === undefined ? [] : [{ Name: "identities", Value: JSON.stringify(identities) }]),
      ],
      ...(!factors.isSet(sub)
        ? {}
        : { PreferredMfaSetting: "SOFTWARE_TOKEN_MFA", UserMFASettingList: ["SOFTWARE_TOKEN_MFA"] }),
    }),
    AssociateSoftwareToken: ({ sub }) => {
      requireMfaEnabled();
      return { SecretCode: factors.associate(sub) };
    },
    VerifySoftwareToken: ({ sub }, body) => {
      requireMfaEnabled();
      if (!factors.verify(sub, parseParameters(Verify, body).UserCode, now()))
        throw new PoolError("EnableSoftwareTokenMFAException", "Code mismatch");
      return { Status: "SUCCESS" };
    },
    SetUserMFAPreference: ({ sub }, body) => {
      requireMfaEnabled();
      const { Enabled } = parseParameters(Preference, body).SoftwareTokenMfaSettings;
      if (!factors.prefer(sub, Enabled))
        throw new PoolError("InvalidParameterException", "User has not verified software token mfa");
      return {};
    },
  };

  /** Answers a call of the user pool's API. `target`: the header X-Amz-Target. */
  return async (target: string, text: string): Promise<{ status: number; body: object }> => {
    try {
      const [service, action = ""] = target.split(".");
      const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
      if (service !== "AWSCognitoIdentityProviderService" || act === undefined)
        throw new PoolError("UnknownOperationException", `The operation ${target} does not exist.`);
      const body: unknown = JSON.parse(text);
      return { status: 200, body: act(await readPersonOfToken(body), body) };
    } catch (error) {
      if (error instanceof PoolError) return { status: 400, body: { __type: error.type, message: error.message } };
      if (error instanceof SyntaxError)
        return { status: 400, body: { __type: "SerializationException", message: "The body is not JSON." } };
      throw error;
    }
  };
};
