import type { Principal } from '../principals.ts'

/** Time after authentication during which a session counts as recently signed in (docs/decisions/permissions.md#recent-sign-in). */
const recentSignInSeconds = 15 * 60

/** Returns true if the caller authenticated recently. Only a session can be left unattended; other credentials count as recent. */
export function isRecent(principal: Principal, now: Date): boolean {
  if (principal.kind !== 'user' || principal.authenticationMethod !== 'session') return true
  const { authenticatedAt } = principal
  return authenticatedAt !== null && now.getTime() - authenticatedAt.getTime() <= recentSignInSeconds * 1000
}
