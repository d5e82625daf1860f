import { computePauseAfterLimit } from "../../../core/domain/delivery/pace.ts";
import type { PushMessage } from "../../../core/domain/delivery/push/message.ts";
import type { PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import type { SlackAnswer, SlackCall } from "../../../core/domain/connection/slack-answer.ts";
import type { PostOutcome, PostRequest } from "../../../core/domain/webhook/delivery-queue.ts";
import { POST_DEADLINE_MS } from "../../../core/post/post.ts";
import type { CallsContext, RecordCall } from "./calls-context.ts";
import type { Invocation } from "./kernel.ts";
import { CLOCK_JUMP_MS, VERY_LATE_MS, type Mode } from "./modes.ts";

const PUSH_DEADLINE_MS = 5000;
const SLOW_PUSH_MS = 4000;
const RETRY_AFTER_MS = 20_000;
/** The service waits up to this factor longer than a Retry-After requests. */
const JITTER_FACTOR = 1.25;

export const services = { "web-push": "a push service", email: "SES", sms: "the SMS service", voice: "Connect" };

type ExternalCall<Answer> = {
  request: string;
  arrive: () => Answer;
  answers: { late: Answer; refused: Answer; throttled: Answer; fast: Answer; named: Answer };
  codeOf: (answer: Answer) => string;
};

/** The settings of calls without the SDK. `latency`: how many milliseconds a request or an answer is on its way. */
type OutsideOptions = {
  context: CallsContext;
  numberCall: (kind: "push" | "contact" | "post") => { number: number; mode: Mode | undefined };
  recordCall: RecordCall;
  drawLatency: () => number;
};

/** Makes calls without the AWS SDK: to FCM, push services, email and text message services, and webhooks. */
export const createOutside = ({ context, numberCall, recordCall, drawLatency }: OutsideOptions) => {
  const { kernel, fcm } = context;

  const sendPush = (message: PushMessage, invocation: Invocation): Promise<PushOutcome> => {
    const { number, mode: planned } = numberCall(
      "token" in message || "fid" in message || "subscription" in message ? "push" : "contact",
    );
    const { outage } = context;
    const entry = fcm.begin(number, kernel.now(), message, invocation);
    const isMute = outage.silent || (outage.contactsSilent && entry.channel !== "fcm" && entry.channel !== "web-push");
    const mode = planned ?? (isMute ? "accepted-no-answer" : outage.fcm ? "retry" : undefined);
    const request = `fcm send ${entry.notificationId} to ${entry.token}`;
    const line = recordCall({ call: number, request, attempt: 1, mode: planned }, invocation);
    if (planned !== undefined) {
      invocation.isFaulted = true;
      context.extendDisturbance(kernel.now());
    }
    const out = drawLatency();
    const back = drawLatency();
    return new Promise<PushOutcome>((resolve) => {
      const runAfter = (ms: number, run: () => void) => kernel.at(kernel.now() + ms, run);
      const answerAfter = (ms: number, outcome: PushOutcome) =>
        runAfter(ms, () => {
          if (invocation.state === "dead") return;
          entry.answer = outcome.kind;
          if (entry.channel !== "fcm") context.markSeen(`${services[entry.channel]} answered: ${outcome.kind}`);
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
        Object.assign(invocation, { skewMs: mode === "clock-ahead" ? CLOCK_JUMP_MS : -CLOCK_JUMP_MS });
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
        "no-answer": answerUnknown,
        "accepted-no-answer": () => acceptAfter(out),
        "accepted-late": () => acceptAfter(VERY_LATE_MS),
        retry: () => answerAfter(out + back, fcm.formatAnswer(entry, "retry")),
        "retry-after": () => {
          context.extendDisturbance(kernel.now() + RETRY_AFTER_MS);
          answerAfter(out + back, fcm.formatAnswer(entry, "later"));
        },
        "rate-error": () => answerAfter(out + back, fcm.formatAnswer(entry, "named")),
        "rate-limit": () => {
          const outcome = fcm.formatAnswer(entry, "fast");
          const asked = outcome.kind === "retry" ? (outcome.retryAfterMs ?? 0) : 0;
          context.extendDisturbance(kernel.now() + JITTER_FACTOR * asked);
          answerAfter(out + back, outcome);
        },
        "quota-exceeded": () => {
          context.extendDisturbance(kernel.now() + computePauseAfterLimit("quota", 0));
          answerAfter(out + back, fcm.formatAnswer(entry, "quota"));
        },
        auth: () => answerAfter(out + back, fcm.formatAnswer(entry, "auth")),
        unregistered: () => {
          fcm.dead.add(entry.token);
          answerAfter(out + back, fcm.formatAnswer(entry, "unregistered"));
        },
        "clock-ahead": jumpClock,
        "clock-behind": jumpClock,
      };
      const behave = mode === undefined ? answerNormally : (behaviours[mode] ?? answerNormally);
      behave();
    });
  };

  /** Simulates a request and its answer, with every failure that a network may cause. */
  const exchange = <Answer>(
    { request, arrive, answers, codeOf }: ExternalCall<Answer>,
    invocation: Invocation,
  ): Promise<Answer> => {
    if (invocation.state === "dead") return new Promise(() => {});
    const { number, mode } = numberCall("post");
    const line = recordCall({ call: number, request, attempt: 1, mode }, invocation);
    if (mode !== undefined) {
      invocation.isFaulted = true;
      context.extendDisturbance(kernel.now() + (mode === "retry-after" ? RETRY_AFTER_MS : 0));
    }
    const out = drawLatency();
    return new Promise<Answer>((resolve) => {
      const runAfter = (ms: number, run: () => void) => kernel.at(kernel.now() + ms, run);
      const answerAfter = (ms: number, outcome: Answer) =>
        runAfter(ms, () => {
          if (invocation.state === "dead") return;
          line.outcome = codeOf(outcome);
          resolve(outcome);
        });
      const answerTooLate = () => answerAfter(POST_DEADLINE_MS, answers.late);
      const answerNormally = (ms = drawLatency()) => runAfter(out, () => answerAfter(ms, arrive()));
      if (mode === "clock-ahead" || mode === "clock-behind")
        Object.assign(invocation, { skewMs: mode === "clock-ahead" ? CLOCK_JUMP_MS : -CLOCK_JUMP_MS });
      if (mode === "die-before") context.killInvocation(invocation);
      else if (mode === "die-after") runAfter(out, () => (arrive(), context.killInvocation(invocation)));
      else if (mode === "no-answer") answerTooLate();
      else if (mode === "accepted-no-answer") runAfter(out, () => (arrive(), answerTooLate()));
      else if (mode === "fail") answerAfter(out, answers.refused);
      else if (mode === "retry-after") answerAfter(out, answers.throttled);
      else if (mode === "rate-limit") answerAfter(out, answers.fast);
      else if (mode === "rate-error") answerAfter(out, answers.named);
      else answerNormally(mode === "slow" ? SLOW_PUSH_MS : undefined);
    });
  };

  const sendPost = (request: PostRequest, invocation: Invocation): Promise<PostOutcome> =>
    exchange<PostOutcome>(
      {
        request: `post ${request.headers["webhook-id"]} to ${request.url}`,
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
        request: `slack ${call.method}`,
        arrive: () => context.slack.takeCall(call),
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
