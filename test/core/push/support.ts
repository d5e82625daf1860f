import { generateKeyPairSync } from "node:crypto";
import { buildMessage } from "../../../core/domain/delivery/push/message.ts";
import type { PushInput } from "../../../core/domain/delivery/push/input.ts";
import type { FcmMessage } from "../../../core/domain/delivery/push/message.ts";
import { combineChannels } from "../../../core/push/all-channels.ts";
import { createFcmChannel } from "../../../core/push/fcm.ts";
import { notConfigured } from "../../../core/push/not-configured.ts";
import type { PushOptions } from "../../../core/push/fcm.ts";
import { createPushInput } from "../../support/push-input.ts";
import { toEarlyDevices } from "../../support/push.ts";

// The first send of a process loads these modules, which must not count against a deadline here.
await Promise.all([import("firebase-admin/app"), import("firebase-admin/messaging")]);

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

export const PRIVATE_KEY = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

export const serviceAccount = JSON.stringify({
  type: "service_account",
  project_id: "demo",
  client_email: "push@demo.iam.gserviceaccount.com",
  private_key: PRIVATE_KEY,
});

export const aPush = (fields: Partial<PushOptions> = {}) =>
  toEarlyDevices(
    createFcmChannel({
      getServiceAccount: () => Promise.resolve(serviceAccount),
      now: Date.now,
      deadlineMs: 1000,
      ...fields,
    }),
  );

/** Returns the push sender of a world in which all devices use FCM. */
export const createPushOverFcm = (fcm: ReturnType<typeof createFcmChannel>) =>
  combineChannels({
    fcm,
    web: { send: () => Promise.reject(new Error("no device of this test is a browser")), prepare: async () => true },
    mail: notConfigured,
    sms: notConfigured,
    voice: notConfigured,
  });

export const aMessage = (token: string, fields: Partial<PushInput> = {}) =>
  buildMessage(createPushInput({ ...fields, to: { token } })) as FcmMessage & { token: string };
