import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection, skipCheck } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Notification } from "../shapes.ts";
import { openNotifyingWorkspace, registerDevice, sendEvent, waitForSent, type WorkspaceClient } from "../world.ts";

const listNotifications = async (workspace: WorkspaceClient, query = "") =>
  workspace.read(`/notifications${query}`, v.array(Notification));

export const notifications = [
  ...createSection("Notifications", {
    "fails the notification of a person without a device, with the reason": async ({ fresh }) => {
      const workspace = await openNotifyingWorkspace(fresh);
      for (const { status, failedReason, sentAt } of await waitForSent(workspace, await sendEvent(workspace)))
        assert.deepEqual([status, failedReason, sentAt], ["FAILED", "No registered devices for user", null]);
    },
    "sends the notification of a person with a device": async ({ fresh, unique, session }) => {
      const workspace = await openNotifyingWorkspace(fresh);
      if (session.fcm === undefined) return skipCheck("no stand-in takes the pushes");
      expectStatus(await registerDevice(workspace, workspace.owner, unique("conformance-")), 201);
      const notified = await waitForSent(workspace, await sendEvent(workspace));
      const mine = notified.find(({ user }) => user.id === workspace.owner.userId);
      assert.deepEqual([mine?.status, mine?.failedReason], ["SENT", null]);
      assert.notEqual(mine?.sentAt, null);
    },
    "fails a notification if all devices are stale, and says how many": async ({ fresh, unique, session }) => {
      const workspace = await openNotifyingWorkspace(fresh);
      if (session.fcm === undefined) return skipCheck("no stand-in takes the pushes");
      for (const nr of [1, 2])
        expectStatus(await registerDevice(workspace, workspace.owner, unique(`stale-${nr}-`)), 201);
      const notified = await waitForSent(workspace, await sendEvent(workspace));
      const mine = notified.find(({ user }) => user.id === workspace.owner.userId);
      assert.deepEqual([mine?.status, mine?.failedReason], ["FAILED", "FCM: all 2 device(s) failed"]);
    },
    "shows event and recipient": async ({ fresh }) => {
      const workspace = await openNotifyingWorkspace(fresh);
      const eventId = await sendEvent(workspace, { event: "a.b", title: "Shown" });
      const notified = await waitForSent(workspace, eventId);
      for (const { event, user } of notified) {
        assert.deepEqual(event, { id: eventId, eventKey: "a.b", title: "Shown" });
        const person = workspace.people.find(({ userId }) => userId === user.id);
        assert.deepEqual(user, { id: person?.userId, name: person?.name, email: person?.email });
      }
    },
    "lists at most limit notifications in an array, newest first": async ({ fresh }) => {
      const workspace = await openNotifyingWorkspace(fresh);
      for (let index = 0; index < 3; index += 1) await waitForSent(workspace, await sendEvent(workspace));
      const all = await listNotifications(workspace);
      assert.equal(all.length, 6);
      assert.deepEqual(
        all.map(({ createdAt }) => createdAt),
        all
          .map(({ createdAt }) => createdAt)
          .sort()
          .reverse(),
      );
      assert.deepEqual(await listNotifications(workspace, "?limit=4"), all.slice(0, 4));
      assert.equal((await listNotifications(workspace, "?limit=100000")).length, 6);
      for (const limit of ["0", "-1", "x", "1.5"])
        expectFaults(await workspace.ask("GET", `/notifications?limit=${limit}`), "limit");
    },
  }),
  ...createSection("Acknowledging", {
    "answers PATCH with ACKNOWLEDGED 200 with the notification and its time": async ({ fresh }) => {
      const workspace = await openNotifyingWorkspace(fresh);
      const [one] = await waitForSent(workspace, await sendEvent(workspace));
      const answer = await workspace.ask("PATCH", `/notifications/${one?.id ?? ""}`, { status: "ACKNOWLEDGED" });
      const done = expectBody(answer, 200, Notification);
      assert.equal(done.status, "ACKNOWLEDGED");
      assert.notEqual(done.acknowledgedAt, null);
      assert.deepEqual(
        (await listNotifications(workspace)).find(({ id }) => id === done.id),
        done,
      );
    },
    "lets any member acknowledge": async ({ fresh }) => {
      const workspace = await openNotifyingWorkspace(fresh);
      const [one] = await waitForSent(workspace, await sendEvent(workspace));
      for (const person of workspace.people)
        expectStatus(
          await workspace.as(person, "PATCH", `/notifications/${one?.id ?? ""}`, { status: "ACKNOWLEDGED" }),
          200,
        );
    },
    "keeps the first time if it is acknowledged again": async ({ fresh }) => {
      const workspace = await openNotifyingWorkspace(fresh);
      const [one] = await waitForSent(workspace, await sendEvent(workspace));
      const acknowledge = () => workspace.ask("PATCH", `/notifications/${one?.id ?? ""}`, { status: "ACKNOWLEDGED" });
      const first = expectBody(await acknowledge(), 200, Notification);
      assert.deepEqual(expectBody(await acknowledge(), 200, Notification), first);
    },
    "changes states only forward": async ({ fresh, unique, session }) => {
      const workspace = await openNotifyingWorkspace(fresh);
      if (session.fcm === undefined) return skipCheck("no stand-in takes the pushes");
      expectStatus(await registerDevice(workspace, workspace.owner, unique("conformance-")), 201);
      const notified = await waitForSent(workspace, await sendEvent(workspace));
      const one = notified.find(({ user }) => user.id === workspace.owner.userId);
      const reportStatus = async (status: string) =>
        expectBody(await workspace.ask("PATCH", `/notifications/${one?.id ?? ""}`, { status }), 200, Notification)
          .status;
      assert.equal(await reportStatus("DELIVERED"), "DELIVERED");
      assert.equal(await reportStatus("OPENED"), "OPENED");
      assert.equal(await reportStatus("DELIVERED"), "OPENED");
      assert.equal(await reportStatus("ACKNOWLEDGED"), "ACKNOWLEDGED");
      assert.equal(await reportStatus("OPENED"), "ACKNOWLEDGED");
    },
    "accepts DELIVERED and OPENED only from the recipient, and never after FAILED": async ({ fresh }) => {
      const workspace = await openNotifyingWorkspace(fresh);
      const notified = await waitForSent(workspace, await sendEvent(workspace));
      const mine = notified.find(({ user }) => user.id === workspace.owner.userId);
      const others = notified.find(({ user }) => user.id !== workspace.owner.userId);
      const reportStatus = (notification: Notification | undefined, status: string) =>
        workspace.ask("PATCH", `/notifications/${notification?.id ?? ""}`, { status });
      for (const status of ["DELIVERED", "OPENED"]) {
        expectProblem(await reportStatus(others, status), 403, "not_the_recipient");
        const after = expectBody(await reportStatus(mine, status), 200, Notification);
        assert.deepEqual([after.status, after.failedReason], ["FAILED", "No registered devices for user"]);
      }
    },
    "answers 422 to any other status or field": async ({ fresh }) => {
      const workspace = await openNotifyingWorkspace(fresh);
      const [one] = await waitForSent(workspace, await sendEvent(workspace));
      const path = `/notifications/${one?.id ?? ""}`;
      for (const status of ["QUEUED", "SENT", "FAILED", "acknowledged", "", 1])
        expectFaults(await workspace.ask("PATCH", path, { status }), "status");
      expectFaults(await workspace.ask("PATCH", path, { status: "ACKNOWLEDGED", sentAt: null }), "sentAt");
      expectFaults(await workspace.ask("PATCH", path, {}), "status");
    },
    "answers 404 to another workspace's notification, and leaves it unchanged": async ({ acme, fresh }) => {
      const workspace = await openNotifyingWorkspace(fresh);
      const [one] = await waitForSent(workspace, await sendEvent(workspace));
      const answer = await acme.ask("PATCH", `/notifications/${one?.id ?? ""}`, { status: "ACKNOWLEDGED" });
      expectProblem(answer, 404, "not_found");
      assert.ok((await listNotifications(workspace)).every(({ status }) => status !== "ACKNOWLEDGED"));
    },
    "answers 404 to an unknown notification": async ({ acme }) => {
      for (const id of [`ntf_${"0".repeat(27)}`, "ntf_1", "nothing"])
        expectProblem(await acme.ask("PATCH", `/notifications/${id}`, { status: "ACKNOWLEDGED" }), 404, "not_found");
    },
  }),
];
