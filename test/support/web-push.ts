import { createECDH, randomBytes } from "node:crypto";
import type { VapidKeys } from "../../core/push/web/vapid.ts";

/** The key pair of RFC 8291's appendix A, as the service's own. */
export const vapidKeys: VapidKeys = {
  publicKey: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
  privateKey: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  subject: "mailto:ops@acme.example",
};

export const createBrowser = (endpoint = "https://fcm.googleapis.com/fcm/send/one") => {
  const receiver = createECDH("prime256v1");
  const publicKey = receiver.generateKeys();
  const auth = randomBytes(16);
  const keys = { p256dh: publicKey.toString("base64url"), auth: auth.toString("base64url") };
  return { subscription: { endpoint, keys } };
};
