/** Slack's answer, which nearly always has status 200, with an error in the body. */
export type SlackAnswer = { status: number; body: object; retryAfterSeconds?: number };

export const createSlackRefusal = (error: string): SlackAnswer => ({ status: 200, body: { ok: false, error } });
export const createSlackRateLimitAnswer = (retryAfterSeconds: number): SlackAnswer => ({
  status: 429,
  body: { ok: false, error: "ratelimited" },
  retryAfterSeconds,
});
