import type { PostEvent } from "./flow/sweep/send-synthetic.ts";
import { liveSecret } from "./live-secrets.ts";
import { env } from "./wiring.ts";

/** The time limit of a request: longer than the service takes to answer, but shorter than the function's timeout. */
const TIMEOUT_MS = 15_000;

const readEnvVariable = (variable: string): string => {
  const value = process.env[variable];
  if (value === undefined || value === "") throw new Error(`environment variable ${variable} is not set`);
  return value;
};

/** Creates a function that reads the API key of synthetic events, without a cache, and one that posts an event over HTTP. */
export const liveSynthetic = (): { readApiKey: () => Promise<string>; postEvent: PostEvent } => {
  const readSecret = liveSecret(env.syntheticKeySecret);
  const url = `${readEnvVariable(env.baseUrl)}/v1/events`;
  return {
    readApiKey: async () => (await readSecret())?.text ?? "",
    postEvent: async (apiKey, event) => {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Api-Key": apiKey },
        body: JSON.stringify(event),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { status: answer.status, body: await answer.text() };
    },
  };
};
