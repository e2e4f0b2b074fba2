import { builder } from '../../builder/builder.ts'
import type { Context } from '../../core/context.ts'
import { observe } from '../../core/observation/observation.ts'
import { UnusableProviderError } from '../protocol.ts'
import type { FailureKind, ProviderError } from '../protocol.ts'
import type { SignInProvider } from './sign-in-provider.ts'

export const SignInFailureType = builder.enumType('SignInFailure', {
  description: 'What failed at a sign-in at an identity provider. The reason is in `refusal`.',
  values: {
    RESPONSE: { value: 'response', description: 'The response of the provider cannot be accepted. The reason is for its administrator.' },
    PROVIDER: { value: 'provider', description: 'Nobody can use the provider. The reason is for its administrator.' },
    REQUEST: { value: 'request', description: 'The response belongs to no open request of this browser.' },
    PERSON: { value: 'person', description: 'The person cannot do this. The reason is for the person.' },
  } satisfies Record<string, { value: FailureKind; description: string }>,
})

/**
 * Counts a failed sign-in, and returns the reason. If the provider cannot be used, also reports the reason, because its owners or the
 * operator must act.
 */
export function recordFailure(
  { providerFailed }: Pick<Context, 'providerFailed'>,
  { key, team }: SignInProvider,
  error: ProviderError,
): { refusal: string; failure: FailureKind } {
  observe('signIn', { method: 'provider', result: 'failed' })
  if (error instanceof UnusableProviderError) {
    const kind = team ? team.kind : key
    observe('providerFailure', { kind })
    providerFailed({ provider: key, kind, team: team?.teamSlug, reason: error.reason })
  }
  return { refusal: error.message, failure: error.kind }
}
