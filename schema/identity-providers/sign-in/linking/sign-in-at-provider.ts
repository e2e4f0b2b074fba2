import type { EndedSession } from '../../../core/ports.ts'
import type { ProviderAssertion } from '../../protocol.ts'
import type { SignInProvider } from '../sign-in-provider.ts'

/** A verified sign-in at a provider. */
export interface SignInAtProvider {
  provider: SignInProvider
  assertion: ProviderAssertion
  /**
   * The reply of the person about an account that must be proved: none yet, proved to own the account with this identifier, or chose a new
   * account.
   */
  choice: 'none' | 'new_account' | { provedUserId: string }
}

/** The account of a sign-in. */
export interface Identification {
  /** Null if the person must prove to own an account first. */
  userId: string | null
  endedSessions: readonly EndedSession[]
  /** True if an account without an address was created, which anybody with a provider of their own can cause. */
  isWithoutAddress: boolean
}

export const buildIdentification = (userId: string | null, more: Partial<Identification> = {}): Identification => ({
  userId,
  endedSessions: [],
  isWithoutAddress: false,
  ...more,
})
