import type { Log, LogFields } from "./deps.ts";
import { toIso } from "./domain/basics/time.ts";
import { metricsNamespace } from "./wiring.ts";

type Sink = {
  write: (line: string) => void;
  now: () => number;
  stage: string;
  /** Returns the id of the current invocation's X-Ray trace. */
  traceId?: () => string | undefined;
};

const describeError = (error: unknown): LogFields =>
  error instanceof Error
    ? { error: error.name, reason: error.message, stack: error.stack }
    : { error: "unknown", reason: String(error) };

/** Matches line breaks and control codes that JSON does not escape. */
const RAW = /[\u007f-\u009f\u2028\u2029]/g;

const toLogLine = (value: object): string =>
  JSON.stringify(value).replace(RAW, (raw) => `\\u${raw.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Creates a log of one JSON object per line. Metrics use CloudWatch's embedded metric format. */
export const createJsonLog = ({ write, now, stage, traceId = () => undefined }: Sink): Log => {
  const writeLine = (level: string, code: string, fields: LogFields = {}) =>
    write(toLogLine({ time: toIso(now()), level, code, trace: traceId(), ...fields }));
  return {
    info: (code, fields) => writeLine("INFO", code, fields),
    warn: (code, fields) => writeLine("WARN", code, fields),
    error: (code, error, fields) => writeLine("ERROR", code, { ...fields, ...describeError(error) }),
    metric: (name, value, fields) =>
      write(
        toLogLine({
          _aws: {
            Timestamp: now(),
            CloudWatchMetrics: [{ Namespace: metricsNamespace, Dimensions: [["Stage"]], Metrics: [{ Name: name }] }],
          },
          Stage: stage,
          [name]: value,
          ...fields,
        }),
      ),
  };
};
