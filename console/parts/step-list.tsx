import { Ago } from "./ago.tsx";
import type { ShownStep } from "./shown-step.ts";

/** Lists the steps of a probe or of the switch. `waiting`: the word for a step that was not reached yet. */
export const StepList = ({ steps, waiting }: { steps: readonly ShownStep[]; waiting: string }) => (
  <ol class="trace">
    {steps.map(({ name, at, remedy, isOld = false }) => {
      const [look, sign] =
        remedy !== undefined
          ? ["status-failed", "✗"]
          : at === null || isOld
            ? ["soft", "·"]
            : ["status-acknowledged", "✓"];
      return (
        <li key={name} class={look}>
          <span aria-hidden="true">{sign}</span> {name}:{" "}
          <span class="soft">
            {at !== null && <Ago at={at} />}
            {at !== null && remedy !== undefined && ". "}
            {remedy ?? (at === null && waiting)}
          </span>
        </li>
      );
    })}
  </ol>
);
