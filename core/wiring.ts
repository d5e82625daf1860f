/** The names of the environment variables that the stack sets and the code reads. */
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
  /** The ARN of the secret with the Slack apps; set if the stage has Slack. */
  slackSecret: "SLACK_SECRET_ARN",
  syntheticKeySecret: "SYNTHETIC_KEY_SECRET_ARN",
  baseUrl: "BASE_URL",
  defaultPlan: "DEFAULT_PLAN",
  /** The address that emails come from; set if the stage sends email. */
  mailFrom: "MAIL_FROM",
  /** The name of SES's configuration set; set if the function sends alerts by email. */
  mailEvents: "MAIL_EVENTS",
  /** The sender, the countries and the maximum price of text messages, as JSON; set if the stage sends text messages. */
  sms: "SMS",
  /** The instance, flow, caller number and countries of calls, as JSON; set if the stage makes calls. */
  voice: "VOICE",
  /** The caller number; set for the console's function if the stage makes calls. */
  voiceFrom: "VOICE_FROM",
  /** The maximum number of messages per second on each channel, as JSON; set if a function sends alerts. */
  pace: "PACE",
  /** The stage's channels, joined by commas. */
  ways: "WAYS",
  userPoolClientId: "USER_POOL_CLIENT_ID",
  signInUrl: "SIGN_IN_URL",
  /** The provider for signing in; not set if there are several providers, or none. */
  signInProvider: "SIGN_IN_PROVIDER",
  /** Cognito's API, which gives the profile of an access token's owner. */
  userPoolUrl: "USER_POOL_URL",
  stage: "STAGE",
  /** In a local service, where pushes for browsers are sent, and whether all pushes are sent there. */
  pushStandIn: "WEB_PUSH_STAND_IN",
  pushStandInTakesAll: "WEB_PUSH_STAND_IN_TAKES_ALL",
  /** In a local service, the prefix of webhooks that are allowed in addition to public URLs. */
  webhookStandIn: "WEBHOOK_STAND_IN",
  /** In a local service, the URLs that replace those of Slack and Teams workflows. */
  slackStandIn: "SLACK_STAND_IN",
  teamsStandIn: "TEAMS_STAND_IN",
} as const;

/** After this number of receives, SQS moves a message to the dead-letter queue. */
export const messageReceivesMax = 6;

/** The namespace of the service's metrics, whose only dimension is the stage. */
export const metricsNamespace = "EventAlerting";

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
