import { readLanguage } from "../../core/domain/basics/language.ts";
import { contactOf, DeviceInput, toDeviceView } from "../../core/domain/device/device.ts";
import { registerContact, type ContactDeps } from "../../core/flow/admin/contacts.ts";
import * as flow from "../../core/flow/follow-devices.ts";
import type { RegisterDeps } from "../../core/flow/admin/register-device.ts";
import type { IngestDeps } from "../../core/flow/ingest-event.ts";
import { liveDeps } from "../../core/live.ts";
import { liveMail, liveMonthly, liveSms, liveVoice } from "../../core/live-contacts.ts";
import { body } from "../http/body.ts";
import { endpoint, reply } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const registerDevice = (deps: RegisterDeps & IngestDeps & ContactDeps) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(DeviceInput))
    .handler(async ({ workspaceId, caller, body: asked, headers }) => {
      const input = { ...asked, language: readLanguage(headers.get("accept-language") ?? "") };
      const contact = contactOf(input);
      const { kind, device } =
        contact === undefined
          ? await flow.registerAndTell(deps, workspaceId, caller.userId, input)
          : await registerContact(deps, workspaceId, caller.userId, { ...contact, input });
      return reply(kind === "created" ? 201 : 200, toDeviceView(device, deps.now()));
    });

export const handler = registerDevice({
  ...liveDeps("events"),
  mail: liveMail(),
  sms: liveSms(),
  voice: liveVoice(),
  monthly: liveMonthly(),
});
