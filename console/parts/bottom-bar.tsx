import { paletteShown } from "../app/keys.ts";
import { places } from "../app/navigation.ts";
import { texts } from "../texts.ts";
import { PlaceIcon, PlaceLink } from "./links.tsx";
import { Menu } from "./menu.tsx";

const FIRST = 3;

const renderLink = (place: (typeof places)[number]) => <PlaceLink key={place.key} place={place} />;

/** Links to the pages that are needed at night. On a phone, the bar is within reach of the thumb. */
export const BottomBar = () => (
  <nav class="bottom" aria-label={texts.main}>
    {places.slice(0, FIRST).map(renderLink)}
    <Menu
      look="more"
      summary={
        <>
          <PlaceIcon pagePath="/more" />
          <span>{texts.more}</span>
        </>
      }
    >
      <div class="bottom-more">
        <div class="bottom-links">{places.slice(FIRST).map(renderLink)}</div>
        <p class="buttons">
          <button type="button" onClick={() => (paletteShown.value = true)}>
            {texts.palette.open}
          </button>
        </p>
      </div>
    </Menu>
  </nav>
);
