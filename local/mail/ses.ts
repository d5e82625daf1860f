import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { createLimiter, type Limits } from "../aws/account-limits.ts";
import type { AwsResponse, AwsService } from "../aws/front.ts";
import { createAnswerChooser } from "../scripted.ts";
import { createInbox, serveInbox } from "../fcm/inbox.ts";
import { account, region } from "../template/resolve.ts";

/** The sender's address, which counts as verified. */
export const MAIL_FROM = "alerts@local.example";

const ROOT = "/local/mail/inbox";
const OPERATION = "POST /v2/email/outbound-emails";

const Part = v.strictObject({ Data: v.string(), Charset: v.optional(v.literal("UTF-8")) });
const Tag = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,256}$/));
/** SES v2's input for a simple email, without the members that the service does not use. */
const Request = v.strictObject({
  FromEmailAddress: v.string(),
  Destination: v.strictObject({ ToAddresses: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(50)) }),
  Content: v.strictObject({
    Simple: v.strictObject({
      Subject: v.strictObject({
        ...Part.entries,
        Data: v.pipe(v.string(), v.nonEmpty(), v.regex(/^[^\r\n]*$/, "Subject must be one line")),
      }),
      Body: v.strictObject({ Text: v.optional(Part), Html: v.optional(Part) }),
    }),
  }),
  ConfigurationSetName: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))),
  EmailTags: v.optional(v.array(v.strictObject({ Name: Tag, Value: Tag }))),
});
type Request = v.InferOutput<typeof Request>;

/** SES accepts ASCII, at most 64 characters before the @, and a domain with a dot. */
const ADDRESS = /^[\x21-\x3f\x41-\x7e]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}$/;

export type Mail = {
  id: string;
  receivedAt: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  links: string[];
};

const createJsonAnswer = (status: number, body: object, headers: Record<string, string> = {}): AwsResponse => ({
  status,
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers },
});

const createSesError = (status: number, name: string, message: string): AwsResponse =>
  createJsonAnswer(status, { message }, { "x-amzn-errortype": name });

const STATUSES: Readonly<Record<string, number>> = { AccessDeniedException: 403, UnrecognizedClientException: 403 };

const createRateLimitError = (message: string): AwsResponse => createSesError(429, "TooManyRequestsException", message);

const createRefusalForStatus = (status: number): AwsResponse => {
  if (status === 429) return createRateLimitError("Maximum sending rate exceeded.");
  if (status >= 500) return createSesError(status, "ServiceUnavailable", "The service is unavailable.");
  return createSesError(400, "MessageRejected", "Email address is on the suppression list for your account.");
};

/** SES's limits outside the sandbox. */
const PRODUCTION: Limits = { perSecond: 14, perDay: 50_000 };
/** The sandbox of a new account, in which only verified recipients get emails. */
type Sandbox = { verified: readonly string[] };
const SANDBOX: Limits = { perSecond: 1, perDay: 200 };

export type MailEvents = { name: string; types: readonly string[]; publish: (body: string) => void };

/** The event that SES publishes, by the beginning of the address. By default, the email is delivered. */
const fates: Readonly<Record<string, object>> = {
  bounce: { eventType: "Bounce", bounce: { bounceType: "Permanent", bounceSubType: "General" } },
  full: { eventType: "Bounce", bounce: { bounceType: "Transient", bounceSubType: "MailboxFull" } },
  complaint: { eventType: "Complaint", complaint: { complaintFeedbackType: "abuse" } },
};

/** Creates the event with the outcome of an email. The beginning of the address selects the outcome. */
const toSesEvent = (
  { id, receivedAt, to }: Mail,
  { FromEmailAddress, ConfigurationSetName, EmailTags = [] }: Request,
) => {
  const fate = fates[to.slice(0, to.indexOf("-"))] ?? { eventType: "Delivery", delivery: { recipients: [to] } };
  const tags = Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, [Value]]));
  const mail = {
    timestamp: receivedAt,
    source: FromEmailAddress,
    sendingAccountId: account,
    messageId: id,
    destination: [to],
    headersTruncated: false,
    tags: { "ses:configuration-set": [ConfigurationSetName], ...tags },
  };
  return { ...fate, mail };
};

