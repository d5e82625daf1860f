import { pauseMsAfterLimit } from "../../../core/domain/delivery/pace.ts";
import type { PushMessage } from "../../../core/domain/delivery/push/message.ts";
import type { PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import type { SlackAnswer, SlackCall } from "../../../core/domain/connection/slack-answer.ts";
import type { PostOutcome, PostRequest } from "../../../core/domain/webhook/delivery-queue.ts";
import { POST_DEADLINE_MS } from "../../../core/post/post.ts";
import type { CallsContext, Notify } from "./calls-context.ts";
import type { Invocation } from "./kernel.ts";
import { CLOCK_JUMP_MS, VERY_LATE_MS, type Mode } from "./modes.ts";

const PUSH_DEADLINE_MS = 5000;
const SLOW_PUSH_MS = 4000;
const RETRY_AFTER_MS = 20_000;
/** A requested pause may be longer by up to this factor. */
const WITH_JITTER = 1.25;

/** The names of the outside services in the records of a run. */
export const services = { "web-push": "a push service", email: "SES", sms: "the SMS service", voice: "Connect" };

type Exchange<Answer> = {
  what: string;
  /** Delivers the request to the other side, and returns its answer. */
  arrive: () => Answer;
  answers: { late: Answer; refused: Answer; throttled: Answer; fast: Answer; named: Answer };
  codeOf: (answer: Answer) => string;
};

/** `next`: the number of a call and its fault. `latency`: one way, in milliseconds. */
type OutsideOptions = {
  context: CallsContext;
  next: (kind: "push" | "contact" | "post") => { number: number; mode: Mode | undefined };
  tell: Notify;
  latency: () => number;
};

/** The calls that do not use the AWS SDK: to FCM, push services, email and text message services, and webhooks. */
export const createOutside = ({ context, next, tell, latency }: OutsideOptions) => {
  const { kernel, fcm } = context;

  const push = (message: PushMessage, invocation: Invocation): Promise<PushOutcome> => {
    const { number, mode: planned } = next(
      "token" in message || "fid" in message || "subscription" in message ? "push" : "contact",
    );
    const { outage } = context;
    const entry = fcm.begin(number, kernel.now(), message, invocation);
    const isMute = outage.mute || (outage.contacts && entry.way !== "fcm" && entry.way !== "web-push");
    const mode = planned ?? (isMute ? "taken" : outage.fcm ? "retry" : undefined);
    const what = `fcm send ${entry.notificationId} to ${entry.token}`;
    const line = tell({ call: number, what, attempt: 1, mode: planned }, invocation);
    if (planned !== undefined) {
      invocation.faulted = true;
      context.disturbed(kernel.now());
    }
    const out = latency();
    const back = latency();
    return new Promise<PushOutcome>((resolve) => {
      const after = (ms: number, run: () => void) => kernel.at(kernel.now() + ms, run);
      const answer = (ms: number, outcome: PushOutcome) =>
        after(ms, () => {
          if (invocation.state === "dead") return;
          entry.answer = outcome.kind;
          if (entry.way !== "fcm") context.see(`${services[entry.way]} answered: ${outcome.kind}`);
          line.outcome = outcome.kind;
          resolve(outcome);
        });
      const unknown = () => {
        context.disturbed(kernel.now() + PUSH_DEADLINE_MS);
        answer(PUSH_DEADLINE_MS, { kind: "unknown", code: "TIMEOUT" });
      };
      const normal = () =>
        after(out, () => answer(mode === "slow" ? SLOW_PUSH_MS : back, fcm.take(entry, kernel.now())));
      const jump = () => {
        Object.assign(invocation, { skewMs: mode === "ahead" ? CLOCK_JUMP_MS : -CLOCK_JUMP_MS });
        normal();
      };
      const takenAfter = (ms: number) => {
        after(ms, () => fcm.take(entry, kernel.now()));
        context.disturbed(kernel.now() + ms);
        unknown();
      };
      const behaviours: Partial<Record<Mode, () => void>> = {
        "die-before": () => context.kill(invocation),
        "die-after": () =>
          after(out, () => {
            fcm.take(entry, kernel.now());
            context.kill(invocation);
          }),
        unknown,
        taken: () => takenAfter(out),
        "taken-late": () => takenAfter(VERY_LATE_MS),
        retry: () => answer(out + back, fcm.say(entry, "retry")),
        "retry-after": () => {
          context.disturbed(kernel.now() + RETRY_AFTER_MS);
          answer(out + back, fcm.say(entry, "later"));
        },
        "too-fast": () => answer(out + back, fcm.say(entry, "named")),
        "over-rate": () => {
          const outcome = fcm.say(entry, "fast");
          const asked = outcome.kind === "retry" ? (outcome.retryAfterMs ?? 0) : 0;
          context.disturbed(kernel.now() + WITH_JITTER * asked);
          answer(out + back, outcome);
        },
        "over-quota": () => {
          context.disturbed(kernel.now() + pauseMsAfterLimit("quota", 1));
          answer(out + back, fcm.say(entry, "quota"));
        },
        auth: () => answer(out + back, fcm.say(entry, "auth")),
        unregistered: () => {
          fcm.dead.add(entry.token);
          answer(out + back, fcm.say(entry, "unregistered"));
        },
        ahead: jump,
        behind: jump,
      };
      const behave = mode === undefined ? normal : (behaviours[mode] ?? normal);
      behave();
    });
  };

  /** One exchange with an outside service, which may fail in every way in which a network fails. */
  const exchange = <Answer>(
    { what, arrive, answers, codeOf }: Exchange<Answer>,
    invocation: Invocation,
  ): Promise<Answer> => {
    if (invocation.state === "dead") return new Promise(() => {});
    const { number, mode } = next("post");
    const line = tell({ call: number, what, attempt: 1, mode }, invocation);
    if (mode !== undefined) {
      invocation.faulted = true;
      context.disturbed(kernel.now() + (mode === "retry-after" ? RETRY_AFTER_MS : 0));
    }
    const out = latency();
    return new Promise<Answer>((resolve) => {
      const after = (ms: number, run: () => void) => kernel.at(kernel.now() + ms, run);
      const answer = (ms: number, outcome: Answer) =>
        after(ms, () => {
          if (invocation.state === "dead") return;
          line.outcome = codeOf(outcome);
          resolve(outcome);
        });
      const late = () => answer(POST_DEADLINE_MS, answers.late);
      const normal = (ms = latency()) => after(out, () => answer(ms, arrive()));
      if (mode === "ahead" || mode === "behind")
        Object.assign(invocation, { skewMs: mode === "ahead" ? CLOCK_JUMP_MS : -CLOCK_JUMP_MS });
      if (mode === "die-before") context.kill(invocation);
      else if (mode === "die-after") after(out, () => (arrive(), context.kill(invocation)));
      else if (mode === "unknown") late();
      else if (mode === "taken") after(out, () => (arrive(), late()));
      else if (mode === "refuse") answer(out, answers.refused);
      else if (mode === "retry-after") answer(out, answers.throttled);
      else if (mode === "over-rate") answer(out, answers.fast);
      else if (mode === "too-fast") answer(out, answers.named);
      else normal(mode === "slow" ? SLOW_PUSH_MS : undefined);
    });
  };

  /** A post to a webhook's receiver. */
  const post = (request: PostRequest, invocation: Invocation): Promise<PostOutcome> =>
    exchange<PostOutcome>(
      {
        what: `post ${request.headers["webhook-id"]} to ${request.url}`,
        arrive: () => context.receivers.take(request, kernel.now()),
        answers: {
          late: { kind: "failed", code: "DEADLINE" },
          refused: { kind: "failed", code: "HTTP_500" },
          throttled: { kind: "failed", code: "HTTP_429", retryAfterMs: RETRY_AFTER_MS },
          fast: { kind: "failed", code: "HTTP_429" },
          named: { kind: "failed", code: "HTTP_503" },
        },
        codeOf: ({ code }) => code,
      },
      invocation,
    );

  const slack = (call: SlackCall, invocation: Invocation): Promise<SlackAnswer> =>
    exchange<SlackAnswer>(
      {
        what: `slack ${call.method}`,
        arrive: () => context.slackRooms.take(call),
        answers: {
          late: { kind: "failed", code: "DEADLINE" },
          refused: { kind: "answered", status: 500, body: "" },
          throttled: { kind: "answered", status: 429, body: "", retryAfterMs: RETRY_AFTER_MS },
          fast: { kind: "answered", status: 429, body: "" },
          named: { kind: "answered", status: 200, body: '{"ok":false,"error":"ratelimited"}' },
        },
        codeOf: (answer) => (answer.kind === "failed" ? answer.code : `HTTP_${answer.status}`),
      },
      invocation,
    );

  return { push, post, slack };
};
