import type { Deps, TimedDeps } from "../../deps.ts";
import { sha256 } from "../../domain/basics/digest.ts";
import type { WorkspaceId, DeviceId } from "../../domain/basics/ids.ts";
import { notFoundRefusal, Refusal, refuseField } from "../../domain/basics/refusal.ts";
import { buildCodeCall, type CallMessage } from "../../domain/delivery/push/call.ts";
import { buildCodeMail, type MailMessage } from "../../domain/delivery/push/mail.ts";
import type { PushOutcome, DeviceTimes, PushChannel } from "../../domain/delivery/push/outcome.ts";
import { BUDGET_USED_UP, buildCodeSms, OPTED_OUT, type SmsMessage } from "../../domain/delivery/push/sms.ts";
import { toAddress, toAddressId, isVerified } from "../../domain/device/device.ts";
import type { Contact, Device, DeviceInput, PhoneChannel, NewDevice } from "../../domain/device/device.ts";
import { findCountry, isPremiumNumber } from "../../domain/device/phone.ts";
import {
  CODE_TRIES_MAX,
  CODES_A_DAY,
  hashCode,
  deriveCode,
  isCodeExpired,
  type CodeCount,
  type CodeInput,
} from "../../domain/device/verification.ts";
import { sendWithinBudget } from "./budget.ts";
import { countCode } from "../../store/people/codes.ts";
import { addPhoneOwner } from "../../store/people/phones.ts";
import { countTry, listDevices, setCode, setVerified, requireSlot, saveDevice } from "../../store/people/devices.ts";

export type ContactDeps = Pick<Deps, "table" | "now" | "newId" | "log" | "monthly"> & {
  mail: PushChannel<MailMessage> | undefined;
  /** `countries`: the ISO 3166-1 codes of the countries that get text messages. */
  sms: (PushChannel<SmsMessage> & { countries: readonly string[] }) | undefined;
  /** `countries`: the ISO 3166-1 codes of the countries that get calls. */
  voice: (PushChannel<CallMessage> & { countries: readonly string[] }) | undefined;
};

type ContactRequest = Contact & { input: NewDevice };

const refuseChannel = (field: string, reason: string, advice: string): Refusal =>
  refuseField(field, "way_not_configured", `${reason} ${advice}`);

type SendCode = (code: string, device: DeviceTimes) => Promise<PushOutcome>;

const createMailCodeSender = ({ mail }: ContactDeps, email: string): SendCode => {
  if (mail === undefined)
    throw refuseChannel(
      "email",
      "email cannot be used: this service sends no email, because its operator has not set `mailFrom`.",
      "Register a token or a subscription.",
    );
  return (code, device) => mail.send(buildCodeMail(email, code), device);
};

const channelsOfPhone = {
  sms: { setting: "smsFrom", lacks: "sends no text messages", does: "sends text messages only to" },
  voice: { setting: "voiceInstance", lacks: "makes no calls", does: "calls only" },
} as const;

/** Returns the channel. Throws a refusal if the stage lacks the channel, or does not use the channel in the number's country. */
const requirePhoneChannel = <Name extends PhoneChannel>(deps: ContactDeps, name: Name, phone: string) => {
  const { setting, lacks, does } = channelsOfPhone[name];
  const channel = deps[name];
  if (channel === undefined)
    throw refuseChannel(
      "ways",
      `ways cannot contain ${name}: this service ${lacks}, because its operator has not set \`${setting}\`.`,
      `Leave ${name} out, or register a token or a subscription.`,
    );
  const country = findCountry(phone);
  if (country === undefined || !channel.countries.includes(country))
    throw refuseField(
      "phone",
      "country_not_allowed",
      `phone is a number from ${country ?? "an unknown country"}. This service ${does} ${channel.countries.join(", ")}.`,
    );
  return channel;
};

/** Returns a function that sends a code by text message or, if not in `ways`, by call. Throws if the stage lacks the channel. */
const createPhoneCodeSender = (
  deps: ContactDeps,
  ws: WorkspaceId,
  phone: string,
  { ways = [] }: DeviceInput,
): SendCode => {
  for (const channel of ways) requirePhoneChannel(deps, channel, phone);
  if (isPremiumNumber(phone))
    throw refuseField("phone", "premium_number", "phone is a premium-rate number. Use another number.");
  const { sms, voice } = deps;
  if (sms !== undefined && ways.includes("sms"))
    return (code, device) => {
      const message = buildCodeSms(phone, code);
      return sendWithinBudget(deps, ws, message, () => sms.send(message, device));
    };
  const calls = voice ?? requirePhoneChannel(deps, "voice", phone);
  return (code, device) => {
    const message = buildCodeCall(phone, code, deps.newId("req"));
    return sendWithinBudget(deps, ws, message, () => calls.send(message, device));
  };
};

/** Returns the function that sends a code to the address. Throws a refusal if the stage cannot send to the address. */
const chooseCodeSender = (deps: ContactDeps, ws: WorkspaceId, { field, address, input }: ContactRequest): SendCode =>
  field === "email" ? createMailCodeSender(deps, address) : createPhoneCodeSender(deps, ws, address, input);

const things = { email: "an address", phone: "a number" };

