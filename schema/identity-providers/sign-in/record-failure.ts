import type { Context } from '../../core/context.ts'
import { observe } from '../../core/observation/observation.ts'
import { UnusableProviderError } from '../protocol.ts'
import type { ProviderError } from '../protocol.ts'
import type { SignInProvider } from './sign-in-provider.ts'

/** Counts a failed sign-in. If the provider cannot be used, also reports the reason, because its owners or the operator must act. */
export function recordFailure(
  { providerFailed }: Pick<Context, 'providerFailed'>,
  { key, team }: SignInProvider,
  error: ProviderError,
): void {
  observe('signIn', { method: 'provider', result: 'failed' })
  if (!(error instanceof UnusableProviderError)) return
  const kind = team ? team.kind : key
  observe('providerFailure', { kind })
  providerFailed({ provider: key, kind, team: team?.teamSlug, reason: error.reason })
}
