import { page as inbox } from "../pages/inbox.tsx";
import type { OpenablePage } from "./page.tsx";
import type { PageName } from "./paths.ts";

/** The modules of the pages. Each page is loaded when it is first opened, except the inbox, where most visits begin. */
export const modules: Readonly<
  Record<Exclude<PageName, "login" | "signedIn" | "press">, () => Promise<{ page: OpenablePage }>>
> = {
  home: async () => ({ page: inbox }),
  inbox: async () => ({ page: inbox }),
  events: () => import("../pages/events.tsx"),
  event: () => import("../pages/event.tsx"),
  rules: () => import("../pages/rules.tsx"),
  newRule: () => import("../pages/rule.tsx"),
  rule: () => import("../pages/rule.tsx"),
  onCall: () => import("../pages/on-call.tsx"),
  schedule: () => import("../pages/schedule.tsx"),
  escalation: () => import("../pages/escalation.tsx"),
  newPolicy: () => import("../pages/policy.tsx"),
  policy: () => import("../pages/policy.tsx"),
  people: () => import("../pages/people.tsx"),
  person: () => import("../pages/person.tsx"),
  silences: () => import("../pages/silences.tsx"),
  newSilence: () => import("../pages/silence.tsx"),
  silence: () => import("../pages/silence.tsx"),
  heartbeats: () => import("../pages/heartbeats.tsx"),
  sources: () => import("../pages/sources.tsx"),
  simulator: () => import("../pages/simulator.tsx"),
  statistics: () => import("../pages/statistics.tsx"),
  load: () => import("../pages/load.tsx"),
  groups: () => import("../pages/groups.tsx"),
  group: () => import("../pages/group.tsx"),
  devices: () => import("../pages/devices.tsx"),
  notificationRules: () => import("../pages/notification-rules.tsx"),
  night: () => import("../pages/night.tsx"),
  keys: () => import("../pages/keys.tsx"),
  webhooks: () => import("../pages/webhooks.tsx"),
  connections: () => import("../pages/connections.tsx"),
  import: () => import("../pages/import.tsx"),
  audit: () => import("../pages/audit.tsx"),
  shadow: () => import("../pages/shadow.tsx"),
  settings: () => import("../pages/settings.tsx"),
  secondFactor: () => import("../pages/second-factor.tsx"),
};
