import { keysShown } from "../app/keys.ts";
import { places } from "../app/navigation.ts";
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
      {[...texts.keysHelp.rows, ...places.map(({ key, link }) => [`g ${key}`, link[1]] as const)].map(
        ([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ),
      )}
    </dl>
  </Dialog>
);
