import { texts } from "../texts.ts";

export type Link = readonly [href: string, text: string];
/** A page of the navigation. `key`: what to press after `g` to go there. `tabs`: the pages that share its place. */
type Place = { link: Link; key: string; tabs?: readonly Link[] };

const { pages } = texts;

/** The navigation in its parts. */
export const sections: readonly (readonly Place[])[] = [
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
        ["/what-if", pages.whatIf],
      ],
    },
    {
      link: ["/settings", pages.settings],
      key: ",",
      tabs: [
        ["/settings", pages.settings],
        ["/audit", pages.audit],
      ],
    },
  ],
];
export const places: readonly Place[] = sections.flat();

/** The pages behind one's name. */
export const own: readonly Link[] = [
  ["/devices", pages.devices],
  ["/notification-rules", pages.notificationRules],
  ["/second-factor", pages.secondFactor],
];

/** Every page that has a name. */
export const links: readonly Link[] = [...places.flatMap(({ link, tabs = [] }) => [link, ...tabs]), ...own];

/** Whether an address is that of the page, or of the list to which it belongs. */
export const leadsTo = (href: string, pathname: string): boolean =>
  pathname === href || pathname.startsWith(`${href}/`) || (pathname === "/" && href === "/inbox");

/** Whether a page of the navigation, or a page that shares its place, is shown. */
export const isAt = ({ link: [href], tabs = [] }: Place, pathname: string): boolean =>
  [href, ...tabs.map(([tab]) => tab)].some((one) => leadsTo(one, pathname));

/** The title of a page before anything of it is loaded. */
export const headingFor = (pathname: string): string =>
  links.find(([href]) => leadsTo(href, pathname))?.[1] ?? texts.product;
