import { texts } from "../texts.ts";
import { CopyButton } from "./copy.tsx";

/** Shows lines that can be copied. `hint`: a remark above the lines. */
export const Snippet = ({ name, text, hint }: { name: string; text: string; hint?: string | undefined }) => (
  <figure class="snippet">
    <figcaption>
      {name}
      <CopyButton text={text} label={texts.copyOf(name)} />
    </figcaption>
    {hint !== undefined && <p class="hint">{hint}</p>}
    <pre tabIndex={0} aria-label={name} role="region">
      {text}
    </pre>
  </figure>
);

type CopyableProps = {
  name: string;
  text: string;
  /** The button's name for screen readers, if the page has a similar button. */
  label?: string;
};

export const Copyable = ({ name, text, label }: CopyableProps) => (
  <p class="copyable">
    <code aria-label={name}>{text}</code>
    <CopyButton text={text} label={label} />
  </p>
);
