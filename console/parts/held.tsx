import { texts } from "../texts.ts";

/** Says that there is more above, and shows it when it is wanted. */
export const Held = ({ count, show }: { count: number; show: () => void }) =>
  count === 0 ? null : (
    <p class="held">
      <button type="button" onClick={show}>
        {texts.changed(count)}
      </button>
    </p>
  );
