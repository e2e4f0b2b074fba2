/** Whether the previous value of a live token still works: until the overlap of its rotation ends (docs/decisions/tokens.md#rotation). */
export const isWithinOverlap = (previousExpiresAt: Date | null, now: Date): previousExpiresAt is Date =>
  previousExpiresAt !== null && previousExpiresAt > now
