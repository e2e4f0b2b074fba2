import { statement } from '../../../prisma/statement/statement.ts'
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

/** Maximum characters of a stored reason. */
const maxFailure = 500

// While a provider is down, many users try it. One failure of a minute is stored, so that they do not all write one row. The last change of
// the provider is a condition, because the failure of an older configuration says nothing about the current one.
const storeFailure = statement<object, [id: string, updatedAt: Date, now: Date, failure: string]>(
  'store_provider_failure',
  `UPDATE identity_providers SET failed_at = $3, failure = $4
   WHERE id = $1 AND updated_at = $2 AND (failed_at IS NULL OR failed_at <= $3::timestamptz - interval '1 minute')`,
)

/**
 * Counts a failed sign-in, and returns the reason. If the provider cannot be used, also stores and reports the reason, because its owners or
 * the operator must act.
 */
export async function recordFailure(
  { providerFailed, database, now }: Pick<Context, 'providerFailed' | 'database' | 'now'>,
  { key, team }: SignInProvider,
  error: ProviderError,
): Promise<{ refusal: string; failure: FailureKind }> {
  observe('signIn', { method: 'provider', result: 'failed' })
  if (error instanceof UnusableProviderError) {
    const kind = team ? team.kind : key
    observe('providerFailure', { kind })
    providerFailed({ provider: key, kind, team: team?.teamSlug, reason: error.reason })
    if (team) await storeFailure(database.pool, team.id, team.updatedAt, now(), error.reason.slice(0, maxFailure))
  }
  return { refusal: error.message, failure: error.kind }
}
