import assert from "node:assert/strict";
import * as v from "valibot";
import { section, skip } from "../check.ts";
import { eventually, expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import {
  CalendarAddress,
  Device,
  DeviceTestAnswer,
  Event,
  EventPage,
  EventType,
  EventTypeWithFields,
  Group,
  GroupMember,
  GroupMemberWithName,
  GroupOnCallNow,
  ListedMember,
  Member,
  MyShift,
  Notification,
  OnCallNow,
  Override,
  Schedule,
  WrittenSchedule,
  Site,
  Workspace,
} from "../shapes.ts";
import { newSigner } from "../signer.ts";
import { anEvent, makeGroup, makeRule, registerDevice, send, settled, type House } from "../world.ts";

const notificationsOf = async (house: House, query = "") =>
  expectBody(await house.ask("GET", `/notifications${query}`), 200, v.array(Notification));

/** A workspace in which every event tells both members. */
const loud = async (fresh: () => Promise<House>, rule: object = {}): Promise<House> => {
  const house = await fresh();
  const groupId = await makeGroup(house, house.people);
  await makeRule(house, { eventKey: "*", groupId, ...rule });
  return house;
};

/** The key of the browser in RFC 8291's example. */
const BROWSER_KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

const WebPushKey = v.strictObject({ publicKey: v.string() });

/** What the stand-in for push services took; null where it does not have the keys to read it. */
const Inbox = v.object({
  messages: v.array(
    v.object({
      endpoint: v.string(),
      message: v.nullable(
        v.object({ notification: v.object({ title: v.string(), data: v.record(v.string(), v.string()) }) }),
      ),
    }),
  ),
});

export const people = [
  ...section("Groups", {
    "creating one answers 201 with id, name, workspaceId and createdAt": async ({ acme }) => {
      const group = expectBody(await acme.ask("POST", "/groups", { name: "Ops" }), 201, Group);
      assert.deepEqual([group.name, group.workspaceId], ["Ops", acme.id]);
      const list = expectBody(await acme.ask("GET", "/groups"), 200, v.array(Group));
      assert.deepEqual(
        list.find(({ id }) => id === group.id),
        group,
      );
      await acme.ask("DELETE", `/groups/${group.id}`);
    },
    "one is read by its id, and renamed by PATCH": async ({ acme, globex }) => {
      const groupId = await makeGroup(acme);
      const group = expectBody(await acme.ask("GET", `/groups/${groupId}`), 200, Group);
      const renamed = expectBody(await acme.ask("PATCH", `/groups/${groupId}`, { name: "Renamed" }), 200, Group);
      assert.deepEqual(renamed, { ...group, name: "Renamed" });
      expectFaults(await acme.ask("PATCH", `/groups/${groupId}`, { nmae: "x" }), "nmae");
      expectFaults(await acme.ask("PATCH", `/groups/${groupId}`, { name: "" }), "name");
      expectProblem(await globex.ask("GET", `/groups/${groupId}`), 404, "not_found");
      expectProblem(await globex.ask("PATCH", `/groups/${groupId}`, { name: "x" }), 404, "not_found");
      await acme.ask("DELETE", `/groups/${groupId}`);
      expectProblem(await acme.ask("GET", `/groups/${groupId}`), 404, "not_found");
      expectProblem(await acme.ask("PATCH", `/groups/${groupId}`, { name: "x" }), 404, "not_found");
    },
    "a name is required, of 1 to 100 characters": async ({ acme }) => {
      for (const body of [{}, { name: "" }, { name: "x".repeat(101) }, { name: null }])
        expectFaults(await acme.ask("POST", "/groups", body), "name");
    },
    "adding a member is 201, again 200 with the same": async ({ acme }) => {
      const groupId = await makeGroup(acme);
      const { userId } = acme.owner;
      const add = () => acme.ask("POST", `/groups/${groupId}/members`, { userId });
      const first = expectBody(await add(), 201, GroupMember);
      assert.deepEqual([first.groupId, first.userId], [groupId, userId]);
      assert.deepEqual(expectBody(await add(), 200, GroupMember), first);
      const list = expectBody(await acme.ask("GET", `/groups/${groupId}/members`), 200, v.array(GroupMemberWithName));
      const { name, email } = acme.owner;
      assert.deepEqual(list, [{ ...first, name, email }]);
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
    "an unknown group is 404, who is no member of the workspace 422": async ({ acme, globex, session }) => {
      const { userId } = acme.owner;
      expectProblem(await acme.ask("POST", "/groups/grp_0000000000000000/members", { userId }), 404, "not_found");
      const groupId = await makeGroup(acme);
      for (const stranger of [session.outsider.userId, globex.owner.userId, "usr_0000", "nobody"])
        expectFaults(await acme.ask("POST", `/groups/${groupId}/members`, { userId: stranger }), "userId");
      expectFaults(await acme.ask("POST", `/groups/${groupId}/members`, {}), "userId");
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
    "removing a member is 204, then 404": async ({ acme }) => {
      const groupId = await makeGroup(acme, [acme.owner]);
      const remove = () => acme.ask("DELETE", `/groups/${groupId}/members/${acme.owner.userId}`);
      expectStatus(await remove(), 204);
      expectProblem(await remove(), 404, "not_found");
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
    "deleting one is 204, then 404": async ({ acme }) => {
      const groupId = await makeGroup(acme, [acme.owner]);
      expectStatus(await acme.ask("DELETE", `/groups/${groupId}`), 204);
      expectProblem(await acme.ask("DELETE", `/groups/${groupId}`), 404, "not_found");
      expectProblem(await acme.ask("GET", `/groups/${groupId}/members`), 404, "not_found");
    },
    "a group of another workspace is not found": async ({ acme, globex }) => {
      const groupId = await makeGroup(globex, [globex.owner]);
      const { userId } = acme.owner;
      expectProblem(await acme.ask("GET", `/groups/${groupId}/members`), 404, "not_found");
      expectProblem(await acme.ask("POST", `/groups/${groupId}/members`, { userId }), 404, "not_found");
      expectProblem(await acme.ask("DELETE", `/groups/${groupId}/members/${globex.owner.userId}`), 404, "not_found");
      expectProblem(await acme.ask("DELETE", `/groups/${groupId}`), 404, "not_found");
      const list = await globex.ask("GET", `/groups/${groupId}/members`);
      assert.equal(expectBody(list, 200, v.array(GroupMemberWithName)).length, 1);
      await globex.ask("DELETE", `/groups/${groupId}`);
    },
    "who is removed from a group is told no more": async ({ fresh }) => {
      const house = await fresh();
      const groupId = await makeGroup(house, house.people);
      await makeRule(house, { eventKey: "*", groupId });
      await house.ask("DELETE", `/groups/${groupId}/members/${house.owner.userId}`);
      const told = await settled(house, await send(house));
      assert.deepEqual(
        told.map(({ user }) => user.id),
        [house.people[1]?.userId],
      );
    },
  }),
  ...section("Notifications", {
    "who has no device gets one that has FAILED with the reason": async ({ fresh }) => {
      const house = await loud(fresh);
      for (const { status, failedReason, sentAt } of await settled(house, await send(house)))
        assert.deepEqual([status, failedReason, sentAt], ["FAILED", "No registered devices for user", null]);
    },
    "who has one gets one that is SENT": async ({ fresh, unique, session }) => {
      const house = await loud(fresh);
      if (session.fcm === undefined) return skip("no stand-in takes the pushes");
      expectStatus(await registerDevice(house, house.owner, unique("conformance-")), 201);
      const told = await settled(house, await send(house));
      const mine = told.find(({ user }) => user.id === house.owner.userId);
      assert.deepEqual([mine?.status, mine?.failedReason], ["SENT", null]);
      assert.notEqual(mine?.sentAt, null);
    },
    "where all devices are stale it has FAILED, and says how many": async ({ fresh, unique, session }) => {
      const house = await loud(fresh);
      if (session.fcm === undefined) return skip("no stand-in takes the pushes");
      for (const nr of [1, 2]) expectStatus(await registerDevice(house, house.owner, unique(`stale-${nr}-`)), 201);
      const told = await settled(house, await send(house));
      const mine = told.find(({ user }) => user.id === house.owner.userId);
      assert.deepEqual([mine?.status, mine?.failedReason], ["FAILED", "FCM: all 2 device(s) failed"]);
    },
    "shows event and recipient": async ({ fresh }) => {
      const house = await loud(fresh);
      const eventId = await send(house, { event: "a.b", title: "Shown" });
      const told = await settled(house, eventId);
      for (const { event, user } of told) {
        assert.deepEqual(event, { id: eventId, eventKey: "a.b", title: "Shown" });
        const person = house.people.find(({ userId }) => userId === user.id);
        assert.deepEqual(user, { id: person?.userId, name: person?.name, email: person?.email });
      }
    },
    "the list is an array, the newest first, of at most limit": async ({ fresh }) => {
      const house = await loud(fresh);
      for (let index = 0; index < 3; index += 1) await settled(house, await send(house));
      const all = await notificationsOf(house);
      assert.equal(all.length, 6);
      assert.deepEqual(
        all.map(({ createdAt }) => createdAt),
        all
          .map(({ createdAt }) => createdAt)
          .sort()
          .reverse(),
      );
      assert.deepEqual(await notificationsOf(house, "?limit=4"), all.slice(0, 4));
      assert.equal((await notificationsOf(house, "?limit=100000")).length, 6);
      for (const limit of ["0", "-1", "x", "1.5"])
        expectFaults(await house.ask("GET", `/notifications?limit=${limit}`), "limit");
    },
  }),
  ...section("Acknowledging", {
    "PATCH with ACKNOWLEDGED answers 200 with the notification and its time": async ({ fresh }) => {
      const house = await loud(fresh);
      const [one] = await settled(house, await send(house));
      const answer = await house.ask("PATCH", `/notifications/${one?.id ?? ""}`, { status: "ACKNOWLEDGED" });
      const done = expectBody(answer, 200, Notification);
      assert.equal(done.status, "ACKNOWLEDGED");
      assert.notEqual(done.acknowledgedAt, null);
      assert.deepEqual(
        (await notificationsOf(house)).find(({ id }) => id === done.id),
        done,
      );
    },
    "any member may do it": async ({ fresh }) => {
      const house = await loud(fresh);
      const [one] = await settled(house, await send(house));
      for (const person of house.people)
        expectStatus(
          await house.as(person, "PATCH", `/notifications/${one?.id ?? ""}`, { status: "ACKNOWLEDGED" }),
          200,
        );
    },
    "again it keeps the first time": async ({ fresh }) => {
      const house = await loud(fresh);
      const [one] = await settled(house, await send(house));
      const ack = () => house.ask("PATCH", `/notifications/${one?.id ?? ""}`, { status: "ACKNOWLEDGED" });
      const first = expectBody(await ack(), 200, Notification);
      assert.deepEqual(expectBody(await ack(), 200, Notification), first);
    },
    "states only move forward": async ({ fresh }) => {
      const house = await loud(fresh);
      const [one] = await settled(house, await send(house));
      const report = async (status: string) =>
        expectBody(await house.ask("PATCH", `/notifications/${one?.id ?? ""}`, { status }), 200, Notification).status;
      assert.equal(await report("DELIVERED"), "DELIVERED");
      assert.equal(await report("OPENED"), "OPENED");
      assert.equal(await report("DELIVERED"), "OPENED");
      assert.equal(await report("ACKNOWLEDGED"), "ACKNOWLEDGED");
      assert.equal(await report("OPENED"), "ACKNOWLEDGED");
    },
    "any other status, and any other field, is 422": async ({ fresh }) => {
      const house = await loud(fresh);
      const [one] = await settled(house, await send(house));
      const path = `/notifications/${one?.id ?? ""}`;
      for (const status of ["QUEUED", "SENT", "FAILED", "acknowledged", "", 1])
        expectFaults(await house.ask("PATCH", path, { status }), "status");
      expectFaults(await house.ask("PATCH", path, { status: "ACKNOWLEDGED", sentAt: null }), "sentAt");
      expectFaults(await house.ask("PATCH", path, {}), "status");
    },
    "one of another workspace is not found, and stays as it is": async ({ acme, fresh }) => {
      const house = await loud(fresh);
      const [one] = await settled(house, await send(house));
      const answer = await acme.ask("PATCH", `/notifications/${one?.id ?? ""}`, { status: "ACKNOWLEDGED" });
      expectProblem(answer, 404, "not_found");
      assert.ok((await notificationsOf(house)).every(({ status }) => status !== "ACKNOWLEDGED"));
    },
    "an unknown one is 404": async ({ acme }) => {
      for (const id of [`ntf_${"0".repeat(27)}`, "ntf_1", "nothing"])
        expectProblem(await acme.ask("PATCH", `/notifications/${id}`, { status: "ACKNOWLEDGED" }), 404, "not_found");
    },
  }),
  ...section("Workspaces and members", {
    "who creates a workspace is its first member": async ({ client, session }) => {
      const { token, userId } = session.outsider;
      const made = expectBody(
        await client("POST", "/v1/workspaces", { token, body: { name: "Mine" } }),
        201,
        Workspace,
      );
      const root = `/v1/workspaces/${made.id}`;
      assert.deepEqual(expectBody(await client("GET", root, { token }), 200, Workspace), made);
      const mine = expectBody(await client("GET", "/v1/workspaces", { token }), 200, v.array(Workspace));
      assert.ok(mine.some(({ id }) => id === made.id));
      const members = expectBody(await client("GET", `${root}/members`, { token }), 200, v.array(ListedMember));
      assert.deepEqual(
        members.map((member) => member.userId),
        [userId],
      );
    },
    "PATCH renames it, and changes nothing else": async ({ fresh }) => {
      const house = await fresh();
      const before = expectBody(await house.ask("GET", ""), 200, Workspace);
      assert.deepEqual(expectBody(await house.ask("PATCH", "", { name: "Renamed" }), 200, Workspace), {
        ...before,
        name: "Renamed",
      });
      expectFaults(await house.ask("PATCH", "", { id: "ws_1", plan: 1 }), "id", "plan");
      expectFaults(await house.ask("PATCH", "", { name: "" }), "name");
    },
    "a workspace is listed to its members only": async ({ acme, globex, client }) => {
      const { token } = globex.owner;
      const list = expectBody(await client("GET", "/v1/workspaces", { token }), 200, v.array(Workspace));
      assert.ok(list.some(({ id }) => id === globex.id) && !list.some(({ id }) => id === acme.id));
    },
    "a member is added with userId, name and email, and can use the workspace at once": async ({ fresh, session }) => {
      const house = await fresh();
      const { userId, name, email, token } = session.outsider;
      expectStatus(await house.as({ token }, "GET", "/groups"), 403);
      const added = expectBody(await house.ask("POST", "/members", { userId, name, email }), 201, Member);
      assert.deepEqual([added.userId, added.name, added.email], [userId, name, email]);
      expectStatus(await house.as({ token }, "GET", "/groups"), 200);
      expectFaults(await house.ask("POST", "/members", {}), "userId", "name", "email");
      expectFaults(await house.ask("POST", "/members", { userId: "x", name, email: "x" }), "userId", "email");
    },
    "who is removed is out at once, and out of the groups": async ({ fresh, session }) => {
      const house = await fresh();
      const { userId, name, email, token } = session.outsider;
      await house.ask("POST", "/members", { userId, name, email });
      const groupId = await makeGroup(house, [session.outsider]);
      expectStatus(await house.as({ token }, "POST", "/devices", { token: `of-${house.id}`, platform: "web" }), 201);
      expectStatus(await house.ask("DELETE", `/members/${userId}`), 204);
      expectProblem(await house.as({ token }, "GET", "/groups"), 403, "not_a_member");
      const members = await house.ask("GET", `/groups/${groupId}/members`);
      assert.deepEqual(expectBody(members, 200, v.array(GroupMember)), []);
      expectProblem(await house.ask("DELETE", `/members/${userId}`), 404, "not_found");
      await house.ask("POST", "/members", { userId, name, email });
      assert.deepEqual(expectBody(await house.as({ token }, "GET", "/devices"), 200, v.array(Device)), []);
    },
    "the last member cannot be removed": async ({ fresh }) => {
      const house = await fresh();
      const [, second] = house.people;
      expectStatus(await house.ask("DELETE", `/members/${second?.userId ?? ""}`), 204);
      expectProblem(await house.ask("DELETE", `/members/${house.owner.userId}`), 409, "last_member");
      expectStatus(await house.ask("GET", ""), 200);
    },
  }),
  ...section("Devices", {
    "registering is 201, again with the token 200; the token is not shown": async ({ fresh, unique }) => {
      const house = await fresh();
      const token = unique("d");
      const first = expectBody(await registerDevice(house, house.owner, token), 201, Device);
      const again = expectBody(await registerDevice(house, house.owner, token), 200, Device);
      assert.equal(again.id, first.id);
      const answer = await house.ask("GET", "/devices");
      assert.deepEqual(
        expectBody(answer, 200, v.array(Device)).map(({ id }) => id),
        [first.id],
      );
      assert.ok(!JSON.stringify(answer.body).includes(token));
    },
    "everybody sees and deletes the own ones only": async ({ fresh, unique }) => {
      const house = await fresh();
      const [, other] = house.people;
      if (other === undefined) return;
      const device = expectBody(await registerDevice(house, house.owner, unique("d")), 201, Device);
      assert.deepEqual(expectBody(await house.as(other, "GET", "/devices"), 200, v.array(Device)), []);
      expectProblem(await house.as(other, "DELETE", `/devices/${device.id}`), 404, "not_found");
      expectStatus(await house.ask("DELETE", `/devices/${device.id}`), 204);
      expectProblem(await house.ask("DELETE", `/devices/${device.id}`), 404, "not_found");
    },
    "a token belongs to its latest user": async ({ fresh, unique }) => {
      const house = await fresh();
      const [first, second] = house.people;
      if (first === undefined || second === undefined) return;
      const token = unique("d");
      expectStatus(await registerDevice(house, first, token), 201);
      expectStatus(await registerDevice(house, second, token), 201);
      assert.deepEqual(expectBody(await house.as(first, "GET", "/devices"), 200, v.array(Device)), []);
      assert.equal(expectBody(await house.as(second, "GET", "/devices"), 200, v.array(Device)).length, 1);
    },
    "at most 10 a user": async ({ fresh, unique }) => {
      const house = await fresh();
      for (let index = 0; index < 10; index += 1)
        expectStatus(await registerDevice(house, house.owner, unique("d")), 201);
      expectProblem(await registerDevice(house, house.owner, unique("d")), 409, "limit_reached");
    },
    "a browser is told what its own keys read": async ({ client, fresh, unique, session: { webPush } }) => {
      if (webPush === undefined) return skip("no stand-in takes the pushes");
      const house = await loud(fresh);
      const { token } = house.owner;
      const key = expectBody(await client("GET", "/v1/web-push/key", { token }), 200, WebPushKey);
      assert.match(key.publicKey, /^B[\w-]{86}$/);
      const made = await fetch(`${webPush.inboxUrl}/keys`, { method: "POST" });
      const keys = v.parse(v.object({ p256dh: v.string(), auth: v.string() }), await made.json());
      const endpoint = `${webPush.endpointPrefix}${unique("browser-")}`;
      expectStatus(await house.ask("POST", "/devices", { subscription: { endpoint, keys } }), 201);
      expectStatus(await house.ask("POST", "/devices", { subscription: { endpoint, keys } }), 200);
      const eventId = await send(house, { title: "For a browser" });
      const mine = (await settled(house, eventId)).find(({ user }) => user.id === house.owner.userId);
      assert.equal(mine?.status, "SENT");
      const inbox = v.parse(Inbox, await (await fetch(webPush.inboxUrl)).json());
      const taken = inbox.messages.filter((message) => message.endpoint === endpoint);
      assert.deepEqual(
        taken.map(({ message }) => message?.notification.title),
        ["For a browser"],
      );
      assert.equal(taken[0]?.message?.notification.data["eventId"], eventId);
    },
    "a test goes out at once, to one's own device only, and not twice in a row": async ({ fresh, unique }) => {
      const house = await fresh();
      const [, other] = house.people;
      const { id } = expectBody(await registerDevice(house, house.owner, unique("d")), 201, Device);
      const sent = expectBody(await house.ask("POST", `/devices/${id}/test`), 200, DeviceTestAnswer);
      assert.deepEqual([sent.outcome, sent.code], ["accepted", null]);
      expectProblem(await house.ask("POST", `/devices/${id}/test`), 429, "rate_limited");
      if (other !== undefined) expectProblem(await house.as(other, "POST", `/devices/${id}/test`), 404, "not_found");
      const [device] = expectBody(await house.ask("GET", "/devices"), 200, v.array(Device));
      assert.deepEqual(device?.lastTest, { sentAt: sent.sentAt, shownAt: null });
    },
    "a browser confirms and acknowledges without a session, by its key and the push's token": async (world) => {
      const { client, fresh, unique, session } = world;
      const { webPush } = session;
      if (webPush === undefined) return skip("no stand-in takes the pushes");
      const house = await loud(fresh);
      const made = await fetch(`${webPush.inboxUrl}/keys`, { method: "POST" });
      const keys = v.parse(v.object({ p256dh: v.string(), auth: v.string() }), await made.json());
      const endpoint = `${webPush.endpointPrefix}${unique("phone-")}`;
      const signer = await newSigner();
      const { receiptKey } = signer;
      const added = await house.ask("POST", "/devices", { subscription: { endpoint, keys }, receiptKey });
      const { id } = expectBody(added, 201, Device);
      const pushed = async () => {
        const inbox = v.parse(Inbox, await (await fetch(webPush.inboxUrl)).json());
        const mine = inbox.messages.findLast((one) => one.endpoint === endpoint);
        return mine?.message?.notification.data["receipt"] ?? "";
      };
      const tell = async (token: string, status: string, other: object = {}) =>
        client("POST", "/v1/receipts", { body: { ...(await signer.sign(token, status)), ...other } });
      expectBody(await house.ask("POST", `/devices/${id}/test`), 200, DeviceTestAnswer);
      expectStatus(await tell(await pushed(), "DELIVERED"), 200);
      const [shown] = expectBody(await house.ask("GET", "/devices"), 200, v.array(Device));
      assert.ok((shown?.lastTest?.shownAt ?? "") >= (shown?.lastTest?.sentAt ?? "x"));
      const eventId = await send(house, { requiresAck: true });
      await settled(house, eventId);
      const token = await pushed();
      for (const status of ["DELIVERED", "ACKNOWLEDGED", "ACKNOWLEDGED"])
        assert.deepEqual(expectBody(await tell(token, status), 200, v.object({ status: v.string() })), { status });
      const { acknowledgedBy } = expectBody(await house.ask("GET", `/events/${eventId}`), 200, Event);
      assert.equal(acknowledgedBy?.id, house.owner.userId);
      for (const wrong of [{ token: "none" }, { at: 1 }, { status: "SENT" }, { signature: null }])
        expectProblem(await tell(token, "ACKNOWLEDGED", wrong), 401, "unauthenticated");
    },
    "a browser that has gone fails as a stale token does": async ({ fresh, unique, session: { webPush } }) => {
      if (webPush === undefined) return skip("no stand-in takes the pushes");
      const house = await loud(fresh);
      const made = await fetch(`${webPush.inboxUrl}/keys`, { method: "POST" });
      const keys = v.parse(v.object({ p256dh: v.string(), auth: v.string() }), await made.json());
      const endpoint = `${webPush.endpointPrefix}${unique("stale-")}`;
      expectStatus(await house.ask("POST", "/devices", { subscription: { endpoint, keys } }), 201);
      const mine = (await settled(house, await send(house))).find(({ user }) => user.id === house.owner.userId);
      assert.deepEqual([mine?.status, mine?.failedReason], ["FAILED", "FCM: all 1 device(s) failed"]);
      assert.deepEqual(expectBody(await house.ask("GET", "/devices"), 200, v.array(Device)), []);
    },
    "a device has one address, and only push services are called": async ({ acme, unique }) => {
      const keys = { p256dh: BROWSER_KEY, auth: "BTBZMqHH6r4Tts7J_aSIgg" };
      const subscription = { endpoint: "https://fcm.googleapis.com/fcm/send/x", keys };
      const token = unique("d");
      expectFaults(await acme.ask("POST", "/devices", { platform: "ios" }), "token");
      expectFaults(await acme.ask("POST", "/devices", { token, fid: token, platform: "ios" }), "fid");
      expectFaults(await acme.ask("POST", "/devices", { token, subscription, platform: "ios" }), "subscription");
      for (const endpoint of ["https://evil.example/x", "http://fcm.googleapis.com/x", "https://127.0.0.1/x"])
        expectFaults(await acme.ask("POST", "/devices", { subscription: { endpoint, keys } }), "subscription.endpoint");
    },
    "token and platform are required, platform one of ios, android, web": async ({ acme }) => {
      expectFaults(await acme.ask("POST", "/devices", {}), "token", "platform");
      expectFaults(await acme.ask("POST", "/devices", { token: "", platform: "windows" }), "token", "platform");
    },
  }),
  ...section("On-call", {
    "a schedule is kept as it was put": async ({ fresh }) => {
      const house = await fresh();
      const groupId = await makeGroup(house, house.people);
      const path = `/groups/${groupId}/on-call`;
      expectProblem(await house.ask("GET", path), 404, "not_found");
      const participants = house.people.map(({ userId }) => userId);
      const layers = [{ start: "2026-01-05T09:00", every: 1, unit: "week", participants }];
      expectBody(await house.ask("PUT", path, { timeZone: "Europe/Berlin", layers }), 200, Schedule);
      const kept = expectBody(await house.ask("GET", path), 200, Schedule);
      assert.deepEqual([kept.timeZone, kept.layers], ["Europe/Berlin", layers]);
    },
    "who is on call is told for every group at once": async ({ fresh }) => {
      const house = await fresh();
      const scheduled = await makeGroup(house, house.people);
      const empty = await makeGroup(house);
      const participants = house.people.slice(0, 1).map(({ userId }) => userId);
      const layers = [{ start: "2026-01-05T09:00", every: 1, unit: "week", participants }];
      await house.ask("PUT", `/groups/${scheduled}/on-call`, { timeZone: "UTC", layers });
      const path = "/on-call/now?at=2026-06-01T00:00:00Z";
      const groups = expectBody(await house.ask("GET", path), 200, v.array(GroupOnCallNow));
      assert.deepEqual(
        groups.map(({ groupId, at, onCall }) => [groupId, at, onCall.map(({ userId }) => userId)]),
        [
          [scheduled, "2026-06-01T00:00:00.000Z", participants],
          [empty, "2026-06-01T00:00:00.000Z", []],
        ],
      );
      expectFaults(await house.ask("GET", "/on-call/now?at=now"), "at");
    },
    "one's own shifts are listed with their groups": async ({ fresh }) => {
      const house = await fresh();
      const groupId = await makeGroup(house, house.people);
      const participants = house.people.map(({ userId }) => userId);
      assert.deepEqual(expectBody(await house.ask("GET", "/on-call/mine"), 200, v.array(MyShift)), []);
      const layers = [{ start: "2026-01-05T09:00", every: 1, unit: "day", participants }];
      await house.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "UTC", layers });
      const shifts = expectBody(await house.ask("GET", "/on-call/mine"), 200, v.array(MyShift));
      assert.ok(shifts.length === 14 || shifts.length === 15, `${shifts.length} shifts in four weeks`);
      for (const { end, start, ...shift } of shifts) {
        assert.deepEqual(shift, { groupId, groupName: "conformance", inGroup: true });
        assert.equal(Date.parse(end ?? "") - Date.parse(start), 24 * 3_600_000);
      }
    },
    "a calendar feed opens by its address alone, until it is renewed or closed": async ({ fresh, client }) => {
      const house = await fresh();
      const groupId = await makeGroup(house, house.people);
      const participants = house.people.map(({ userId }) => userId);
      const layers = [{ start: "2026-01-05T09:00", every: 1, unit: "day", participants }];
      await house.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "Europe/Berlin", layers });
      for (const path of ["/on-call/mine/calendar", `/groups/${groupId}/on-call/calendar`]) {
        const first = expectBody(await house.ask("POST", path), 201, CalendarAddress);
        const read = async (url: string) => client("GET", new URL(url).pathname);
        const feed = expectStatus(await read(first.url), 200);
        assert.match(feed.headers.get("content-type") ?? "", /^text\/calendar/);
        assert.match(String(feed.body), /^BEGIN:VCALENDAR\r\n[^]*BEGIN:VEVENT\r\n[^]*END:VCALENDAR\r\n$/);
        const second = expectBody(await house.ask("POST", path), 201, CalendarAddress);
        expectProblem(await read(first.url), 404, "not_found");
        expectStatus(await read(second.url), 200);
        expectStatus(await house.ask("DELETE", path), 204);
        expectProblem(await read(second.url), 404, "not_found");
        expectProblem(await house.ask("DELETE", path), 404, "not_found");
      }
      expectProblem(await client("GET", "/v1/calendars/cal_1_x.ics"), 404, "not_found");
    },
    "handoffs are at wall-clock time, also after the clocks change": async ({ fresh }) => {
      const house = await fresh();
      const groupId = await makeGroup(house, house.people);
      const [first, second] = house.people.map(({ userId }) => userId);
      const layers = [{ start: "2026-03-23T09:00", every: 1, unit: "week", participants: [first, second] }];
      await house.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "Europe/Berlin", layers });
      const at = async (time: string) => {
        const answer = await house.ask("GET", `/groups/${groupId}/on-call/now?at=${time}`);
        return expectBody(answer, 200, OnCallNow).onCall.map(({ userId }) => userId);
      };
      // Berlin is at +01:00 until 29 March 2026, at +02:00 after it.
      assert.deepEqual(await at("2026-03-23T07:59:59Z"), []);
      assert.deepEqual(await at("2026-03-23T08:00:00Z"), [first]);
      assert.deepEqual(await at("2026-03-30T06:59:59Z"), [first]);
      assert.deepEqual(await at("2026-03-30T07:00:00Z"), [second]);
    },
    "turns are of several people and of nobody, by months, until the layer ends": async ({ fresh }) => {
      const house = await fresh();
      const groupId = await makeGroup(house, house.people);
      const [first, second] = house.people.map(({ userId }) => userId);
      const participants = [[first, second], second, []];
      const layer = { start: "2026-01-31T09:00", until: "2026-06-15T12:00", every: 1, unit: "month", participants };
      const put = await house.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "Europe/Berlin", layers: [layer] });
      assert.deepEqual(expectBody(put, 200, Schedule).layers, [layer]);
      const at = async (time: string) => {
        const answer = await house.ask("GET", `/groups/${groupId}/on-call/now?at=${time}`);
        return expectBody(answer, 200, OnCallNow).onCall.map(({ userId }) => userId);
      };
      assert.deepEqual(await at("2026-02-28T07:59:59Z"), [first, second]);
      assert.deepEqual(await at("2026-02-28T08:00:00Z"), [second]);
      assert.deepEqual(await at("2026-03-31T07:00:00Z"), []);
      assert.deepEqual(await at("2026-04-30T07:00:00Z"), [first, second]);
      assert.deepEqual(await at("2026-06-15T09:59:59Z"), [second]);
      assert.deepEqual(await at("2026-06-15T10:00:00Z"), []);
    },
    "who is never on duty is a warning, and turns counted by duty leave nobody out": async ({ fresh }) => {
      const house = await fresh();
      const groupId = await makeGroup(house, house.people);
      const [first, second] = house.people.map(({ userId }) => userId);
      const participants = [first, first, first, first, first, second, second];
      const restrictions = [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "00:00", to: "24:00" }];
      const layer = { start: "2026-01-05T00:00", every: 1, unit: "day", participants, restrictions };
      const put = async (changes: object) => {
        const body = { timeZone: "UTC", layers: [{ ...layer, ...changes }] };
        const { warnings } = expectBody(
          await house.ask("PUT", `/groups/${groupId}/on-call`, body),
          200,
          WrittenSchedule,
        );
        return warnings.filter(({ code }) => code === "never_on_duty").map(({ id }) => id);
      };
      assert.deepEqual(await put({}), [second]);
      assert.deepEqual(await put({ turns: "duty" }), []);
    },
    "an override wins while it lasts": async ({ fresh }) => {
      const house = await fresh();
      const groupId = await makeGroup(house, house.people);
      const [first, second] = house.people.map(({ userId }) => userId);
      const layers = [{ start: "2026-01-05T00:00", every: 1, unit: "day", participants: [first] }];
      await house.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "UTC", layers });
      const body = { userId: second, start: "2026-06-01T00:00:00Z", end: "2026-06-02T00:00:00Z" };
      const path = `/groups/${groupId}/on-call`;
      const { id } = expectBody(await house.ask("POST", `${path}/overrides`, body), 201, Override);
      const at = async (time: string) =>
        expectBody(await house.ask("GET", `${path}/now?at=${time}`), 200, OnCallNow).onCall.map(({ userId }) => userId);
      assert.deepEqual(await at("2026-05-31T23:59:59Z"), [first]);
      assert.deepEqual(await at("2026-06-01T00:00:00Z"), [second]);
      assert.deepEqual(await at("2026-06-02T00:00:00Z"), [first]);
      expectStatus(await house.ask("DELETE", `${path}/overrides/${id}`), 204);
      assert.deepEqual(await at("2026-06-01T00:00:00Z"), [first]);
      expectProblem(await house.ask("DELETE", `${path}/overrides/${id}`), 404, "not_found");
    },
    "removing somebody does not shift the others": async ({ fresh, session }) => {
      const house = await fresh();
      const { userId, name, email } = session.outsider;
      await house.ask("POST", "/members", { userId, name, email });
      const groupId = await makeGroup(house, [...house.people, session.outsider]);
      const [first, second] = house.people.map((person) => person.userId);
      const layers = [{ start: "2026-01-01T00:00", every: 1, unit: "day", participants: [userId, first, second] }];
      await house.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "UTC", layers });
      const on = async (day: number) => {
        const at = `2026-01-${String(day).padStart(2, "0")}T12:00:00Z`;
        const answer = await house.ask("GET", `/groups/${groupId}/on-call/now?at=${at}`);
        return expectBody(answer, 200, OnCallNow).onCall.map((person) => person.userId);
      };
      assert.deepEqual([await on(2), await on(3), await on(5)], [[first], [second], [first]]);
      await house.ask("DELETE", `/members/${userId}`);
      assert.deepEqual([await on(2), await on(3), await on(5)], [[first], [second], [first]]);
    },
    "what is wrong with a schedule is 422 at its place": async ({ acme, globex }) => {
      const groupId = await makeGroup(acme);
      const put = (body: object) => acme.ask("PUT", `/groups/${groupId}/on-call`, body);
      expectFaults(await put({}), "timeZone", "layers");
      expectFaults(await put({ timeZone: "Mars/Base", layers: [] }), "timeZone");
      const layer = { start: "2026-01-05T09:00", every: 1, unit: "week", participants: [] };
      expectFaults(
        await put({ timeZone: "UTC", layers: [{ ...layer, every: 0, unit: "year", turns: "all", until: "soon" }] }),
        "layers[0].every",
        "layers[0].unit",
        "layers[0].turns",
        "layers[0].until",
      );
      expectFaults(
        await put({ timeZone: "UTC", layers: [{ ...layer, until: "2026-01-05T09:00" }] }),
        "layers[0].until",
      );
      expectFaults(
        await put({ timeZone: "UTC", layers: [{ ...layer, participants: [[acme.owner.userId, 5]] }] }),
        "layers[0].participants[0][1]",
      );
      const foreign = { ...layer, participants: [globex.owner.userId, [acme.owner.userId, globex.owner.userId]] };
      expectFaults(
        await put({ timeZone: "UTC", layers: [foreign] }),
        "layers[0].participants[0]",
        "layers[0].participants[1][1]",
      );
      expectFaults(await acme.ask("GET", `/groups/${groupId}/on-call/now?at=yesterday`), "at");
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
    "an unknown group is 404 everywhere": async ({ acme }) => {
      const path = "/groups/grp_0000000000000000/on-call";
      expectProblem(await acme.ask("GET", path), 404, "not_found");
      expectProblem(await acme.ask("GET", `${path}/now`), 404, "not_found");
      expectProblem(await acme.ask("PUT", path, { timeZone: "UTC", layers: [] }), 404, "not_found");
    },
  }),
  ...section("Event types and sites", {
    "after the first event of a key its data's paths, types and values are known": async ({ fresh }) => {
      const house = await fresh();
      await send(house, { event: "order.failed", data: { amount: 5, inner: { code: "X" } } });
      await eventually(async () => {
        const list = expectBody(await house.ask("GET", "/event-types"), 200, v.array(EventType));
        assert.deepEqual(
          list.map(({ eventKey }) => eventKey),
          ["order.failed"],
        );
        const { fields } = expectBody(await house.ask("GET", "/event-types/order.failed"), 200, EventTypeWithFields);
        assert.deepEqual(
          fields.toSorted((a, b) => a.path.localeCompare(b.path)),
          [
            { path: "data.amount", types: ["number"], samples: [5] },
            { path: "data.inner.code", types: ["string"], samples: ["X"] },
          ],
        );
      });
      expectProblem(await house.ask("GET", "/event-types/order.unknown"), 404, "not_found");
    },
    "later events add what is new": async ({ fresh }) => {
      const house = await fresh();
      for (const amount of [5, "many"]) await send(house, { event: "order.failed", data: { amount } });
      await eventually(async () => {
        const { fields } = expectBody(await house.ask("GET", "/event-types/order.failed"), 200, EventTypeWithFields);
        assert.deepEqual(fields[0]?.types.toSorted(), ["number", "string"]);
      });
    },
    "data.site and data.site_name register an event to its site": async ({ fresh }) => {
      const house = await fresh();
      const data = { site: "https://shop.example/a", site_name: "Shop" };
      const ids = [await send(house, { data }), await send(house, { data })];
      await send(house, { data: { site: "https://shop.example/a" } });
      await send(house);
      await eventually(async () => {
        const sites = expectBody(await house.ask("GET", "/sites"), 200, v.array(Site));
        assert.deepEqual(
          sites.map(({ site, name, events }) => [site, name, events]),
          [["https://shop.example/a", "Shop", 2]],
        );
      });
      const query = `site=${encodeURIComponent("https://shop.example/a")}`;
      const page = expectBody(await house.ask("GET", `/events?${query}`), 200, EventPage);
      assert.equal(page.total, 2);
      assert.deepEqual(page.items.map(({ id }) => id).sort(), ids.sort());
      const part = expectBody(await house.ask("GET", `/events?${query}&limit=1&page=2`), 200, EventPage);
      assert.deepEqual([part.total, part.items.length], [2, 1]);
      const slash = `site=${encodeURIComponent("https://SHOP.example/a/")}`;
      const plain = expectBody(await house.ask("GET", `/events?${query}`), 200, EventPage);
      assert.deepEqual(expectBody(await house.ask("GET", `/events?${slash}`), 200, EventPage), plain);
      const none = expectBody(await house.ask("GET", "/events?site=https://other.example"), 200, EventPage);
      assert.deepEqual([none.total, none.items], [0, []]);
      expectFaults(await house.ask("GET", "/events?site=nowhere"), "site");
      expectFaults(await house.ask("GET", `/events?${query}&page=101&limit=100`), "page");
    },
    "what is no such event is registered to no site": async ({ fresh }) => {
      const house = await fresh();
      await house.post(anEvent({ data: { site: "not a url", site_name: "X" } }));
      assert.deepEqual(expectBody(await house.ask("GET", "/sites"), 200, v.array(Site)), []);
    },
  }),
];
