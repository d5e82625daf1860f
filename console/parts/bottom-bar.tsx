import { useEffect, useRef } from "preact/hooks";
import { paletteShown } from "../app/keys.ts";
import { links } from "../app/navigation.ts";
import { here } from "../app/router.ts";
import { turnTheme } from "../app/theme.ts";
import { texts } from "../texts.ts";
import { Icon, PageLink } from "./links.tsx";
import { SignOut } from "./sign-out.tsx";

/** The pages under the thumb. */
const FIRST: readonly string[] = ["/inbox", "/events", "/on-call"];

/** The navigation of a phone: what is needed at night in reach of the thumb, everything else behind "More". */
export const BottomBar = ({ person }: { person: { userId: string; name: string } }) => {
  const more = useRef<HTMLDetailsElement>(null);
  const { pathname } = here.value;
  useEffect(() => {
    if (more.current !== null) more.current.open = false;
  }, [pathname]);
  const link = ([href, text]: (typeof links)[number]) => (
    <PageLink key={href} href={href}>
      {text}
    </PageLink>
  );
  return (
    <nav class="bottom" aria-label={texts.main}>
      {links.filter(([href]) => FIRST.includes(href)).map(link)}
      <details ref={more}>
        <summary>
          <Icon of="/more" />
          <span>{texts.more}</span>
        </summary>
        <div class="bottom-more">
          <div class="bottom-links">{links.filter(([href]) => !FIRST.includes(href)).map(link)}</div>
          <p class="buttons">
            <span class="soft grow">{person.name}</span>
            <button
              type="button"
              onClick={() => {
                paletteShown.value = true;
              }}
            >
              {texts.palette.open}
            </button>
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
