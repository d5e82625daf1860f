import { deviceChannelsOf } from "../../domain/device/device.ts";
import { languageOfDevice, probeText } from "../../domain/device/test-text.ts";
import type { ProbeMessage } from "../../queue/messages.ts";
import { listDevices } from "../../store/people/devices.ts";
import { readProbedPerson, setProbeFault, setProbeSent } from "../../store/schedules/probes.ts";
import { sendTest, type TestDeps } from "../admin/test-device.ts";

/**
 * Asks a person to confirm the probes of their rules: each of their push devices gets one silent push, which apps and
 * browsers confirm automatically. Nothing is sent once a push service has accepted it.
 */
export const sendProbePush = async (deps: TestDeps, { ws, userId, id }: ProbeMessage): Promise<undefined> => {
  const [person, devices] = await Promise.all([readProbedPerson(deps, ws, userId), listDevices(deps, ws, userId)]);
  if (person?.id !== id || person.sentAt !== undefined) return undefined;
  const channels = deviceChannelsOf(devices).filter(({ way }) => way === undefined);
  const outcomes = await Promise.all(
    channels.map((channel) => {
      const language = languageOfDevice(channel.device, devices, "push");
      return sendTest(deps, ws, userId, channel, id, { ...probeText(language), language, proves: true });
    }),
  );
  const [first] = outcomes;
  if (outcomes.some(({ kind }) => kind === "accepted")) await setProbeSent(deps, ws, { userId, id });
  else {
    const fault = first === undefined ? "no_device" : "code" in first ? first.code : first.kind;
    await setProbeFault(deps, ws, { userId, id }, fault);
  }
  return undefined;
};
