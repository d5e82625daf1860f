/** What Slack answers: nearly always 200, with what went wrong in the body. */
export type SlackAnswer = { status: number; body: object; retryAfterSeconds?: number };

export const refuse = (error: string): SlackAnswer => ({ status: 200, body: { ok: false, error } });
export const throttle = (retryAfterSeconds: number): SlackAnswer => ({
  status: 429,
  body: { ok: false, error: "ratelimited" },
  retryAfterSeconds,
});
