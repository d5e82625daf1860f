import { useEffect, useRef } from "preact/hooks";
import { leadsTo, links } from "../app/navigation.ts";
import { here } from "../app/router.ts";
import { turnTheme } from "../app/theme.ts";
import { waiting } from "../app/waiting.ts";
import { texts } from "../texts.ts";
import { SignOut } from "./sign-out.tsx";

/** The pages under the thumb, each with the drawing of its link. */
const FIRST = new Map<string, string>([
  ["/inbox", "M3 12h5l2 3h4l2-3h5M3 12l3-8h12l3 8v7H3z"],
  ["/events", "M4 6h16M4 12h16M4 18h10"],
  ["/on-call", "M12 4a8 8 0 1 0 .01 0M12 8v4l3 2"],
]);
const MORE = "M5 12h.01M12 12h.01M19 12h.01";

const Icon = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
);

/** How many wait, behind the inbox's name. */
export const WaitingCount = () => {
  const { value: count } = waiting;
  if (count === undefined || count === 0) return null;
  return (
    <span class="count" aria-hidden="true">
      {count}
    </span>
  );
};

/** The navigation of a phone: what is needed at night in reach of the thumb, everything else behind "More". */
export const BottomBar = ({ person }: { person: { userId: string; name: string } }) => {
  const more = useRef<HTMLDetailsElement>(null);
  const { pathname } = here.value;
  useEffect(() => {
    if (more.current !== null) more.current.open = false;
  }, [pathname]);
  const link = ([href, text]: (typeof links)[number]) => {
    const icon = FIRST.get(href);
    return (
      <a key={href} href={href} aria-current={leadsTo(href, pathname) ? "page" : undefined}>
        {icon !== undefined && <Icon path={icon} />}
        <span>{text}</span>
        {href === "/inbox" && <WaitingCount />}
      </a>
    );
  };
  return (
    <nav class="bottom" aria-label={texts.main}>
      {links.filter(([href]) => FIRST.has(href)).map(link)}
      <details ref={more}>
        <summary>
          <Icon path={MORE} />
          <span>{texts.more}</span>
        </summary>
        <div class="bottom-more">
          <div class="bottom-links">{links.filter(([href]) => !FIRST.has(href)).map(link)}</div>
          <p class="buttons">
            <span class="soft grow">{person.name}</span>
            <button type="button" onClick={turnTheme}>
              {texts.theme}
            </button>
            <SignOut userId={person.userId} />
          </p>
        </div>
      </details>
    </nav>
  );
};
