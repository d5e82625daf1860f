/* Handlers read their environment when they are loaded. No address here is ever called: runs pass other dependencies. */
Object.assign(process.env, {
  AWS_REGION: "local",
  AWS_ACCESS_KEY_ID: "test",
  AWS_SECRET_ACCESS_KEY: "test",
  TABLE_NAME: "none",
  STAGE: "test",
  EVENTS_QUEUE_URL: "none",
  PUSHES_QUEUE_URL: "none",
  ESCALATIONS_QUEUE_URL: "none",
  WEBHOOKS_QUEUE_URL: "none",
  INBOUND_QUEUE_URL: "none",
  FCM_SECRET_ARN: "none",
  VAPID_SECRET_ARN: "none",
  USER_POOL_URL: "http://127.0.0.1:9",
  RECEIPT_SECRET_ARN: "none",
  WEBHOOK_SECRET_ARN: "none",
  BASE_URL: "https://alerts.example",
});
