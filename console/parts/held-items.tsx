import { texts } from "../texts.ts";

/** Tells the reader that there are new items above, and shows them on request. */
export const HeldItemsNotice = ({ count, show }: { count: number; show: () => void }) =>
  count === 0 ? null : (
    <p class="held">
      <button type="button" onClick={show}>
        {texts.changed(count)}
      </button>
    </p>
  );
