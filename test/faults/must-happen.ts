/** What a full run must have seen at least once: an explorer that reaches nothing proves nothing. */
export const mustHappen: readonly string[] = [
  "sweeper rescued",
  "conflict retried",
  "lease taken over",
  "own write recognised",
  "late write refused",
  "invocation timed out",
  "batch partly failed",
  "second push after an unknown outcome",
  "push repeated when FCM asked for it",
  "lost number found by the audit",
  "two registrations of one token at once",
];