/** Returns a text for each daily limit of codes, which states the limit. */
const describeCodeLimits = (field: Contact["field"]): Readonly<Record<CodeCount, string>> => ({
  address: `At most ${CODES_A_DAY.address} codes a day are sent to ${things[field]}`,
  person: `At most ${CODES_A_DAY.person} codes a day are sent for a person`,
  workspace: `At most ${CODES_A_DAY.workspace} codes a day are sent in a workspace`,
  stage: `At most ${CODES_A_DAY.stage} codes a day are sent by this service`,
});

/** Returns the refusal of a contact to which no code could be sent. `errorCode`: why the message was not sent. */
const refuseUndeliverable = (field: Contact["field"], errorCode: string): Refusal => {
  if (field === "email")
    return refuseField(field, "not_deliverable", "The email service refuses this address. Check its spelling.");
  if (errorCode === BUDGET_USED_UP)
    return refuseField(
      field,
      "budget_used_up",
      "No code can be sent: the workspace's text messages or calls of this month are used up. Add the number next month, or ask the operator to raise the budget.",
    );
  const message =
    errorCode === OPTED_OUT
      ? "This phone number has answered STOP. Send START from this phone to the number that the messages came from, then register it again."
      : `The verification code could not be sent to this number (${errorCode}). Check the number.`;
  return refuseField(field, "not_deliverable", message);
};

/** Stores and sends a new code. Throws a refusal if the code was not sent, but not if the outcome is unknown. */
const sendCode = async (
  deps: ContactDeps,
  send: SendCode,
  { ws, userId, field }: { ws: WorkspaceId; userId: string; field: Contact["field"] },
  device: Device,
): Promise<void> => {
  const code = await deriveCode(deps.newId("req"));
  const sent = { hash: await hashCode(device.id, code), sentAt: deps.now(), tries: 0 };
  if (!(await setCode(deps, ws, userId, device.id, sent))) throw notFoundRefusal("device");
  const outcome = await send(code, device);
  deps.log.info("device.code", { workspaceId: ws, deviceId: device.id, outcome: outcome.kind });
  if (outcome.kind === "accepted" || outcome.kind === "unknown") return;
  if (outcome.kind === "invalid") throw refuseUndeliverable(field, outcome.code);
  throw new Refusal("busy", "The code could not be sent. Repeat the registration in a minute.", {
    retryAfterSeconds: 60,
  });
};

/**
 * Adds an email address or a phone number to the user's devices and sends a code to it. Returns `created`, or `renewed` if the
 * user already has the contact. A verified contact gets no new code, unless messages to it fail. Several people may have one
 * contact, which each person verifies separately. Throws Refusal `invalid_input` if the stage cannot send to the address or the
 * day's codes are used up, and `limit_reached` for too many devices.
 */
export const registerContact = async (
  deps: ContactDeps,
  ws: WorkspaceId,
  userId: string,
  request: ContactRequest,
): Promise<{ kind: "created" | "renewed"; device: Device }> => {
  const { field, input } = request;
  const send = chooseCodeSender(deps, ws, request);
  const address = toAddressId(toAddress(input));
  const knownDevice = (await listDevices(deps, ws, userId)).find(
    (device) => toAddressId(toAddress(device)) === address,
  );
  const needsCode = knownDevice === undefined || !isVerified(knownDevice) || knownDevice.failing !== undefined;
  if (needsCode) {
    await requireSlot(deps, ws, userId, address);
    const full = await countCode(deps, ws, userId, Buffer.from(await sha256(address)).toString("hex"));
    if (full !== undefined)
      throw refuseField(field, "codes_used_up", `${describeCodeLimits(field)[full]}. Try again after midnight UTC.`);
  }
  const { kind, device } = await saveDevice(deps, ws, userId, input, async () => true);
  if (needsCode) await sendCode(deps, send, { ws, userId, field }, device);
  return { kind, device };
};

const ASK_AGAIN = "Repeat the registration to get another code.";

/** Verifies a contact by its code and returns its device, even if already verified. Throws `not_found`, `invalid_input`. */
export const verifyContact = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  userId: string,
  deviceId: DeviceId,
  { code }: CodeInput,
): Promise<Device> => {
  const device = (await listDevices(deps, ws, userId)).find(({ id }) => id === deviceId);
  if (device === undefined) throw notFoundRefusal("device");
  if (isVerified(device) && device.failing === undefined) return device;
  const { code: sent } = device;
  if (sent === undefined || isCodeExpired(sent, deps.now()))
    throw refuseField("code", "code_expired", `The code has expired: a code is valid for an hour. ${ASK_AGAIN}`);
  // The number's owner is stored before the verification, so that replies from a verified number always find their owner.
  if (device.phone !== undefined) await addPhoneOwner(deps, device.phone, { ws, userId });
  const tried = await countTry(deps, ws, userId, deviceId, sent);
  if (tried === undefined)
    throw refuseField("code", "tries_used_up", `The code was tried ${CODE_TRIES_MAX} times. ${ASK_AGAIN}`);
  if ((await hashCode(deviceId, code)) === sent.hash) {
    const verified = await setVerified(deps, ws, userId, deviceId, sent);
    if (verified !== undefined) return verified;
    throw refuseField("code", "code_expired", `A newer code was sent. ${ASK_AGAIN}`);
  }
  const left = CODE_TRIES_MAX - tried.tries;
  const message =
    left === 0
      ? `The code is wrong, and all ${CODE_TRIES_MAX} tries are used up. ${ASK_AGAIN}`
      : `The code is wrong. You can try ${left} more time${left === 1 ? "" : "s"}.`;
  throw refuseField("code", left === 0 ? "tries_used_up" : "wrong_code", message);
};
