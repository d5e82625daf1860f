import { texts } from "../texts.ts";

type Link = readonly [href: string, text: string];

/** The navigation in its three parts: each page's address and its text. */
export const sections: readonly { name: string; links: readonly Link[] }[] = [
  {
    name: texts.sections.respond,
    links: [
      ["/inbox", texts.pages.inbox],
      ["/events", texts.pages.events],
      ["/on-call", texts.pages.onCall],
    ],
  },
  {
    name: texts.sections.setUp,
    links: [
      ["/rules", texts.pages.rules],
      ["/escalation", texts.pages.escalation],
      ["/groups", texts.pages.groups],
      ["/silences", texts.pages.silences],
      ["/heartbeats", texts.pages.heartbeats],
      ["/what-if", texts.pages.whatIf],
      ["/sources", texts.pages.sources],
      ["/keys", texts.pages.keys],
      ["/webhooks", texts.pages.webhooks],
      ["/connections", texts.pages.connections],
    ],
  },
  {
    name: texts.sections.workspace,
    links: [
      ["/people", texts.pages.people],
      ["/devices", texts.pages.devices],
      ["/notification-rules", texts.pages.notificationRules],
      ["/statistics", texts.pages.statistics],
      ["/audit", texts.pages.audit],
      ["/settings", texts.pages.settings],
      ["/second-factor", texts.pages.secondFactor],
    ],
  },
];
export const links: readonly Link[] = sections.flatMap((section) => section.links);

/** Whether an address of the navigation is that of the page, or of the list to which it belongs. */
export const leadsTo = (href: string, pathname: string): boolean =>
  pathname === href || pathname.startsWith(`${href}/`) || (pathname === "/" && href === "/inbox");

/** What to call a page before anything of it is loaded. */
export const headingFor = (pathname: string): string =>
  links.find(([href]) => leadsTo(href, pathname))?.[1] ?? texts.product;
