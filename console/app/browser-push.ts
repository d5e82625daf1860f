import { encodeBase64url, readOrCreateKey } from "../receipts/sign.ts";
import { createLocalFailure } from "./failure.ts";
import type { PageContext } from "./page.tsx";
import { readRegistrations, writeRegistrations } from "./registered.ts";
import { isLocal } from "./setting.ts";
import { isText, objectShape } from "./shape.ts";
import type { Answers } from "./types.ts";
import { texts } from "../page-texts.ts";
import { DAY_MS } from "../../core/domain/basics/units.ts";

/*
 * Registers this browser as a device, with a subscription at the browser's push service. On a developer's machine without a push
 * service, the local service accepts pushes, and an open page passes them to the worker.
 */

const KEPT = "local-push";
const STAND_IN = "/local/web-push";

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };
const isSubscription = objectShape<Subscription>({
  endpoint: isText,
  keys: objectShape({ p256dh: isText, auth: isText }),
});

const parseSubscription = (answer: unknown): Subscription => {
  if (!isSubscription(answer)) throw new Error("the push service made no subscription");
  return answer;
};

/** Passes pushes from the stand-in of the push service to the worker. */
export const forwardPushes = (): void => {
  const endpoint = localStorage.getItem(KEPT);
  if (endpoint === null) return;
  const stream = new EventSource(`${STAND_IN}/stream?${new URLSearchParams({ endpoint }).toString()}`);
  stream.addEventListener("message", ({ data }) => {
    void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ push: String(data) }));
  });
};

const createStandInSubscription = async (): Promise<Subscription> => {
  const former = localStorage.getItem(KEPT);
  const asked = new URLSearchParams(former === null ? {} : { endpoint: former });
  const answer = await fetch(`${STAND_IN}/subscriptions?${asked.toString()}`, { method: "POST" });
  const subscription = parseSubscription(await answer.json());
  localStorage.setItem(KEPT, subscription.endpoint);
  if (former === null) forwardPushes();
  return subscription;
};

/** Returns false only if the subscription was certainly created with another key. */
const isCreatedWithKey = ({ options }: PushSubscription, publicKey: string): boolean => {
  const key = options.applicationServerKey;
  return key === null || encodeBase64url(key) === publicKey;
};

/**
 * The timeout of a subscription, because a browser without a network waits forever. On a developer's machine, the timeout is
 * shorter, because the browser then uses the stand-in for the push service.
 */
const PATIENCE_MS = isLocal ? 6_000 : 30_000;

/** Returns the promise's result. Throws an error if the result takes longer than `PATIENCE_MS`. */
const withTimeout = <Result>(promise: Promise<Result>): Promise<Result> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error("no answer in time")), PATIENCE_MS)),
  ]);

/** Returns a subscription with the key `publicKey`. `mustReplace`: the pushes of the present subscription do not arrive. */
const subscribeToPush = async (publicKey: string, mustReplace: boolean): Promise<Subscription> => {
  const { pushManager } = await navigator.serviceWorker.ready;
  try {
    const options = { userVisibleOnly: true, applicationServerKey: publicKey };
    const former = await pushManager.getSubscription();
    // A subscription with an old key of the service prevents a new subscription.
    if (former !== null && (mustReplace || !isCreatedWithKey(former, publicKey))) await former.unsubscribe();
    return parseSubscription((await withTimeout(pushManager.subscribe(options))).toJSON());
  } catch {
    if (isLocal) return createStandInSubscription();
    throw createLocalFailure(texts.push.noService);
  }
};

const readBrowserName = (): string => {
  const { userAgent } = navigator;
  const found = (["Edg", "Firefox", "Chrome", "Safari"] as const).find((name) => userAgent.includes(name));
  return found === undefined ? texts.push.platforms.web : texts.push.browsers[found];
};

/** Returns whether this browser can show pushes. On an iPhone, returns false until the console is added to the home screen. */
export const canNotify = (): boolean => "Notification" in window && "serviceWorker" in navigator;

const RENEWED_EVERY_MS = DAY_MS;

type UserContext = Pick<PageContext, "api" | "workspaceId" | "me">;

/** Returns a check whether a registration belongs to the reader and the workspace. */
const isRegistrationOf =
  ({ workspaceId, me }: UserContext) =>
  (one: { workspaceId: string; userId: string }): boolean =>
    one.workspaceId === workspaceId && one.userId === me;

/** Stores this browser's device id for the reader and the workspace; without `deviceId`, removes the stored id. */
const writeRegistration = (reader: UserContext, deviceId?: string): void => {
  const { workspaceId, me: userId } = reader;
  const others = readRegistrations().filter((one) => !isRegistrationOf(reader)(one));
  const own = deviceId === undefined ? [] : [{ workspaceId, userId, deviceId, at: Date.now() }];
  writeRegistrations([...others, ...own]);
};

export const forgetRegistration = (deviceId: string): void =>
  writeRegistrations(readRegistrations().filter((one) => one.deviceId !== deviceId));

/** Registers this browser and its key for receipts, and returns the device. `mustReplace`: replaces the subscription. */
const registerBrowser = async (reader: UserContext, mustReplace: boolean): Promise<Answers["Device"]> => {
  const { publicKey } = await reader.api("devices/get-web-push-key", {});
  const subscription = await subscribeToPush(publicKey, mustReplace);
  const body = { subscription, name: readBrowserName(), receiptKey: await readOrCreateKey() };
  const device = await reader.api("devices/register-device", { body });
  writeRegistration(reader, device.id);
  return device;
};

/** Asks for permission, registers this browser, and returns a message for the reader. Throws `Failed` with the reason. */
export const enableNotifications = async (reader: UserContext): Promise<string> => {
  if (!canNotify()) throw createLocalFailure(texts.push.cannot);
  if ((await Notification.requestPermission()) !== "granted") throw createLocalFailure(texts.push.denied);
  const { name } = await registerBrowser(reader, false);
  return texts.push.registeredHere(name ?? texts.reach.unnamed);
};

/**
 * Registers this browser again every day, because browsers change subscriptions silently, and at once if pushes do not arrive.
 * Returns false if the reader must turn on notifications again.
 */
export const renewRegistration = async (
  reader: UserContext,
  devices: readonly Pick<Answers["Device"], "id" | "mustRenew">[],
): Promise<boolean> => {
  const own = readRegistrations().find(isRegistrationOf(reader));
  if (own === undefined) return true;
  const device = devices.find(({ id }) => id === own.deviceId);
  if (device === undefined) writeRegistration(reader);
  if (device === undefined || !canNotify() || Notification.permission !== "granted") return false;
  if (device.mustRenew || Date.now() - own.at >= RENEWED_EVERY_MS) {
    const renewed = await registerBrowser(reader, device.mustRenew);
    // The new subscription is a new device, and pushes no longer reach the old device.
    if (device.mustRenew && renewed.id !== device.id)
      await reader.api("devices/delete-device", { path: { deviceId: device.id } });
  }
  return true;
};
