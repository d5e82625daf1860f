/** The names of the functions' environment variables, which the stack and the code share. */
export const env = {
  table: "TABLE_NAME",
  eventsQueue: "EVENTS_QUEUE_URL",
  pushesQueue: "PUSHES_QUEUE_URL",
  escalationsQueue: "ESCALATIONS_QUEUE_URL",
  webhooksQueue: "WEBHOOKS_QUEUE_URL",
  inboundQueue: "INBOUND_QUEUE_URL",
  fcmSecret: "FCM_SECRET_ARN",
  vapidSecret: "VAPID_SECRET_ARN",
  receiptSecret: "RECEIPT_SECRET_ARN",
  webhookSecret: "WEBHOOK_SECRET_ARN",
  /** Set if the stage has Slack. */
  slackSecret: "SLACK_SECRET_ARN",
  syntheticKeySecret: "SYNTHETIC_KEY_SECRET_ARN",
  baseUrl: "BASE_URL",
  /** The plan of a new workspace, as JSON. */
  defaultPlan: "DEFAULT_PLAN",
  /** The sender address of email; set if the stage sends email. */
  mailFrom: "MAIL_FROM",
  /** The configuration set of email; set if the function sends alerts by email. */
  mailEvents: "MAIL_EVENTS",
  /** Sender, countries and maximum price of text messages, as JSON; set if the stage sends text messages. */
  sms: "SMS",
  /** Instance, flow, caller number and countries of calls, as JSON; set if the stage makes calls. */
  voice: "VOICE",
  /** The caller number of calls; set for the console's function if the stage makes calls. */
  voiceFrom: "VOICE_FROM",
  /** The messages per second that each channel accepts, as JSON; set if a function sends alerts. */
  pace: "PACE",
  /** The channels by which the stage notifies people, joined by commas. */
  ways: "WAYS",
  userPoolClientId: "USER_POOL_CLIENT_ID",
  /** The URL of the user pool's sign-in pages. */
  signInUrl: "SIGN_IN_URL",
  /** The only identity provider; not set if there are several, or none. */
  signInProvider: "SIGN_IN_PROVIDER",
  /** The API of Cognito's user pools, which gives the profile of an access token's owner. */
  userPoolUrl: "USER_POOL_URL",
  stage: "STAGE",
  /** Set only for a local service: the URL to which pushes for browsers are sent, and whether this applies to all of them. */
  pushStandIn: "WEB_PUSH_STAND_IN",
  pushStandInTakesAll: "WEB_PUSH_STAND_IN_TAKES_ALL",
  /** Set only for a local service: the URL prefix of webhooks that are allowed besides public URLs. */
  webhookStandIn: "WEBHOOK_STAND_IN",
  /** Set only for a local service: the URLs that replace those of Slack and of Teams workflows. */
  slackStandIn: "SLACK_STAND_IN",
  teamsStandIn: "TEAMS_STAND_IN",
} as const;

/** The number of times that SQS delivers a message before it moves the message to the dead-letter queue. */
export const messageReceivesMax = 6;

/** The CloudWatch namespace of the service's own metrics; their only dimension is the stage. */
export const metricsNamespace = "EventAlerting";

/** The service's own metrics, named by what they count or measure. */
export const metrics = {
  pushSent: "PushSent",
  pushFailed: "PushFailed",
  pushAuthFailed: "PushAuthFailed",
  oldestMarkerAgeSeconds: "OldestMarkerAgeSeconds",
  stuckMarkers: "StuckMarkers",
  sweeperRan: "SweeperRan",
  sweeperFailed: "SweeperFailed",
  matchOverBudget: "MatchOverBudget",
  ledgerFaults: "LedgerFaults",
  quotaPercent: "QuotaPercent",
  stageCeiling: "StageCeiling",
  syntheticArrived: "SyntheticArrived",
  channelBehindSeconds: "ChannelBehindSeconds",
  channelRefused: "ChannelRefused",
} as const;
export type Metric = (typeof metrics)[keyof typeof metrics];
