import { texts } from "../texts.ts";

export const NewItemsNotice = ({ count, show }: { count: number; show: () => void }) =>
  count === 0 ? null : (
    <p class="held">
      <button type="button" onClick={show}>
        {texts.changed(count)}
      </button>
    </p>
  );
