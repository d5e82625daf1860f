/*
 * Programs that call the clients of other services (CommonJS, run in the folder with these clients). Each program prints a
 * list of [call, status, the client's result]; the URL and the key come from the environment.
 */

/** Makes every call that PagerDuty's client offers. */
export const pagerduty = `
const { acknowledge, change, resolve, trigger } = require("@pagerduty/pdjs");
const { SERVER: server, API_KEY: routing_key } = process.env;
const payload = { summary: "Disk full", source: "db-1", severity: "critical" };
(async () => {
  const said = [];
  const call = async (name, send, data) => {
    const { status, data: body } = await send({ server, data: { routing_key, ...data } });
    said.push([name, status, body.detail ?? body.message]);
    return body;
  };
  await call("trigger", trigger, { dedup_key: "disk-1", payload });
  await call("acknowledge", acknowledge, { dedup_key: "disk-1" });
  await call("resolve", resolve, { dedup_key: "disk-1" });
  const { dedup_key } = await call("trigger without a key", trigger, { payload });
  await call("resolve by the key of the answer", resolve, { dedup_key });
  await call("change", change, { payload });
  console.log(JSON.stringify(said));
})();
`;

/** Creates, reads, changes and closes alerts with Opsgenie's client. */
export const opsgenie = `
const opsgenie = require("opsgenie-sdk");
opsgenie.configure({ host: process.env.HOST, api_key: process.env.API_KEY, maxAttempts: 1 });
const { create, close, get, list, delete: remove, acknowledge, unacknowledge, addNote, snooze } = opsgenie.alertV2;
const { escalateToNext, assign, addTeam, addTags, removeTags, addDetails } = opsgenie.alertV2;
const others = { acknowledge, unacknowledge, addNote, snooze, escalateToNext, assign, addTeam, addTags, removeTags, addDetails };
const disk = { identifier: "disk-2", identifierType: "alias" };
const data = { note: "By a program", user: "job", tags: ["db"], endTime: "2030-01-01T00:00:00Z", team: {}, owner: {}, escalation: {}, details: {} };
const said = [];
const call = (name, run) =>
  new Promise((resolve) => {
    run((error, answer) => {
      // The client returns no status for a successful call.
      said.push(error === null ? [name, 202, answer.result] : [name, error.httpStatusCode, error.detail ?? error.message]);
      resolve();
    });
  });
(async () => {
  await call("create", (done) => create({ message: "Disk full", alias: "disk-2", priority: "P1" }, done));
  for (const [name, run] of Object.entries(others)) await call(name, (done) => run(disk, data, {}, done));
  for (const [name, run] of Object.entries({ get, list, delete: remove })) await call(name, (done) => run(disk, {}, done));
  await call("close", (done) => close(disk, { note: "Space again" }, done));
  console.log(JSON.stringify(said));
})();
`;
