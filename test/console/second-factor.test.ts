import { beforeEach, describe, expect, it } from "vitest";
import type { Failed } from "../../console/app/failure.ts";
import { createSecondFactorClient, formatAuthenticatorLink } from "../../console/app/second-factor.ts";

describe("the second factor in the console", () => {
  const asked: { action: string; body: Record<string, unknown> }[] = [];
  let answer: (action: string) => Response;
  const factor = createSecondFactorClient({
    url: "https://pool.example/",
    accessToken: async () => "token",
    fetch: async (url, init) => {
      const { method, headers, body } = init as { method: string; headers: Record<string, string>; body: string };
      expect([url, method, headers["Content-Type"]]).toEqual([
        "https://pool.example/",
        "POST",
        "application/x-amz-json-1.1",
      ]);
      const action = headers["X-Amz-Target"]!;
      asked.push({ action, body: JSON.parse(body) as Record<string, unknown> });
      return answer(action.replace("AWSCognitoIdentityProviderService.", ""));
    },
  });
  const createRefusal = (type: string, message = "Because.") =>
    new Response(JSON.stringify({ __type: type, message }), { status: 400 });
  const readFailure = (work: Promise<unknown>) => work.catch((error: unknown) => (error as Failed).failure);
  beforeEach(() => {
    asked.length = 0;
    answer = (action) =>
      Response.json(
        {
          GetUser: {
            UserAttributes: [
              { Name: "sub", Value: "1" },
              { Name: "email", Value: "ann@a.example" },
            ],
          },
          AssociateSoftwareToken: { SecretCode: "KEY" },
          VerifySoftwareToken: { Status: "SUCCESS" },
        }[action] ?? {},
      );
  });

  it("is on if the sign-in asks for a code from an app", async () => {
    expect(await factor.isOn()).toBe(false);
    answer = () => Response.json({ UserAttributes: [], UserMFASettingList: ["SMS_MFA"] });
    expect(await factor.isOn()).toBe(false);
    answer = () => Response.json({ UserAttributes: [], UserMFASettingList: ["SOFTWARE_TOKEN_MFA"] });
    expect(await factor.isOn()).toBe(true);
    expect(asked[0]).toEqual({ action: "AWSCognitoIdentityProviderService.GetUser", body: { AccessToken: "token" } });
  });

  it("is set up with a key and a link that opens an authenticator app", async () => {
    expect(await factor.begin()).toEqual({
      key: "KEY",
      link: "otpauth://totp/Event%20Alerting%3Aann%40a.example?secret=KEY&issuer=Event%20Alerting",
    });
    answer = (action) =>
      Response.json(action === "GetUser" ? { UserAttributes: [{ Name: "email" }] } : { SecretCode: "KEY" });
    expect((await factor.begin()).link).toBe(formatAuthenticatorLink("KEY", ""));
  });

  it("is on after the user pool accepted a code from an authenticator app, and off after it was turned off", async () => {
    await factor.confirm(" 123 456 ");
    await factor.turnOff();

    expect(asked.map(({ body }) => body)).toEqual([
      { AccessToken: "token", UserCode: "123456", FriendlyDeviceName: "Authenticator app" },
      { AccessToken: "token", SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true } },
      { AccessToken: "token", SoftwareTokenMfaSettings: { Enabled: false, PreferredMfa: false } },
    ]);
    expect(asked.map(({ action }) => action.split(".")[1])).toEqual([
      "VerifySoftwareToken",
      "SetUserMFAPreference",
      "SetUserMFAPreference",
    ]);
  });

  const wrong = "This code is not valid. Wait for the next code and enter it.";
  it.each([
    ["x#CodeMismatchException", wrong, "CodeMismatchException", 1],
    ["EnableSoftwareTokenMFAException", wrong, "EnableSoftwareTokenMFAException", 1],
    ["NotAuthorizedException", "To do this, sign out and sign in again.", "NotAuthorizedException", 0],
    [
      "SoftwareTokenMFANotFoundException",
      "A second factor is not available here.",
      "SoftwareTokenMFANotFoundException",
      0,
    ],
    ["LimitExceededException", "The sign-in service refused the request: Because.", "LimitExceededException", 0],
    ["", "The sign-in service refused the request: Because.", "not_possible", 0],
  ])("shows a message if the user pool refuses with %s: %s", async (type, message, code, faults) => {
    answer = () => createRefusal(type);
    const fault = { field: "code", code: "wrong_code", message };

    expect(await readFailure(factor.confirm("123456"))).toEqual({
      kind: "refused",
      status: 400,
      code,
      message,
      faults: faults === 0 ? [] : [fault],
      retryAfter: undefined,
      requestId: undefined,
    });
  });

  it.each(["12345", "1234567", "12345a", "a123456", ""])(
    "rejects %j as a code, without sending a request",
    async (code) => {
      expect(await readFailure(factor.confirm(code))).toMatchObject({ code: "CodeMismatchException", message: wrong });
      expect(asked).toEqual([]);
    },
  );

  it("is unavailable if the user pool does not answer or fails", async () => {
    answer = () => new Response("", { status: 500 });
    expect(await readFailure(factor.turnOff())).toEqual({ kind: "offline" });
    answer = () => {
      throw new TypeError("no network");
    };
    expect(await readFailure(factor.turnOff())).toEqual({ kind: "offline" });
  });
});