/** Simulates SES. The address's beginning selects the answer: `bounce-` (for good), `full-` (for a while) or `complaint-`. */
export const createMailService = ({
  origin,
  onMail,
  events,
  sandbox,
  now = Date.now,
}: {
  origin: string;
  /** The sandbox in which the account is; by default, the account is in production. */
  sandbox?: Sandbox;
  now?: () => number;
  onMail?: (mail: Mail) => void;
  /** The events to publish; undefined if the stack has no configuration set. */
  events?: MailEvents | undefined;
}) => {
  const inbox = createInbox();
  const next = createAnswerChooser();
  const over = createLimiter(sandbox === undefined ? PRODUCTION : SANDBOX, now);

  events?.publish("Successfully validated SNS topic for Amazon SES event publishing.");

  const publishMailEvent = (mail: Mail, request: Request): void => {
    if (events === undefined || request.ConfigurationSetName === undefined) return;
    const event = toSesEvent(mail, request);
    if ("eventType" in event && events.types.includes(String(event.eventType).toLowerCase()))
      events.publish(JSON.stringify(event));
  };

  const receiveMail = (recipient: string, request: Request): AwsResponse => {
    const { Subject, Body } = request.Content.Simple;
    const text = Body.Text?.Data ?? "";
    const mail: Mail = {
      id: randomUUID(),
      receivedAt: new Date().toISOString(),
      to: recipient,
      subject: Subject.Data,
      text,
      html: Body.Html?.Data ?? "",
      links: text.match(/https?:\/\/\S+/g) ?? [],
    };
    inbox.add(mail);
    onMail?.(mail);
    publishMailEvent(mail, request);
    return createJsonAnswer(200, { MessageId: mail.id });
  };

  const answerSendEmail = async (input: unknown): Promise<AwsResponse> => {
    const parsed = v.safeParse(Request, input);
    if (!parsed.success) return createSesError(400, "BadRequestException", v.summarize(parsed.issues));
    const { FromEmailAddress, Destination, Content, ConfigurationSetName: set } = parsed.output;
    const { Text, Html } = Content.Simple.Body;
    if (Text === undefined && Html === undefined)
      return createSesError(400, "BadRequestException", "There is no body.");
    if (FromEmailAddress !== MAIL_FROM)
      return createSesError(400, "MessageRejected", `Email address is not verified: ${FromEmailAddress}`);
    if (set !== undefined && set !== events?.name)
      return createSesError(404, "NotFoundException", `Configuration set <${set}> does not exist.`);
    const [to = "", ...others] = Destination.ToAddresses;
    if (others.length > 0)
      return createSesError(400, "BadRequestException", "The stand-in sends an email to one address only.");
    if (!ADDRESS.test(to)) return createSesError(400, "BadRequestException", "Domain contains illegal character");
    if (sandbox?.verified.includes(to) === false)
      return createSesError(
        400,
        "MessageRejected",
        `Email address is not verified. The following identities failed the check: ${to}`,
      );
    const limit = over();
    if (limit !== undefined)
      return createRateLimitError(limit === "day" ? "Daily message quota exceeded." : "Maximum sending rate exceeded.");
    const scripted = next(to.slice(0, to.indexOf("@")), to);
    if (scripted.kind === "refuse") return createRefusalForStatus(scripted.status);
    const taken = receiveMail(to, parsed.output);
    if (scripted.kind === "accept" && scripted.afterMs > 0)
      await new Promise((resolve) => setTimeout(resolve, scripted.afterMs).unref());
    return { ...taken, breaks: scripted.kind === "takeAndReset" };
  };

  const service: AwsService = {
    permissionsOf: (operation, input) => {
      const named = v.safeParse(
        v.looseObject({
          FromEmailAddress: v.string(),
          ConfigurationSetName: v.optional(v.string()),
          Destination: v.optional(v.looseObject({ ToAddresses: v.array(v.string()) })),
        }),
        input,
      );
      if (operation !== OPERATION) return undefined;
      const {
        FromEmailAddress: identity = "",
        ConfigurationSetName: set,
        Destination,
      } = named.success ? named.output : {};
      // In the sandbox, not only the sender but also the recipients must be verified.
      const recipients = sandbox === undefined ? [] : (Destination?.ToAddresses ?? []);
      const resources = [
        ...[identity, ...recipients].map((one) => `identity/${one}`),
        ...(set === undefined ? [] : [`configuration-set/${set}`]),
      ];
      return resources.map((one) => ({ action: "ses:SendEmail", resource: `arn:aws:ses:${region}:${account}:${one}` }));
    },
    handle: ({ input }) => answerSendEmail(input),
    refuse: (code, message) => createSesError(STATUSES[code] ?? 400, code, message),
  };

  return { service, inboxUrl: origin + ROOT, serve: serveInbox(ROOT, inbox) };
};
