import type { SocialProvider } from '../../../prisma/generated/client/enums.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../../core/context.ts'
import { findProvider } from '../stored-provider.ts'
import type { StoredProvider } from '../stored-provider.ts'
import { RefusedPersonError } from '../protocol.ts'
import type { SocialClient } from '../../core/social-clients.ts'
import { socialNames } from '../../core/social-clients.ts'

/** A provider for signing in: that of a team, or a public one. */
export type SignInProvider = TeamSignInProvider | SocialSignInProvider

interface TeamSignInProvider {
  /** Identifier of the provider in paths: the identifier of that of a team, or the name of a public one. */
  key: string
  name: string
  team: StoredProvider
  social: null
}

interface SocialSignInProvider {
  key: SocialProvider
  name: string
  team: null
  social: SocialClient
}

/** Returns the columns of tables that refer to a provider. */
export const toProviderColumns = ({ key, team }: SignInProvider) =>
  team ? { providerId: team.id, social: null } : { providerId: null, social: key }

const isSocial = (key: string): key is SocialProvider => Object.hasOwn(socialNames, key)

/** Finds a provider by its key in paths; null if it is unknown or not configured. The provider of a team can be disabled. */
export async function findSignInProvider(
  context: Pick<Context, 'database' | 'deriveSecret' | 'socialProviders'>,
  key: string,
): Promise<SignInProvider | null> {
  if (isSocial(key)) {
    const social = context.socialProviders[key]
    return social ? { key, name: socialNames[key], team: null, social } : null
  }
  const team = await findProvider(context, key)
  return team && { key: team.id, name: team.name, team, social: null }
}

/** Returns the error for a response to a request that is older than the last change of the provider. */
export const changedMeanwhile = () =>
  new RefusedPersonError('The settings of the identity provider were changed during the sign-in. Try again.')

const lockUnchanged = statement<object, [id: string, updatedAt: Date]>(
  'lock_unchanged_identity_provider',
  'SELECT 1 FROM identity_providers WHERE id = $1 AND updated_at = $2 AND disabled_at IS NULL FOR SHARE',
)

/**
 * Locks the provider of a team in its state at the verification of the response, until the transaction ends. Throws a `RefusedPersonError`
 * if it was changed, disabled or deleted meanwhile: an identifier from another issuer could belong to another person.
 */
export async function requireUnchanged(transaction: Transaction, { team }: SignInProvider): Promise<void> {
  if (team && (await lockUnchanged(transaction, team.id, team.updatedAt)).length === 0) throw changedMeanwhile()
}
