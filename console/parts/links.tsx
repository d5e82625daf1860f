import { isCurrentPlace, isCurrentLink, type Link, type places } from "../app/navigation.ts";
import { quiet } from "../app/quiet.ts";
import { here } from "../app/router.ts";
import { unreached } from "../app/unreached.ts";
import { waiting } from "../app/waiting.ts";
import { texts } from "../texts.ts";

/** The SVG path of the icon of each page, in a square of 24 by 24. */
const ICONS: Readonly<Record<string, string>> = {
  "/inbox": "M3 12h5l2 3h4l2-3h5M3 12l3-8h12l3 8v7H3z",
  "/events": "M4 6h16M4 12h16M4 18h10",
  "/on-call": "M12 4a8 8 0 1 0 .01 0M12 8v4l3 2",
  "/rules": "M4 5h16l-6 7v6l-4 2v-8z",
  "/escalation": "M4 19h5v-5h5V9h5V4",
  "/groups": "M9 5a3 3 0 1 0 .01 0M3 19q0-6 6-6t6 6M16 6a3 3 0 0 1 0 5M17 14q4 1 4 5",
  "/silences": "M6 17V11a6 6 0 0 1 9-5M18 10v7H8M10 20h4M4 4l16 16",
  "/integrations": "M4 7h5a4 4 0 0 1 4 4v2a4 4 0 0 0 4 4h3M17 14l3 3-3 3M4 17h5",
  "/people": "M12 4a4 4 0 1 0 .01 0M4 20q0-7 8-7t8 7",
  "/insights": "M4 20h16M7 16v-5M12 16V6M17 16v-8",
  "/settings": "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4",
  "/more": "M5 12h.01M12 12h.01M19 12h.01",
};

export const PlaceIcon = ({ pagePath }: { pagePath: string }) => (
  <svg viewBox="0 0 24 24" class="icon" aria-hidden="true">
    <path d={ICONS[pagePath]} />
  </svg>
);

/** Returns the number that a link shows, and what it counts; undefined for links without a number. */
const readAttentionCount = (href: string): readonly [count: number, meaning: string] | undefined => {
  if (href === "/inbox") return [waiting.value ?? 0, texts.counts.waiting];
  if (href === "/silences") return [quiet.value, texts.counts.silences];
  return href === "/devices" ? [unreached.value.length, texts.counts.devices] : undefined;
};

const AttentionCount = ({ href }: { href: string }) => {
  const [count, meaning] = readAttentionCount(href) ?? [0, ""];
  if (count === 0) return null;
  return (
    <span class={href === "/inbox" ? "count" : "count rare-count"} aria-hidden="true" title={meaning}>
      {count}
    </span>
  );
};

export const PageLink = ({ link: [href, text] }: { link: Link }) => (
  <a href={href} aria-current={isCurrentLink(href, here.value.pathname) ? "page" : undefined}>
    {text}
    <AttentionCount href={href} />
  </a>
);

export const PlaceLink = ({ place }: { place: (typeof places)[number] }) => {
  const [href, text] = place.link;
  return (
    <a href={href} aria-current={isCurrentPlace(place, here.value.pathname) ? "page" : undefined}>
      <PlaceIcon pagePath={href} />
      <span>{text}</span>
      <AttentionCount href={href} />
    </a>
  );
};
