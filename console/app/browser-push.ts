import * as v from "valibot";
import type { Api } from "./api.ts";
import { notPossible } from "./failure.ts";
import { isLocal } from "./setting.ts";
import { texts } from "../texts.ts";

/*
 * This browser as a device. It subscribes with its own push service; on a machine that reaches none, the local service takes
 * the pushes, and an open page hands them to the worker.
 */

const KEPT = "local-push";
const STAND_IN = "/local/web-push";

const Subscription = v.object({ endpoint: v.string(), keys: v.object({ p256dh: v.string(), auth: v.string() }) });
type Subscription = v.InferOutput<typeof Subscription>;

/** Hands what comes to the stand-in for this browser to the worker, which shows it as any push. */
export const followStandIn = (): void => {
  const endpoint = localStorage.getItem(KEPT);
  if (endpoint === null) return;
  const stream = new EventSource(`${STAND_IN}/stream?${new URLSearchParams({ endpoint }).toString()}`);
  stream.addEventListener("message", ({ data }) => {
    void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ push: String(data) }));
  });
};

const subscribeAtStandIn = async (): Promise<Subscription> => {
  const answer = await fetch(`${STAND_IN}/subscriptions`, { method: "POST" });
  const subscription = v.parse(Subscription, await answer.json());
  const isNew = localStorage.getItem(KEPT) === null;
  localStorage.setItem(KEPT, subscription.endpoint);
  if (isNew) followStandIn();
  return subscription;
};

const subscribe = async (publicKey: string): Promise<Subscription> => {
  const { pushManager } = await navigator.serviceWorker.ready;
  try {
    const options = { userVisibleOnly: true, applicationServerKey: publicKey };
    return v.parse(Subscription, (await pushManager.subscribe(options)).toJSON());
  } catch {
    if (isLocal) return subscribeAtStandIn();
    throw notPossible(texts.devices.noService);
  }
};

const browserName = (): string => {
  const { userAgent } = navigator;
  const found = (["Edg", "Firefox", "Chrome", "Safari"] as const).find((name) => userAgent.includes(name));
  return found === undefined ? texts.devices.platforms.web : texts.devices.browsers[found];
};

/** Whether this browser can show notifications at all: an iPhone can once the console is on its home screen. */
export const canNotify = (): boolean => "Notification" in window && "serviceWorker" in navigator;

/** Asks the reader for leave, subscribes, and registers this browser as a device. Throws a Failed that says what is in the way. */
export const notifyHere = async (api: Api): Promise<string> => {
  if (!canNotify()) throw notPossible(texts.devices.cannot);
  if ((await Notification.requestPermission()) !== "granted") throw notPossible(texts.devices.denied);
  const { publicKey } = await api("devices/get-web-push-key", {});
  const subscription = await subscribe(publicKey);
  const { name } = await api("devices/register-device", { body: { subscription, name: browserName() } });
  return texts.devices.registeredHere(name ?? texts.devices.unnamed);
};
