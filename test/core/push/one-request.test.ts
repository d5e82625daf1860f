import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { buildCall } from "../../../core/domain/delivery/push/call.ts";
import { buildMail } from "../../../core/domain/delivery/push/mail.ts";
import type { PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import { buildSms } from "../../../core/domain/delivery/push/sms.ts";
import { createMailChannel } from "../../../core/push/mail/mail.ts";
import { createSmsChannel } from "../../../core/push/sms/sms.ts";
import { createVoiceChannel } from "../../../core/push/voice/voice.ts";
import { createSigning } from "../../support/behind-policies.ts";
import { createPushInput } from "../../support/push-input.ts";
import { toEarlyDevices } from "../../support/push.ts";
import { serve } from "../../support/serve.ts";

/*
 * One lost answer must not cause three messages: whatever a service does, each send of each client is one request. Only the
 * sender retries, because it knows what it has sent.
 */

const TO = "+4930123456";
const options = (endpoint: string, deadlineMs = 2000) => ({ ...createSigning(endpoint), deadlineMs });

const clients = {
  SES: (endpoint: string, deadlineMs?: number) => {
    const mail = toEarlyDevices(
      createMailChannel({ events: undefined, ...options(endpoint, deadlineMs), from: "alerts@acme.example" }),
    );
    const to = "ann@acme.example";
    return () => mail.send(buildMail(createPushInput({ to: { email: to } }), to));
  },
  "End User Messaging": (endpoint: string, deadlineMs?: number) => {
    const sms = toEarlyDevices(
      createSmsChannel({ ...options(endpoint, deadlineMs), from: "arn:pool", maxPrice: "0.20", events: "alerts" }),
    );
    return () => sms.send(buildSms(createPushInput({ to: { phone: TO } }), TO, 3600));
  },
  Connect: (endpoint: string, deadlineMs?: number) => {
    const voice = toEarlyDevices(
      createVoiceChannel({
        ...options(endpoint, deadlineMs),
        instanceId: "instance",
        flowId: "flow",
        from: "+18005550101",
      }),
    );
    return () => voice.send(buildCall(createPushInput({ to: { call: TO }, once: "ntf_1.dev_1.0" }), TO));
  },
};

/** Returns a listener that calls `answer` when the whole request has arrived. */
const onArrival =
  (answer: (request: IncomingMessage, response: ServerResponse) => void): RequestListener =>
  (request, response) => {
    request.resume().on("end", () => answer(request, response));
  };

const mute = onArrival(() => {});
const reset = onArrival((request) => request.socket.destroy());
const halfAHead = onArrival((request) => request.socket.end("HTTP/1.1 200"));
const nonsense = onArrival((request) => request.socket.end("no answer of any protocol\r\n\r\n"));
const failing = onArrival((_, response) => response.writeHead(500).end("{}"));
const throttling = onArrival((_, response) => response.writeHead(429, { "retry-after": "0" }).end("{}"));
const unavailable = onArrival((_, response) => response.writeHead(503).end("{}"));
const elsewhere = onArrival((request, response) =>
  response.writeHead(307, { location: `http://${request.headers.host}/again` }).end(),
);

describe.each(Object.entries(clients))("a send by %s", (_, client) => {
  it.each<[string, RequestListener, PushOutcome["kind"]]>([
    ["does not answer", mute, "unknown"],
    ["resets the connection", reset, "unknown"],
    ["breaks off in the head of its answer", halfAHead, "unknown"],
    ["answers nonsense", nonsense, "unknown"],
    ["fails", failing, "unknown"],
    ["redirects", elsewhere, "unknown"],
    ["throttles", throttling, "retry"],
    ["is not available", unavailable, "retry"],
  ])("makes one request if the service %s", async (_, service, kind) => {
    const { endpoint, requests } = await serve(service);

    const outcome = await client(endpoint, service === mute ? 200 : undefined)();

    expect([outcome.kind, requests.length]).toEqual([kind, 1]);
  });

  it("makes one request, even if a reused connection breaks", async () => {
    let served = 0;
    const { endpoint, requests } = await serve(
      onArrival((request, response) => {
        served += 1;
        if (served === 1) response.writeHead(200).end("{}");
        else request.socket.destroy();
      }),
    );
    const send = client(endpoint);

    const outcomes = [await send(), await send()];

    expect(outcomes).toMatchObject([{ kind: "accepted", messageId: "" }, { kind: "unknown" }]);
    expect(requests).toHaveLength(2);
    expect(new Set(requests.map(({ socket }) => socket)).size).toBe(1);
  });

  it("counts as certainly not accepted if no server listens", async () => {
    expect(await client("http://127.0.0.1:1")()).toEqual({ kind: "retry", code: "ECONNREFUSED" });
  });

  it("does not wait for other sends: a second send is answered before the first", async () => {
    let isFirst = true;
    const { endpoint } = await serve(
      onArrival((_, response) => {
        if (!isFirst) response.writeHead(200).end("{}");
        isFirst = false;
      }),
    );
    const send = client(endpoint, 1000);
    const first = send();

    const order: string[] = [];
    await Promise.all([
      first.then(({ kind }) => order.push(`first ${kind}`)),
      send().then(({ kind }) => order.push(`second ${kind}`)),
    ]);

    expect(order).toEqual(["second accepted", "first unknown"]);
  });
});
