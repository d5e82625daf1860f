import type { Answers } from "../../app/types.ts";

/** `id`: identifies the step while other steps are added and removed. */
export type StepDraft = {
  id: number;
  delayMinutes: string;
  targets: Readonly<Answers["EscalationPolicy"]["steps"][number]["targets"]>;
};

/** `confirm`, `ackMinutes`: empty if the policy does not set them. */
export type PolicyDraft = {
  name: string;
  repeat: string;
  confirm: string;
  ackMinutes: string;
  steps: readonly StepDraft[];
};

export const FIRST_DELAY = "10";

export const toDraft = ({
  name,
  repeat,
  confirmWithinSeconds,
  ackMinutes,
  steps,
}: Answers["EscalationPolicy"]): PolicyDraft => ({
  name,
  repeat: String(repeat),
  confirm: confirmWithinSeconds === null ? "" : String(confirmWithinSeconds),
  ackMinutes: ackMinutes === null ? "" : String(ackMinutes),
  steps: steps.map(({ delayMinutes, targets }, id) => ({ id, delayMinutes: String(delayMinutes), targets })),
});

export const emptyDraft: PolicyDraft = {
  name: "",
  repeat: "0",
  confirm: "",
  ackMinutes: "",
  steps: [{ id: 0, delayMinutes: FIRST_DELAY, targets: [] }],
};

export const toPolicyInput = ({ name, repeat, confirm, ackMinutes, steps }: PolicyDraft) => ({
  name,
  repeat: Number(repeat),
  confirmWithinSeconds: confirm.trim() === "" ? null : Number(confirm),
  ackMinutes: ackMinutes.trim() === "" ? null : Number(ackMinutes),
  steps: steps.map(({ delayMinutes, targets }) => ({ delayMinutes: Number(delayMinutes), targets: [...targets] })),
});
