import { texts } from "../texts.ts";

/** The navigation: each page's address and its text. */
export const links = [
  ["/inbox", texts.pages.inbox],
  ["/events", texts.pages.events],
  ["/rules", texts.pages.rules],
  ["/on-call", texts.pages.onCall],
  ["/escalation", texts.pages.escalation],
  ["/groups", texts.pages.groups],
  ["/people", texts.pages.people],
  ["/silences", texts.pages.silences],
  ["/heartbeats", texts.pages.heartbeats],
  ["/statistics", texts.pages.statistics],
  ["/devices", texts.pages.devices],
  ["/keys", texts.pages.keys],
  ["/webhooks", texts.pages.webhooks],
  ["/second-factor", texts.pages.secondFactor],
] as const;

/** Whether an address of the navigation is that of the page, or of the list to which it belongs. */
export const leadsTo = (href: string, pathname: string): boolean =>
  pathname === href || pathname.startsWith(`${href}/`) || (pathname === "/" && href === "/inbox");

/** What to call a page before anything of it is loaded. */
export const headingFor = (pathname: string): string =>
  links.find(([href]) => leadsTo(href, pathname))?.[1] ?? texts.product;
