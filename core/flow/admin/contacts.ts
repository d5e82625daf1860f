import type { Deps } from "../../deps.ts";
import { sha256 } from "../../domain/basics/digest.ts";
import { invalid, notFound, Refusal } from "../../domain/basics/refusal.ts";
import { codeMail, type MailMessage } from "../../domain/delivery/push/mail.ts";
import type { Way } from "../../domain/delivery/push/outcome.ts";
import { addressText, isVerified, type Device, type DeviceInput } from "../../domain/people/device.ts";
import {
  CODE_TRIES_MAX,
  CODES_A_DAY,
  codeHash,
  codeOf,
  isOver,
  type CodeCount,
  type CodeInput,
} from "../../domain/people/verification.ts";
import { countCode } from "../../store/codes.ts";
import { countTry, listDevices, noteCode, noteVerified, requireRoom, saveDevice } from "../../store/devices.ts";

export type ContactDeps = Pick<Deps, "table" | "now" | "newId" | "log"> & {
  /** The way to mailboxes; undefined where the stage sends no mail. */
  mail: Way<MailMessage> | undefined;
};

const refuse = (field: string, code: string, message: string): Refusal => invalid([{ field, code, message }]);

const usedUp: Readonly<Record<CodeCount, string>> = {
  address: `At most ${CODES_A_DAY.address} codes a day are sent to an address`,
  person: `At most ${CODES_A_DAY.person} codes a day are sent for a person`,
  workspace: `At most ${CODES_A_DAY.workspace} codes a day are sent in a workspace`,
};

/** Sends a new code to an address. One whose answer is lost may have arrived, and the caller can ask for another. */
const sendCode = async (
  deps: ContactDeps,
  mail: Way<MailMessage>,
  { ws, userId }: { ws: string; userId: string },
  device: Device & { email: string },
): Promise<void> => {
  const code = await codeOf(deps.newId("req"));
  const sent = { hash: await codeHash(device.id, code), sentAt: deps.now(), tries: 0 };
  if (!(await noteCode(deps, ws, userId, device.id, sent))) throw notFound("device");
  const outcome = await mail.send(codeMail(device.email, code), device);
  deps.log.info("device.code", { workspaceId: ws, deviceId: device.id, outcome: outcome.kind });
  if (outcome.kind === "accepted" || outcome.kind === "unknown") return;
  if (outcome.kind === "invalid")
    throw refuse("email", "not_deliverable", "email is refused by the mail service: check how it is written.");
  throw new Refusal("busy", "The code could not be sent now. Register the address again in a minute.", {
    retryAfterSeconds: 60,
  });
};

/**
 * Adds an e-mail address to the user's devices and sends a code to it: `created`, or `renewed` if the user already has it.
 * One that is verified gets no further code. Several people may have the same address, each verified by themselves. Throws
 * Refusal `invalid_input` if the stage sends no mail or no more codes today, and `limit_reached` without room.
 */
export const registerContact = async (
  deps: ContactDeps,
  ws: string,
  userId: string,
  input: DeviceInput & { email: string },
): Promise<{ kind: "created" | "renewed"; device: Device }> => {
  const { mail } = deps;
  if (mail === undefined)
    throw refuse(
      "email",
      "way_not_configured",
      "email cannot be used: this service sends no e-mail, because its operator has not set `mailFrom`. Register a token or a subscription.",
    );
  const { email } = input;
  const address = addressText({ email });
  const known = (await listDevices(deps, ws, userId)).find(
    (device) => device.email?.toLowerCase() === email.toLowerCase(),
  );
  const needsCode = known === undefined || !isVerified(known);
  if (needsCode) {
    await requireRoom(deps, ws, userId, address);
    const full = await countCode(deps, ws, userId, Buffer.from(await sha256(address)).toString("hex"));
    if (full !== undefined)
      throw refuse("email", "codes_used_up", `${usedUp[full]}; the next one can be sent after midnight UTC.`);
  }
  const { kind, device } = await saveDevice(deps, ws, userId, input, async () => true);
  if (needsCode) await sendCode(deps, mail, { ws, userId }, { ...device, email });
  return { kind, device };
};

const ASK_AGAIN = "Register the address again to get another code.";

/**
 * Verifies an address by the code that was sent to it. Done again, it is answered the same. Throws Refusal `not_found`, and
 * `invalid_input` with the tries that are left for a wrong code.
 */
export const verifyContact = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  userId: string,
  deviceId: string,
  { code }: CodeInput,
): Promise<Device> => {
  const device = (await listDevices(deps, ws, userId)).find(({ id }) => id === deviceId);
  if (device === undefined) throw notFound("device");
  if (isVerified(device)) return device;
  const { code: sent } = device;
  if (sent === undefined || isOver(sent, deps.now()))
    throw refuse("code", "code_expired", `code has expired: a code is good for an hour. ${ASK_AGAIN}`);
  const tried = await countTry(deps, ws, userId, deviceId, sent);
  if (tried === undefined)
    throw refuse("code", "tries_used_up", `code cannot be tried more than ${CODE_TRIES_MAX} times. ${ASK_AGAIN}`);
  if ((await codeHash(deviceId, code)) === sent.hash) {
    const verified = await noteVerified(deps, ws, userId, deviceId, sent);
    if (verified !== undefined) return verified;
    throw refuse("code", "code_expired", `code is not the last one that was sent. ${ASK_AGAIN}`);
  }
  const left = CODE_TRIES_MAX - tried.tries;
  const message =
    left === 0
      ? `code is wrong, and was tried ${CODE_TRIES_MAX} times. ${ASK_AGAIN}`
      : `code is not the one that was sent last; it can be tried ${left} more time${left === 1 ? "" : "s"}.`;
  throw refuse("code", left === 0 ? "tries_used_up" : "wrong_code", message);
};
