import { Failed, createRefusal } from "./failure.ts";
import { isText, listShape, optionalShape, type Shape, objectShape } from "./shape.ts";
import { texts } from "../page-texts/second-factor.ts";

/* The page calls the user pool directly, because not even the API may see the authenticator app's key. */

export type NewFactor = { key: string; link: string };

type PoolDeps = { url: string; fetch: typeof fetch; accessToken: () => Promise<string> };

const isRefused = objectShape({ __type: optionalShape(isText), message: optionalShape(isText) });
const isUser = objectShape({
  UserAttributes: listShape(objectShape({ Name: isText, Value: optionalShape(isText) })),
  UserMFASettingList: optionalShape(listShape(isText)),
});
const isAssociated = objectShape({ SecretCode: isText });
const isVerified = objectShape({ Status: (status): status is "SUCCESS" => status === "SUCCESS" });
const isDone = objectShape({});

const ISSUER = "Event Alerting";
const APP = "SOFTWARE_TOKEN_MFA";
/** The pool's errors for a wrong or old code. */
const WRONG_CODE: readonly string[] = ["EnableSoftwareTokenMFAException", "CodeMismatchException"];

/** Converts an error of the user pool to a `Failed` with a sentence for the reader. `type`: the error's name. */
const createUserPoolFailure = (type: string, message: string): Failed => {
  const isCode = WRONG_CODE.includes(type);
  const sentences = texts.secondFactor;
  const sentence = isCode
    ? sentences.wrongCode
    : type === "NotAuthorizedException"
      ? sentences.signInAgain
      : type === "SoftwareTokenMFANotFoundException"
        ? sentences.notOffered
        : sentences.refused(message);
  const faults = isCode ? [{ field: "code", code: "wrong_code", message: sentence }] : [];
  return createRefusal(400, { code: type === "" ? "not_possible" : type, message: sentence, faults });
};

export const formatAuthenticatorLink = (key: string, account: string): string =>
  `otpauth://totp/${encodeURIComponent(`${ISSUER}:${account}`)}?${new URLSearchParams({ secret: key, issuer: ISSUER }).toString().replaceAll("+", "%20")}`;

/** Returns functions that read and change the second factor. Each function throws `Failed` if its request fails. */
export const createSecondFactorClient = ({ url, fetch: ask, accessToken }: PoolDeps) => {
  const callUserPool = async <Answer>(action: string, body: object, isAnswer: Shape<Answer>): Promise<Answer> => {
    const AccessToken = await accessToken();
    let answer: Response;
    try {
      answer = await ask(url, {
        method: "POST",
        headers: {
          "Content-Type": "application/x-amz-json-1.1",
          "X-Amz-Target": `AWSCognitoIdentityProviderService.${action}`,
        },
        body: JSON.stringify({ AccessToken, ...body }),
      });
    } catch {
      throw new Failed({ kind: "offline" });
    }
    if (answer.status >= 500) throw new Failed({ kind: "offline" });
    const answered: unknown = await answer.json();
    if (answer.ok && isAnswer(answered)) return answered;
    if (answer.ok || !isRefused(answered)) throw new Error(`the user pool has answered ${action} with something else`);
    throw createUserPoolFailure(answered.__type?.split("#").at(-1) ?? "", answered.message ?? "");
  };
  const setSecondFactor = (isOn: boolean): Promise<object> =>
    callUserPool("SetUserMFAPreference", { SoftwareTokenMfaSettings: { Enabled: isOn, PreferredMfa: isOn } }, isDone);

  return {
    isOn: async (): Promise<boolean> =>
      (await callUserPool("GetUser", {}, isUser)).UserMFASettingList?.includes(APP) ?? false,
    /** Requests a new key. Signing in does not change until `confirm`. */
    begin: async (): Promise<NewFactor> => {
      const { UserAttributes } = await callUserPool("GetUser", {}, isUser);
      const { SecretCode: key } = await callUserPool("AssociateSoftwareToken", {}, isAssociated);
      return {
        key,
        link: formatAuthenticatorLink(key, UserAttributes.find(({ Name }) => Name === "email")?.Value ?? ""),
      };
    },
    /** Proves that the app has the key. Signing in needs a code afterwards. */
    confirm: async (code: string): Promise<void> => {
      const UserCode = code.replaceAll(/\s/g, "");
      if (!/^\d{6}$/.test(UserCode)) throw createUserPoolFailure("CodeMismatchException", "");
      await callUserPool("VerifySoftwareToken", { UserCode, FriendlyDeviceName: "Authenticator app" }, isVerified);
      await setSecondFactor(true);
    },
    turnOff: async (): Promise<void> => {
      await setSecondFactor(false);
    },
  };
};
