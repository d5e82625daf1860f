import { computePauseAfterLimit } from "../../../core/domain/delivery/pace.ts";
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
/** The service waits up to this factor longer than a Retry-After requests. */
const WITH_JITTER = 1.25;

export const services = { "web-push": "a push service", email: "SES", sms: "the SMS service", voice: "Connect" };

type Exchange<Answer> = {
  what: string;
  arrive: () => Answer;
  answers: { late: Answer; refused: Answer; throttled: Answer; fast: Answer; named: Answer };
  codeOf: (answer: Answer) => string;
};

/** The settings of calls without the SDK. `latency`: how many milliseconds a request or an answer is on its way. */
type OutsideOptions = {
  context: CallsContext;
  next: (kind: "push" | "contact" | "post") => { number: number; mode: Mode | undefined };
  tell: Notify;
  latency: () => number;
};

/** Makes calls without the AWS SDK: to FCM, push services, email and text message services, and webhooks. */
export const createOutside = ({ context, next, tell, latency }: OutsideOptions) => {
  const { kernel, fcm } = context;

  const sendPush = (message: PushMessage, invocation: Invocation): Promise<PushOutcome> => {
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
      context.extendDisturbance(kernel.now());
    }
    const out = latency();
    const back = latency();
    return new Promise<PushOutcome>((resolve) => {
      const runAfter = (ms: number, run: () => void) => kernel.at(kernel.now() + ms, run);
      const answerAfter = (ms: number, outcome: PushOutcome) =>
        runAfter(ms, () => {
          if (invocation.state === "dead") return;
          entry.answer = outcome.kind;
          if (entry.way !== "fcm") context.see(`${services[entry.way]} answered: ${outcome.kind}`);
          line.outcome = outcome.kind;
          resolve(outcome);
        });
      const answerUnknown = () => {
        context.extendDisturbance(kernel.now() + PUSH_DEADLINE_MS);
        answerAfter(PUSH_DEADLINE_MS, { kind: "unknown", code: "TIMEOUT" });
      };
      const answerNormally = () =>
        runAfter(out, () => answerAfter(mode === "slow" ? SLOW_PUSH_MS : back, fcm.answerPush(entry, kernel.now())));
      const jumpClock = () => {
        Object.assign(invocation, { skewMs: mode === "ahead" ? CLOCK_JUMP_MS : -CLOCK_JUMP_MS });
        answerNormally();
      };
      const acceptAfter = (ms: number) => {
        runAfter(ms, () => fcm.answerPush(entry, kernel.now()));
        context.extendDisturbance(kernel.now() + ms);
        answerUnknown();
      };
      const behaviours: Partial<Record<Mode, () => void>> = {
        "die-before": () => context.killInvocation(invocation),
        "die-after": () =>
          runAfter(out, () => {
            fcm.answerPush(entry, kernel.now());
            context.killInvocation(invocation);
          }),
        unknown: answerUnknown,
        taken: () => acceptAfter(out),
        "taken-late": () => acceptAfter(VERY_LATE_MS),
        retry: () => answerAfter(out + back, fcm.formatAnswer(entry, "retry")),
        "retry-after": () => {
          context.extendDisturbance(kernel.now() + RETRY_AFTER_MS);
          answerAfter(out + back, fcm.formatAnswer(entry, "later"));
        },
        "too-fast": () => answerAfter(out + back, fcm.formatAnswer(entry, "named")),
        "over-rate": () => {
          const outcome = fcm.formatAnswer(entry, "fast");
          const asked = outcome.kind === "retry" ? (outcome.retryAfterMs ?? 0) : 0;
          context.extendDisturbance(kernel.now() + WITH_JITTER * asked);
          answerAfter(out + back, outcome);
        },
        "over-quota": () => {
          context.extendDisturbance(kernel.now() + computePauseAfterLimit("quota", 0));
          answerAfter(out + back, fcm.formatAnswer(entry, "quota"));
        },
        auth: () => answerAfter(out + back, fcm.formatAnswer(entry, "auth")),
        unregistered: () => {
          fcm.dead.add(entry.token);
          answerAfter(out + back, fcm.formatAnswer(entry, "unregistered"));
        },
        ahead: jumpClock,
        behind: jumpClock,
      };
      const behave = mode === undefined ? answerNormally : (behaviours[mode] ?? answerNormally);
      behave();
    });
  };

  /** Simulates a request and its answer, with every failure that a network may cause. */
  const exchange = <Answer>(
    { what, arrive, answers, codeOf }: Exchange<Answer>,
    invocation: Invocation,
  ): Promise<Answer> => {
    if (invocation.state === "dead") return new Promise(() => {});
    const { number, mode } = next("post");
    const line = tell({ call: number, what, attempt: 1, mode }, invocation);
    if (mode !== undefined) {
      invocation.faulted = true;
      context.extendDisturbance(kernel.now() + (mode === "retry-after" ? RETRY_AFTER_MS : 0));
    }
    const out = latency();
    return new Promise<Answer>((resolve) => {
      const runAfter = (ms: number, run: () => void) => kernel.at(kernel.now() + ms, run);
      const answerAfter = (ms: number, outcome: Answer) =>
        runAfter(ms, () => {
          if (invocation.state === "dead") return;
          line.outcome = codeOf(outcome);
          resolve(outcome);
        });
      const answerTooLate = () => answerAfter(POST_DEADLINE_MS, answers.late);
      const answerNormally = (ms = latency()) => runAfter(out, () => answerAfter(ms, arrive()));
      if (mode === "ahead" || mode === "behind")
        Object.assign(invocation, { skewMs: mode === "ahead" ? CLOCK_JUMP_MS : -CLOCK_JUMP_MS });
      if (mode === "die-before") context.killInvocation(invocation);
      else if (mode === "die-after") runAfter(out, () => (arrive(), context.killInvocation(invocation)));
      else if (mode === "unknown") answerTooLate();
      else if (mode === "taken") runAfter(out, () => (arrive(), answerTooLate()));
      else if (mode === "refuse") answerAfter(out, answers.refused);
      else if (mode === "retry-after") answerAfter(out, answers.throttled);
      else if (mode === "over-rate") answerAfter(out, answers.fast);
      else if (mode === "too-fast") answerAfter(out, answers.named);
      else answerNormally(mode === "slow" ? SLOW_PUSH_MS : undefined);
    });
  };

  const sendPost = (request: PostRequest, invocation: Invocation): Promise<PostOutcome> =>
    exchange<PostOutcome>(
      {
        what: `post ${request.headers["webhook-id"]} to ${request.url}`,
        arrive: () => context.receivers.accept(request, kernel.now()),
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

  const callSlack = (call: SlackCall, invocation: Invocation): Promise<SlackAnswer> =>
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

  return { push: sendPush, post: sendPost, slack: callSlack };
};
