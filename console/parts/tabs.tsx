import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

type TabsProps = { label: string; tabs: readonly (readonly [name: string, content: ComponentChildren])[] };

/** Shows tabs, and the content of the chosen tab. The left and right arrow keys change the tab. */
export const Tabs = ({ label, tabs }: TabsProps) => {
  const [chosen, setChosen] = useState(0);
  const moveFocus = (list: HTMLElement, offset: number): void => {
    const to = (chosen + offset + tabs.length) % tabs.length;
    setChosen(to);
    list.querySelectorAll("button")[to]?.focus();
  };
  return (
    <>
      <div
        class="tab-list"
        role="tablist"
        aria-label={label}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "ArrowRight") moveFocus(currentTarget, 1);
          if (key === "ArrowLeft") moveFocus(currentTarget, -1);
        }}
      >
        {tabs.map(([name], index) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={index === chosen}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-label={tabs[chosen]?.[0]}>
        {tabs[chosen]?.[1]}
      </div>
    </>
  );
};
