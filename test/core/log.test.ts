import { expect, it } from "vitest";
import { createJsonLog } from "../../core/log.ts";

const logOf = (traceId?: () => string | undefined) => {
  const lines: string[] = [];
  const sink = { write: (line: string) => lines.push(line), now: () => 0, stage: "prod" };
  return { lines, log: createJsonLog({ ...sink, ...(traceId === undefined ? {} : { traceId }) }) };
};

it("a log entry is one JSON object on one line, with its code and trace id", () => {
  const { lines, log } = logOf(() => "1-65a-abc");

  log.info("event.accepted", { workspaceId: "ws_1", eventId: "evt_1" });

  expect(lines).toEqual([
    '{"time":"1970-01-01T00:00:00.000Z","level":"INFO","code":"event.accepted","trace":"1-65a-abc","workspaceId":"ws_1","eventId":"evt_1"}',
  ]);
});

it("a log entry stays on one line, whatever its input contains", () => {
  const { lines, log } = logOf();

  const reason = "first\r\nsecond \u001b[31m third\u0085\u009b31m fourth\u2028\u2029\u007f";
  log.error("http.failed", new Error(reason));

  expect(lines[0]).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: "ERROR", error: "Error", reason });
});

it("a log entry has only the name and the message of an error", () => {
  const { lines, log } = logOf();

  log.error("http.failed", Object.assign(new Error("refused"), { config: { token: "canary" } }));

  expect(lines[0]).not.toContain("canary");
});

it("a metric is logged in CloudWatch's embedded metric format, by stage", () => {
  const { lines, log } = logOf(() => "1-65a-abc");

  log.metric("PushSent", 3);

  expect(JSON.parse(lines[0]!)).toEqual({
    _aws: {
      Timestamp: 0,
      CloudWatchMetrics: [{ Namespace: "EventAlerting", Dimensions: [["Stage"]], Metrics: [{ Name: "PushSent" }] }],
    },
    Stage: "prod",
    PushSent: 3,
  });
});
