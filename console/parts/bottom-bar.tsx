import { paletteShown } from "../app/keys.ts";
import { links } from "../app/navigation.ts";
import { texts } from "../texts.ts";
import { Icon, PageLink } from "./links.tsx";
import { Menu } from "./menu.tsx";

/** The pages under the thumb. */
const FIRST: readonly string[] = ["/inbox", "/events", "/on-call"];

const link = ([href, text]: (typeof links)[number]) => (
  <PageLink key={href} href={href}>
    {text}
  </PageLink>
);

/** The navigation of a phone: what is needed at night in reach of the thumb, every other page behind "More". */
export const BottomBar = () => (
  <nav class="bottom" aria-label={texts.main}>
    {links.filter(([href]) => FIRST.includes(href)).map(link)}
    <Menu
      summary={
        <>
          <Icon of="/more" />
          <span>{texts.more}</span>
        </>
      }
    >
      <div class="bottom-more">
        <div class="bottom-links">{links.filter(([href]) => !FIRST.includes(href)).map(link)}</div>
        <p class="buttons">
          <button type="button" onClick={() => (paletteShown.value = true)}>
            {texts.palette.open}
          </button>
        </p>
      </div>
    </Menu>
  </nav>
);
