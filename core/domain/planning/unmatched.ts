export const unmatchedReasons = [
  "outside_active_hours",
  "fallback_not_needed",
  "earlier_in_chain",
  "conditions_differ",
  "event_key_differs",
  "rule_disabled",
] as const;
