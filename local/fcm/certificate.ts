import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { DAY_MS } from "../../core/domain/basics/units.ts";

/**
 * Encodes a value in DER (ITU-T X.690), as far as needed here. Node cannot create certificates, and a package for it would be
 * larger than the stand-in.
 */
const encodeDer = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const length = content.length;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  if (length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
};

const derSequence = (...parts: Uint8Array[]) => encodeDer(0x30, ...parts);
const derSet = (...parts: Uint8Array[]) => encodeDer(0x31, ...parts);
const derInteger = (value: Uint8Array) => encodeDer(0x02, value);
const derOctets = (value: Uint8Array) => encodeDer(0x04, value);
const derBits = (value: Uint8Array) => encodeDer(0x03, Buffer.from([0]), value);
const derText = (value: string) => encodeDer(0x0c, Buffer.from(value));
const derObjectId = (hex: string) => encodeDer(0x06, Buffer.from(hex, "hex"));
/** Years before 2050 have two digits. */
const derUtcTime = (atMs: number) =>
  encodeDer(
    0x17,
    Buffer.from(
      new Date(atMs)
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

const toPem = (label: string, der: Buffer) =>
  `-----BEGIN ${label}-----\n${der
    .toString("base64")
    .replaceAll(/.{64}/g, "$&\n")
    .trimEnd()}\n-----END ${label}-----\n`;

export type Certificate = { key: string; cert: string };

export const makeCertificate = (hosts: readonly string[]): Certificate => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = derSequence(derSet(derSequence(derObjectId(OID.commonName), derText("FCM stand-in"))));
  const algorithm = derSequence(derObjectId(OID.ecdsaWithSha256));
  const now = Date.now();

  const certificate = derSequence(
    encodeDer(0xa0, derInteger(Buffer.from([2]))),
    derInteger(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    derSequence(derUtcTime(now - DAY_MS), derUtcTime(now + 3650 * DAY_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    encodeDer(
      0xa3,
      derSequence(
        derSequence(derObjectId(OID.basicConstraints), TRUE, derOctets(derSequence(TRUE))),
        derSequence(
          derObjectId(OID.subjectAltName),
          derOctets(derSequence(...hosts.map((host) => encodeDer(0x82, Buffer.from(host))))),
        ),
      ),
    ),
  );
  const signature = sign("sha256", certificate, privateKey);

  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: toPem("CERTIFICATE", derSequence(certificate, algorithm, derBits(signature))),
  };
};
