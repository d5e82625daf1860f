import type { OverridePeriod } from "./override.ts";

type Fields = Readonly<Record<string, unknown>> | null;

type Change = { action: string; target: { kind: string; id: string }; before: Fields };

type Override = OverridePeriod & { coverId?: string | undefined };

/** Returns the override as a list; an empty list if the fields lack the user or a time. */
const toOverrides = (id: string, fields: Fields): Override[] => {
  const { userId, start, end, insteadOf, coverId } = fields ?? {};
  if (typeof userId !== "string" || typeof start !== "string" || typeof end !== "string") return [];
  return [
    {
      id,
      userId,
      start,
      end,
      ...(typeof insteadOf === "string" ? { insteadOf } : {}),
      ...(typeof coverId === "string" ? { coverId } : {}),
    },
  ];
};

/** Returns the overrides of a taken cover: for the given shift, and for the shift in return, if any. */
const listCoverOverrides = (id: string, cover: Fields): Override[] => {
  if (cover?.["state"] !== "taken") return [];
  const { userId, takenBy, inReturn } = cover;
  return [
    ...toOverrides(`${id} given`, { ...cover, userId: takenBy, insteadOf: userId, coverId: id }),
    ...toOverrides(`${id} returned`, { ...Object(inReturn), userId, insteadOf: takenBy, coverId: id }),
  ];
};

/** Returns the overrides as they were before a change, which is read from the audit trail. */
export const undoOverrideChange = (
  overrides: readonly Override[],
  { action, target: { kind, id }, before }: Change,
): Override[] => [
  ...overrides.filter((override) => override.id !== id && override.coverId !== id),
  ...(kind === "cover" ? listCoverOverrides(id, before) : action === "deleted" ? toOverrides(id, before) : []),
];
