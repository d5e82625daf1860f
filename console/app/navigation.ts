import { texts } from "../texts.ts";

export type Link = readonly [href: string, text: string];
/** `key`: the key that opens the page after `g`. `tabs`: pages that share the navigation entry. */
type NavigationEntry = { link: Link; key: string; tabs?: readonly Link[] };

const { pages } = texts;

export const sections: readonly (readonly NavigationEntry[])[] = [
  [
    { link: ["/inbox", pages.inbox], key: "i" },
    { link: ["/events", pages.events], key: "e" },
    { link: ["/on-call", pages.onCall], key: "o" },
  ],
  [
    { link: ["/rules", pages.rules], key: "r" },
    { link: ["/escalation", pages.escalation], key: "c" },
    { link: ["/groups", pages.groups], key: "g" },
    { link: ["/silences", pages.silences], key: "s" },
  ],
  [
    {
      link: ["/integrations", pages.integrations],
      key: "n",
      tabs: [
        ["/integrations", pages.sources],
        ["/keys", pages.keys],
        ["/webhooks", pages.webhooks],
        ["/connections", pages.connections],
        ["/heartbeats", pages.heartbeats],
        ["/import", pages.import],
      ],
    },
  ],
  [
    { link: ["/people", pages.people], key: "p" },
    {
      link: ["/insights", pages.insights],
      key: "t",
      tabs: [
        ["/insights", pages.statistics],
        ["/load", pages.load],
        ["/simulator", pages.simulator],
      ],
    },
    {
      link: ["/settings", pages.settings],
      key: ",",
      tabs: [
        ["/settings", pages.settings],
        ["/audit", pages.audit],
        ["/shadow", pages.shadow],
      ],
    },
  ],
];
export const places: readonly NavigationEntry[] = sections.flat();

export const own: readonly Link[] = [
  ["/devices", pages.devices],
  ["/notification-rules", pages.notificationRules],
  ["/second-factor", pages.secondFactor],
];

export const links: readonly Link[] = [...places.flatMap(({ link, tabs = [] }) => [link, ...tabs]), ...own];

/** Returns true for a link to the open page, or to the list that the open page belongs to. */
export const isCurrentLink = (href: string, pathname: string): boolean =>
  pathname === href || pathname.startsWith(`${href}/`) || (pathname === "/" && href === "/inbox");

export const isCurrentPlace = ({ link: [href], tabs = [] }: NavigationEntry, pathname: string): boolean =>
  [href, ...tabs.map(([tab]) => tab)].some((one) => isCurrentLink(one, pathname));

/** Returns the heading that is shown until the page is loaded. */
export const findInitialHeading = (pathname: string): string =>
  links.find(([href]) => isCurrentLink(href, pathname))?.[1] ?? texts.product;
