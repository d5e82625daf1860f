import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { DAY_MS } from "../../core/domain/basics/units.ts";

/** Encodes a value in DER (ITU-T X.690), as far as needed: Node cannot create certificates, and a package would be large. */
const encodeDer = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const length = content.length;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  if (length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
};

const encodeSequence = (...parts: Uint8Array[]) => encodeDer(0x30, ...parts);
const encodeSet = (...parts: Uint8Array[]) => encodeDer(0x31, ...parts);
const encodeInteger = (value: Uint8Array) => encodeDer(0x02, value);
const encodeOctetString = (value: Uint8Array) => encodeDer(0x04, value);
const encodeBitString = (value: Uint8Array) => encodeDer(0x03, Buffer.from([0]), value);
const encodeText = (value: string) => encodeDer(0x0c, Buffer.from(value));
const encodeObjectId = (hex: string) => encodeDer(0x06, Buffer.from(hex, "hex"));
/** Encodes a time with two digits for the year, as required for years before 2050. */
const encodeUtcTime = (timeMs: number) =>
  encodeDer(
    0x17,
    Buffer.from(
      new Date(timeMs)
        .toISOString()
        .slice(2)
        .replaceAll(/[-:T]|\.\d+/g, ""),
    ),
  );

const OID = {
  commonName: "550403",
  subjectAltName: "551d11",
  basicConstraints: "551d13",
  ecdsaWithSha256: "2a8648ce3d040302",
} as const;

const TRUE = Buffer.from([0x01, 0x01, 0xff]);

const encodePem = (label: string, der: Buffer) =>
  `-----BEGIN ${label}-----\n${der
    .toString("base64")
    .replaceAll(/.{64}/g, "$&\n")
    .trimEnd()}\n-----END ${label}-----\n`;

export type Certificate = { key: string; cert: string };

/** Creates a private key and a self-signed certificate for `hosts`, both as PEM. */
export const createCertificate = (hosts: readonly string[]): Certificate => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = encodeSequence(encodeSet(encodeSequence(encodeObjectId(OID.commonName), encodeText("FCM stand-in"))));
  const algorithm = encodeSequence(encodeObjectId(OID.ecdsaWithSha256));
  const now = Date.now();

  const certificate = encodeSequence(
    encodeDer(0xa0, encodeInteger(Buffer.from([2]))),
    encodeInteger(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    encodeSequence(encodeUtcTime(now - DAY_MS), encodeUtcTime(now + 3650 * DAY_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    encodeDer(
      0xa3,
      encodeSequence(
        encodeSequence(encodeObjectId(OID.basicConstraints), TRUE, encodeOctetString(encodeSequence(TRUE))),
        encodeSequence(
          encodeObjectId(OID.subjectAltName),
          encodeOctetString(encodeSequence(...hosts.map((host) => encodeDer(0x82, Buffer.from(host))))),
        ),
      ),
    ),
  );
  const signature = sign("sha256", certificate, privateKey);

  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: encodePem("CERTIFICATE", encodeSequence(certificate, algorithm, encodeBitString(signature))),
  };
};
