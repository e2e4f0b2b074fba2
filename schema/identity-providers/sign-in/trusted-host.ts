import { statement } from '../../../prisma/statement/statement.ts'
import { requireBrowser } from '../../core/attempts/count-attempt.ts'
import type { Context } from '../../core/context.ts'
import type { SignInProvider } from './provider.ts'

const isTrusted = statement<object, [teamId: string, providerId: string, userIds: readonly string[]]>(
  'is_trusted_identity_provider',
  `SELECT 1 FROM team_domains WHERE team_id = $1 AND verified_at IS NOT NULL
   UNION ALL SELECT 1 FROM members WHERE team_id = $1 AND user_id = ANY ($3::uuid[])
   UNION ALL SELECT 1 FROM external_identities WHERE provider_id = $2 AND user_id = ANY ($3::uuid[]) LIMIT 1`,
)

/**
 * Returns true if the browser may be sent to the host of a provider without a page that shows its name. Anybody can create a team and enter
 * any host, so a link to this service would otherwise redirect users of other teams there. Returns true if the team has verified a domain.
 * Also returns true if a user who is or was signed in in this browser is a member of the team or has signed in through the provider.
 */
export async function isHostTrusted(context: Context, { team }: SignInProvider): Promise<boolean> {
  if (!team) return true
  const { principal, database } = context
  const userIds = [...requireBrowser(context).findKnownUsers(), ...(principal?.kind === 'user' ? [principal.user.id] : [])]
  return (await isTrusted(database.pool, team.teamId, team.id, userIds)).length > 0
}
