import { createServer } from "node:http";
import { listenLocally } from "../../../local/listen.ts";

/** The service's answer to a request; `hang`: none. */
export type FaultyAnswer = 201 | 422 | 429 | 503 | "hang";

const bodies: Readonly<Record<Exclude<FaultyAnswer, "hang">, object>> = {
  201: { ok: true, eventId: "evt_1" },
  422: { status: 422, code: "invalid_input", detail: "title: title is required." },
  429: { status: 429, code: "rate_limited", detail: "Too fast." },
  503: { status: 503, code: "busy", detail: "Busy." },
};

/** Starts a service that gives the listed answers in order, and then always 201, and stores each request's idempotency key. */
export const startFaultyService = async () => {
  const seen: string[] = [];
  let left: FaultyAnswer[] = [];
  const server = createServer((request, response) => {
    seen.push(String(request.headers["idempotency-key"] ?? ""));
    const answer = left.shift() ?? 201;
    request.resume();
    if (answer === "hang") return;
    const later: Record<string, string> = answer === 201 || answer === 422 ? {} : { "Retry-After": "1" };
    response.writeHead(answer, { "Content-Type": "application/json", ...later });
    response.end(JSON.stringify(bodies[answer]));
  });
  const { url, close } = await listenLocally(server, 0);
  return {
    url,
    answerWith: (...answers: FaultyAnswer[]): void => {
      left = answers;
      seen.length = 0;
    },
    keys: (): readonly string[] => [...seen],
    close,
  };
};
