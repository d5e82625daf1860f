/** Environment variables of functions: names that the stack and the code share. */
export const env = {
  table: "TABLE_NAME",
  eventsQueue: "EVENTS_QUEUE_URL",
  pushesQueue: "PUSHES_QUEUE_URL",
  escalationsQueue: "ESCALATIONS_QUEUE_URL",
  webhooksQueue: "WEBHOOKS_QUEUE_URL",
  fcmSecret: "FCM_SECRET_ARN",
  vapidSecret: "VAPID_SECRET_ARN",
  receiptSecret: "RECEIPT_SECRET_ARN",
  webhookSecret: "WEBHOOK_SECRET_ARN",
  /** Set where the stage has Slack. */
  slackSecret: "SLACK_SECRET_ARN",
  syntheticKeySecret: "SYNTHETIC_KEY_SECRET_ARN",
  baseUrl: "BASE_URL",
  /** The plan of a new workspace, as JSON. */
  defaultPlan: "DEFAULT_PLAN",
  /** The address that e-mail comes from; set where the stage sends e-mail. */
  mailFrom: "MAIL_FROM",
  /** The configuration set of e-mail; set beside it where a function sends alerts. */
  mailEvents: "MAIL_EVENTS",
  /** From whom, whereto and how dear text messages are, as JSON; set where the stage sends text messages. */
  sms: "SMS",
  /** By which instance and flow, from whom and whereto calls are made, as JSON; set where the stage makes calls. */
  voice: "VOICE",
  /** How many messages a second each channel takes, as JSON; set where a function sends alerts. */
  pace: "PACE",
  /** The ways on which the stage tells people, joined by commas. */
  ways: "WAYS",
  userPoolClientId: "USER_POOL_CLIENT_ID",
  /** Where people sign in: the user pool's own pages. */
  signInUrl: "SIGN_IN_URL",
  /** The one provider by which people sign in; not set where they can choose, or there is none. */
  signInProvider: "SIGN_IN_PROVIDER",
  /** The API of Cognito's user pools, which answers who an access token belongs to. */
  userPoolUrl: "USER_POOL_URL",
  stage: "STAGE",
  /** Set on no stack. On a machine without the Internet: where to send pushes for browsers, and whether all of them. */
  pushStandIn: "WEB_PUSH_STAND_IN",
  pushStandInTakesAll: "WEB_PUSH_STAND_IN_TAKES_ALL",
  /** Set on no stack either: where webhooks may be on such a machine, besides outside. */
  webhookStandIn: "WEBHOOK_STAND_IN",
  /** And what is called in place of Slack, and of the workflows of Teams. */
  slackStandIn: "SLACK_STAND_IN",
  teamsStandIn: "TEAMS_STAND_IN",
} as const;

/** How often SQS delivers a message before it goes to the dead-letter queue. */
export const messageReceivesMax = 6;

/** The CloudWatch namespace of the service's own metrics; their one dimension is the stage. */
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
