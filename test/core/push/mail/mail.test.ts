import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { MailEvent, readMailEvent } from "../../../../core/domain/delivery/push/delivery-event.ts";
import { buildMail, buildCodeMail, type MailMessage } from "../../../../core/domain/delivery/push/mail.ts";
import type { PushOutcome } from "../../../../core/domain/delivery/push/outcome.ts";
import { createMailChannel, type MailOptions } from "../../../../core/push/mail/mail.ts";
import { notConfigured } from "../../../../core/push/not-configured.ts";
import { signRequestHeaders } from "../../../../core/push/sign.ts";
import { createMailService, MAIL_FROM } from "../../../../local/mail/ses.ts";
import { account, region } from "../../../../local/template/resolve.ts";
import { startBehindPolicies, createSigning } from "../../../support/behind-policies.ts";
import { createPushInput } from "../../../support/push-input.ts";
import { toEarlyDevices } from "../../../support/push.ts";
import { answerWith, collectBodies } from "../../../support/serve.ts";

const SET = "event-alerting-dev";

const aMailChannel = (endpoint: string, fields: Partial<MailOptions> = {}) =>
  toEarlyDevices(
    createMailChannel({
      from: MAIL_FROM,
      events: SET,
      ...createSigning(endpoint),
      ...fields,
    }),
  );

const mailTo = (email: string, fields: Partial<MailMessage> = {}): MailMessage => ({
  ...buildMail(createPushInput({ title: "Disk full", body: "2 % left", to: { email } }), email),
  ...fields,
});

/** Starts a local SES, with the permissions of a function that may send from one address. */
const startSes = async (
  identity = MAIL_FROM,
  {
    recipients = [],
    ...accountOfSes
  }: Pick<Parameters<typeof createMailService>[0], "sandbox" | "now"> & {
    recipients?: string[];
  } = {},
) => {
  const mails: { to: string; subject: string; text: string }[] = [];
  const published: string[] = [];
  const { service } = createMailService({
    origin: "http://127.0.0.1",
    ...accountOfSes,
    onMail: (mail) => mails.push(mail),
    events: { name: SET, types: ["bounce", "complaint"], publish: (body) => published.push(body) },
  });
  const Resource = [identity, ...recipients]
    .map((one) => `identity/${one}`)
    .concat([`configuration-set/${SET}`])
    .map((one) => `arn:aws:ses:${region}:${account}:${one}`);
  return { ...(await startBehindPolicies({ ses: service }, "ses:SendEmail", Resource)), mails, published };
};

