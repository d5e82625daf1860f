import { keysShown } from "../app/keys.ts";
import { texts } from "../page-texts/frame.ts";
import { Dialog } from "./dialog.tsx";

export const KeysHelp = () => (
  <Dialog
    heading={texts.keysHelp.heading}
    close={() => {
      keysShown.value = false;
    }}
  >
    <dl class="pairs">
      {texts.keysHelp.rows.map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
