/** Returns true during the overlap of a rotation, while the previous value still works (docs/decisions/tokens.md#rotation). */
export const isWithinOverlap = (previousExpiresAt: Date | null, now: Date): previousExpiresAt is Date =>
  previousExpiresAt !== null && previousExpiresAt > now