describe("an email that is sent to SES", () => {
  const RECEIPT = "ws_1.usr_1.dev_1.ntf_1.1764000000.a-b_c";

  it.each([
    ["an event about a bounce", "bounce-ann@acme.example", [{ fate: "failing", code: "Bounce.Permanent.General" }]],
    [
      "an event about a full mailbox",
      "full-ann@acme.example",
      [{ fate: "lost", code: "Bounce.Transient.MailboxFull" }],
    ],
    ["an event about a complaint", "complaint-ann@acme.example", [{ fate: "failing", code: "Complaint" }]],
    // Delivered emails cause no event, because the service does not request delivery events.
    ["no event about an email that was delivered", "ann@acme.example", []],
  ])("contains its receipt token, which each delivery event repeats; SES publishes %s", async (_, email, expected) => {
    const { endpoint, published } = await startSes();

    await aMailChannel(endpoint).send(mailTo(email, { receipt: RECEIPT }));

    // The first message confirms the topic, and is not an event.
    const events = published.slice(1).map((body) => v.parse(v.pipe(v.string(), v.parseJson(), MailEvent), body));
    expect(events.map(readMailEvent)).toMatchObject(
      expected.map((one) => ({ ...one, receipt: RECEIPT, to: { field: "email", address: email } })),
    );
  });

  it("requests delivery events only if it has a receipt token and its function sends alerts", async () => {
    const { endpoint, published } = await startSes();

    await aMailChannel(endpoint).send(buildCodeMail("bounce-ann@acme.example", "123456"));
    await aMailChannel(endpoint, { events: undefined }).send(mailTo("bounce-ann@acme.example", { receipt: RECEIPT }));

    expect(published).toHaveLength(1);
  });

  it("has no tags if its function sends no alerts", async () => {
    const { endpoint, bodies } = await collectBodies();

    await aMailChannel(endpoint, { events: undefined }).send(mailTo("ann@acme.example", { receipt: RECEIPT }));

    expect(Object.keys(bodies[0] as object)).toEqual(["FromEmailAddress", "Destination", "Content"]);
  });

  it("may not name a configuration set that the function is not granted", async () => {
    const { endpoint, mails } = await startSes();

    const outcome = await aMailChannel(endpoint, { events: "other" }).send(
      mailTo("ann@acme.example", { receipt: RECEIPT }),
    );

    expect(outcome).toEqual({ kind: "auth", code: "AccessDeniedException" });
    expect(mails).toEqual([]);
  });

  it("is one request, and arrives unchanged", async () => {
    const { endpoint, requests, mails } = await startSes();

    const outcome = await aMailChannel(endpoint).send(mailTo("ann@acme.example"));

    expect(outcome).toEqual({ kind: "accepted", messageId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
    expect(requests.map(({ headers }) => headers["content-type"])).toEqual(["application/json"]);
    expect(mails).toMatchObject([{ to: "ann@acme.example", subject: "Disk full" }]);
    expect(mails[0]?.text).toContain("2 % left");
  });

  it.each<[string, string, PushOutcome["kind"], number]>([
    ["refuses the email", "invalid-ann@acme.example", "invalid", 0],
    ["is unavailable", "flaky-1-ann@acme.example", "retry", 0],
    ["says that there are too many requests", "quota-1-ann@acme.example", "retry", 0],
    // The email is accepted and the answer is lost: one email, with an unknown outcome.
    ["accepts the email but the answer is lost", "reset-1-ann@acme.example", "unknown", 1],
  ])("is one request if SES %s (to %s, with the outcome %j)", async (_, email, kind, taken) => {
    const { endpoint, requests, mails } = await startSes();

    expect((await aMailChannel(endpoint).send(mailTo(email))).kind).toBe(kind);

    expect(requests).toHaveLength(1);
    expect(mails).toHaveLength(taken);
  });

  it("is refused from an address that the function may not send from, or that SES does not know", async () => {
    const other = await startSes("other@local.example");
    expect(await aMailChannel(other.endpoint).send(mailTo("ann@acme.example"))).toEqual({
      kind: "auth",
      code: "AccessDeniedException",
    });
    expect(other.denied).toHaveLength(1);

    const unverified = await startSes("new@local.example");
    const outcome = await aMailChannel(unverified.endpoint, { from: "new@local.example" }).send(
      mailTo("ann@acme.example"),
    );
    expect(outcome).toEqual({ kind: "auth", code: "MessageRejected" });
  });

  it("is refused if its subject has two lines", async () => {
    const { endpoint, mails } = await startSes();
    const notification = { title: "Disk full\r\nBcc: all@acme.example", body: "2 % left" };

    expect(await aMailChannel(endpoint).send(mailTo("ann@acme.example", { notification }))).toEqual({
      kind: "invalid",
      code: "BadRequestException",
    });
    expect(mails).toEqual([]);
  });

  it.each<[number, string, PushOutcome["kind"], string, string?]>([
    [400, "MessageRejected:", "invalid", "MessageRejected"],
    [400, "SendingPausedException", "auth", "SendingPausedException"],
    [400, "MailFromDomainNotVerifiedException", "auth", "MailFromDomainNotVerifiedException"],
    [400, "LimitExceededException", "retry", "LimitExceededException", "quota"],
    [400, "<script>", "invalid", "HTTP_400"],
    [400, "to ann:", "invalid", "HTTP_400"],
    [403, "ExpiredTokenException", "auth", "ExpiredTokenException"],
    [500, "InternalFailure", "unknown", "InternalFailure"],
  ])("is one request; after SES's error %i %j it has the outcome %j", async (status, name, kind, code, slow) => {
    const { endpoint, requests } = await answerWith(status, { "x-amzn-errortype": name });

    expect(await aMailChannel(endpoint).send(mailTo("ann@acme.example"))).toEqual({ kind, code, slow });
    expect(requests).toHaveLength(1);
  });

  it.each<[number, PushOutcome["kind"], string?]>([
    [401, "auth"],
    [408, "retry"],
    [429, "retry", "rate"],
    [502, "unknown"],
    [503, "retry"],
    [302, "unknown"],
  ])(
    "is one request; after SES's answer %i without an error name it has the outcome %j",
    async (status, kind, slow) => {
      const headers: Record<string, string> = status === 302 ? { location: "https://elsewhere.example" } : {};
      const { endpoint, requests } = await answerWith(status, headers);

      const outcome = await aMailChannel(endpoint).send(mailTo("ann@acme.example"));
      expect(outcome).toEqual({ kind, code: `HTTP_${status}`, slow });
      expect(requests).toHaveLength(1);
    },
  );

  it("needs no credentials to be read first, even if the stage no longer sends email", async () => {
    expect([await aMailChannel("http://127.0.0.1:1").prepare(), await notConfigured.prepare()]).toEqual([true, true]);
  });

  it("is refused without a request if the stage no longer sends email", async () => {
    const outcome = await toEarlyDevices(notConfigured).send(mailTo("ann@acme.example"));

    expect(outcome).toEqual({ kind: "invalid", code: "WAY_NOT_CONFIGURED" });
  });
});

describe("the stand-in for an SES account", () => {
  const ANN = "ann@acme.example";

  it("accepts 14 emails a second in production, and 50,000 in 24 hours", async () => {
    let now = 0;
    const { endpoint } = await startSes(MAIL_FROM, { now: () => now });
    const kinds = await Promise.all(Array.from({ length: 15 }, () => aMailChannel(endpoint).send(mailTo(ANN))));
    now += 1000;

    expect(kinds.filter(({ kind }) => kind === "accepted")).toHaveLength(14);
    expect(kinds.find(({ kind }) => kind === "retry")).toMatchObject({ slow: "rate" });
    expect((await aMailChannel(endpoint).send(mailTo(ANN))).kind).toBe("accepted");
  });

  it("accepts 200 emails a day in its sandbox, one a second", async () => {
    let now = 0;
    const { endpoint } = await startSes(MAIL_FROM, {
      now: () => (now += 1000),
      sandbox: { verified: [ANN] },
      recipients: [ANN],
    });
    for (let nr = 0; nr < 99; nr += 1) await aMailChannel(endpoint).send(mailTo(ANN));
    const outcomes = [];
    for (let nr = 0; nr < 120; nr += 1) outcomes.push(await aMailChannel(endpoint).send(mailTo(ANN)));

    expect(outcomes.at(-1)).toEqual({ kind: "retry", code: "TooManyRequestsException", slow: "quota" });
  });

  it("in its sandbox also checks whether the function may send to the recipient", async () => {
    const { endpoint } = await startSes(MAIL_FROM, { sandbox: { verified: [ANN] } });

    expect(await aMailChannel(endpoint).send(mailTo(ANN))).toEqual({ kind: "auth", code: "AccessDeniedException" });
  });

  it("in its sandbox rejects unverified recipients", async () => {
    const { endpoint } = await startSes(MAIL_FROM, { sandbox: { verified: [] }, recipients: [ANN] });

    expect(await aMailChannel(endpoint).send(mailTo(ANN))).toEqual({ kind: "invalid", code: "MessageRejected" });
  });
});

describe("the AWS request signature", () => {
  const keys = { keyId: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
  const authorizationOf = (headers: Record<string, string>, text: string, token?: string) =>
    signRequestHeaders(
      { url: new URL("https://example.amazonaws.com/"), body: Buffer.from(text), headers },
      { ...keys, token },
      { region: "us-east-1", service: "service", nowMs: Date.UTC(2015, 7, 30, 12, 36) },
    )["authorization"]?.replace(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE.20150830.us-east-1.service.aws4_request, /,
      "",
    );

  it("equals that of AWS's own examples, with and without a session token", () => {
    // The cases post-x-www-form-urlencoded and post-sts-header-before of AWS's test suite.
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect([authorizationOf(form, "Param1=value1"), authorizationOf({}, "", TOKEN)]).toEqual([
      "SignedHeaders=content-type;host;x-amz-date, Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
      "SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead",
    ]);
  });

  it("lists the signed headers in alphabetical order", () => {
    expect(authorizationOf({ "x-amz-target": "Send" }, "")).toContain("SignedHeaders=host;x-amz-date;x-amz-target, ");
  });
});

/** AWS's own example with a session token. */
const TOKEN = [
  "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/",
  "qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38",
  "xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==",
].join("");
