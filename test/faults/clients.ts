import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import type { Answer } from "../world/http.ts";
import type { HttpFunction } from "./engine/functions.ts";
import type { World } from "./engine/world.ts";
import type { Fixture } from "./fixtures.ts";

export type EventPost = {
  ws: WorkspaceId;
  title: string;
  dedupeKey: string | undefined;
  sentAt: number;
  answers: { at: number; status: number; eventId: string | undefined; deduplicated: boolean }[];
};

export type Acknowledgement = { ws: WorkspaceId; notificationId: string; answeredAt: number; status: number };

type EventBody = { event: string; title: string; body?: string; dedupeKey?: string; [field: string]: unknown };
type PostOptions = { idempotencyKey?: string; tries?: number };

const RETRY_MS = 1500;
/** A person who uses the console or an app retries for some minutes, which is longer than any throttling lasts. */
const ATTEMPTS_MAX = 60;

export const createClients = (world: World) => {
  const posts: EventPost[] = [];
  const acknowledgements: Acknowledgement[] = [];
  const resolved: { ws: WorkspaceId; eventId: string; answeredAt: number }[] = [];
  const failures: string[] = [];

  /** Repeats a request that is safe to repeat, until it is answered. */
  const post = async (fixture: Fixture, event: EventBody, options: PostOptions = {}): Promise<EventPost> => {
    const entry: EventPost = {
      ws: fixture.ws,
      title: event.title,
      dedupeKey: event.dedupeKey,
      sentAt: world.kernel.now(),
      answers: [],
    };
    posts.push(entry);
    const tries =
      options.tries ?? (event.dedupeKey === undefined && options.idempotencyKey === undefined ? 1 : ATTEMPTS_MAX);
    for (let round = 0; round < tries; round += 1) {
      const answer = await world.http("post-event", {
        headers: {
          "x-api-key": fixture.apiKey.key,
          ...(options.idempotencyKey === undefined ? {} : { "idempotency-key": options.idempotencyKey }),
        },
        body: { body: "Something happened.", ...event },
      });
      const { eventId, deduplicated } = answer.body as { eventId?: string; deduplicated?: boolean };
      const { status } = answer;
      entry.answers.push({ at: world.kernel.now(), status, eventId, deduplicated: deduplicated ?? false });
      if (status < 500 && status !== 409) return entry;
      await world.kernel.sleep(RETRY_MS);
    }
    return entry;
  };

  /** Repeats the call until it is answered without a failure. */
  const call = async <Body = Record<string, unknown>>(
    fixture: Fixture,
    user: string,
    name: HttpFunction,
    request: { path?: Record<string, string>; query?: Record<string, string>; body?: unknown },
    tries = ATTEMPTS_MAX,
  ): Promise<Answer<Body>> => {
    for (let round = 1; ; round += 1) {
      const answer = await world.http<Body>(name, {
        as: fixture.users[user] ?? user,
        ...request,
        path: { workspaceId: fixture.ws, ...request.path },
      });
      if (answer.status < 500 || round === tries) return answer;
      await world.kernel.sleep(RETRY_MS);
    }
  };

  const report = async (fixture: Fixture, user: string, notificationId: string, status = "ACKNOWLEDGED") => {
    const answer = await call(fixture, user, "update-notification", { path: { notificationId }, body: { status } });
    if (status === "ACKNOWLEDGED")
      acknowledgements.push({
        ws: fixture.ws,
        notificationId,
        answeredAt: world.kernel.now(),
        status: answer.status,
      });
    return answer;
  };

  return { posts, acknowledgements, resolved, failures, post, call, report };
};
export type Clients = ReturnType<typeof createClients>;
