export type Mistake = {
  mistake: string;
  /** The method; with `path`, `POST /v1/events` by default. A path that begins with `/` is relative to the caller's workspace. */
  method?: "GET" | "POST" | "PATCH";
  path?: string;
  /** How the caller authenticates: by default with the key in `X-Api-Key`; `session`: with a person's token instead. */
  as?: "nobody" | "bearer" | "session";
  contentType?: string;
  /** An object is sent as JSON, a text unchanged. */
  body?: object | string;
  status: number;
  /** The answer's faults or warnings, each as `field: message`; without any, the answer's detail. */
  says: readonly string[];
};

export const goodEvent = { event: "backup.failed", title: "Backup failed", body: "The disk is full." };
const goodRule = {
  name: "Backups",
  eventKey: "backup.*",
  targets: [{ type: "group", groupId: "grp_5h1j8n4c2d7f9g0k" }],
};

export const mistakes: readonly Mistake[] = [
  {
    mistake: "no API key",
    as: "nobody",
    body: goodEvent,
    status: 401,
    says: ["A valid API key is required in the header X-Api-Key. The header is missing."],
  },
  {
    mistake: "the API key as a Bearer token",
    as: "bearer",
    body: goodEvent,
    status: 401,
    says: ["A valid API key is required in the header X-Api-Key. The header authorization is not read."],
  },
  {
    mistake: "the default Content-Type of curl",
    contentType: "application/x-www-form-urlencoded",
    body: goodEvent,
    status: 415,
    says: [
      "The Content-Type must be application/json, not application/x-www-form-urlencoded. " +
        'With curl: -H "Content-Type: application/json".',
    ],
  },
  {
    mistake: "single quotes",
    body: "{'event': 'backup.failed'}",
    status: 400,
    says: [
      'The body is not JSON at line 1, column 2: expected a name in double quotes or }, found "\'". JSON needs double quotes.',
    ],
  },
  {
    mistake: "a comma after the last field",
    body: '{"event": "backup.failed", "title": "Backup failed",}',
    status: 400,
    says: ['The body is not JSON at line 1, column 53: expected a name in double quotes, found "}".'],
  },
  {
    mistake: "several events in one request",
    body: "[{}, {}]",
    status: 400,
    says: ["The body must be a JSON object, not a list. Send one request for each entry of the list."],
  },
  {
    mistake: "a field with a wrong name",
    body: { type: "backup.failed", subject: "Backup", body: "Full" },
    status: 422,
    says: [
      "event: event is required. type is unknown: did you mean event?",
      "title: title is required. subject is unknown: did you mean title?",
    ],
  },
  {
    mistake: "capital letters and spaces in the event key",
    body: { ...goodEvent, event: "Backup Failed" },
    status: 422,
    says: [
      "event: An event key must be resource.action in lowercase letters, digits and underscores, such as booking.created.",
    ],
  },
  {
    mistake: "an event key of three parts",
    body: { ...goodEvent, event: "order.payment.failed" },
    status: 422,
    says: [
      "event: An event key must be resource.action in lowercase letters, digits and underscores, such as booking.created. " +
        "Did you mean order.payment_failed?",
    ],
  },
  {
    mistake: "an event key without a dot",
    body: { ...goodEvent, event: "backup_failed" },
    status: 422,
    says: [
      "event: An event key must be resource.action in lowercase letters, digits and underscores, such as booking.created.",
    ],
  },
  {
    mistake: "a reserved event key",
    body: { ...goodEvent, event: "service.down" },
    status: 422,
    says: ["event: The prefix service. is reserved: choose another resource."],
  },
  {
    mistake: "a priority in small letters",
    body: { ...goodEvent, priority: "high" },
    status: 422,
    says: ["priority: A priority is one of LOW, NORMAL, HIGH, URGENT, CRITICAL. Did you mean HIGH?"],
  },
  { mistake: "an empty body", body: { ...goodEvent, body: "" }, status: 422, says: ["body: body must not be empty."] },
  {
    mistake: "a number instead of a text",
    body: { ...goodEvent, title: 404 },
    status: 422,
    says: ["title: title must be a string."],
  },
  {
    mistake: "a title too long",
    body: { ...goodEvent, title: "x".repeat(201) },
    status: 422,
    says: ["title: title must have at most 200 characters."],
  },
  {
    mistake: "a list in data",
    body: { ...goodEvent, data: { hosts: ["db-1", "db-2"] } },
    status: 422,
    says: ["data.hosts: hosts must be a string, a number, a boolean or an object of these."],
  },
  {
    mistake: "data as text",
    body: { ...goodEvent, data: '{"host": "db-1"}' },
    status: 422,
    says: ["data: data must be an object."],
  },
  {
    mistake: "a url without its scheme",
    body: { ...goodEvent, url: "grafana.example/d/1" },
    status: 201,
    says: ["url: url is not an http or https URL: it is shown as text."],
  },
  {
    mistake: "true as text",
    body: { ...goodEvent, requiresAck: "true" },
    status: 422,
    says: ["requiresAck: requiresAck must be true or false."],
  },
  {
    mistake: "field names in snake_case",
    body: { ...goodEvent, dedupe_key: "backup-1", requires_ack: true },
    status: 201,
    says: [
      "dedupe_key: dedupe_key is not a field of an event and was dropped: did you mean dedupeKey?",
      "requires_ack: requires_ack is not a field of an event and was dropped: did you mean requiresAck?",
    ],
  },
  {
    mistake: "no version in the path",
    path: "/events",
    body: goodEvent,
    status: 404,
    says: ["This path does not exist. Did you mean /v1/events (POST)?"],
  },
  {
    mistake: "two slashes in the path",
    path: "//v1/events",
    body: goodEvent,
    status: 404,
    says: ["This path does not exist. Did you mean /v1/events (POST)?"],
  },
  {
    mistake: "a wrong HTTP method",
    method: "GET",
    path: "/v1/events",
    status: 405,
    says: ["GET is not allowed here; use POST. To read events, use GET /v1/workspaces/:workspaceId/events."],
  },
  {
    mistake: "a typing error in a rule",
    path: "/routing-rules",
    as: "session",
    body: { ...goodRule, contitions: [] },
    status: 422,
    says: ["contitions: contitions is not a field that can be set here. Did you mean conditions?"],
  },
  {
    mistake: "an unknown filter",
    method: "GET",
    path: "/events?status=open",
    as: "session",
    status: 422,
    says: ["status: Unknown query parameter status: did you mean state?"],
  },
];
