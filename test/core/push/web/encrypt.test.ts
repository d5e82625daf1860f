import { createECDH, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { encryptForBrowser } from "../../../../core/push/web/encrypt.ts";
import { decryptMessage, generateBrowserKeys } from "../../../../local/web-push/decrypt.ts";
import { WEB_PUSH_MAX_BYTES } from "../../../../core/domain/delivery/push/message.ts";

/** RFC 8291, appendix A. */
const vector = {
  plaintext: "V2hlbiBJIGdyb3cgdXAsIEkgd2FudCB0byBiZSBhIHdhdGVybWVsb24",
  senderPrivate: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  browser: {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
    privateKey: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
  },
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  body:
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A" +
    "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

describe("the encryption of a Web Push message", () => {
  it("gives the body of the example in RFC 8291", () => {
    const sender = createECDH("prime256v1");
    sender.setPrivateKey(Buffer.from(vector.senderPrivate, "base64url"));
    const fresh = { salt: Buffer.from(vector.salt, "base64url"), sender };

    const body = encryptForBrowser(Buffer.from(vector.plaintext, "base64url"), vector.browser, fresh);

    expect(body.toString("base64url")).toBe(vector.body);
  });

  it("is different every time, and only the browser can decrypt it", () => {
    const browser = generateBrowserKeys(randomBytes);
    const [one, other] = [0, 1].map(() => encryptForBrowser(Buffer.from("Disk full"), browser));

    expect(one).not.toEqual(other);
    expect(decryptMessage(one!, browser).toString()).toBe("Disk full");
    expect(() => decryptMessage(one!, generateBrowserKeys(randomBytes))).toThrow();
  });

  it("turns the longest message into 4,096 bytes, which every push service accepts", () => {
    expect(encryptForBrowser(Buffer.alloc(WEB_PUSH_MAX_BYTES), generateBrowserKeys(randomBytes))).toHaveLength(4096);
  });
});

describe("the Web Push decryption of the stand-in", () => {
  it("reads the example in RFC 8291", () => {
    expect(decryptMessage(Buffer.from(vector.body, "base64url"), vector.browser).toString()).toBe(
      "When I grow up, I want to be a watermelon",
    );
  });
});
