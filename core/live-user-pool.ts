import type { CallUserPool } from "./identity/profile.ts";

const TIMEOUT_MS = 3_000;

/** Returns a function that calls the user pool at a URL without credentials: the token in the body identifies the user. */
export const liveCallUserPool =
  (url: string): CallUserPool =>
  async (action, body) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/x-amz-json-1.1",
        "X-Amz-Target": `AWSCognitoIdentityProviderService.${action}`,
      },
      body: JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: answer.status, text: await answer.text() };
  };
