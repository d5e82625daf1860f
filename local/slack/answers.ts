/** Nearly always status 200, with the error in the body. */
export type SlackAnswer = { status: number; body: object; retryAfterSeconds?: number };

export const slackRefusal = (error: string): SlackAnswer => ({ status: 200, body: { ok: false, error } });
export const slackThrottle = (retryAfterSeconds: number): SlackAnswer => ({
  status: 429,
  body: { ok: false, error: "ratelimited" },
  retryAfterSeconds,
});
