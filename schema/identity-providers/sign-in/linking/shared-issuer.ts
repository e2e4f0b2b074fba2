import type { Executor } from '../../../../prisma/statement/statement.ts'
import { teamOfAddress } from '../../../domains/verified.ts'
import { ProviderError } from '../../protocol.ts'
import type { ProviderAssertion } from '../../protocol.ts'
import type { SignInProvider } from '../sign-in-provider.ts'

/** The issuer of all Google accounts, both of organizations and of individuals. */
const google = 'https://accounts.google.com'

/**
 * Refuses people of other organizations at an issuer that all share: unless its owner restricted the registered client, anybody could sign
 * in and join the team. Google states the organization in the claim `hd`, which must be a domain that the team has verified.
 */
export async function requireOwnOrganization(executor: Executor, { team }: SignInProvider, { claims }: ProviderAssertion): Promise<void> {
  if (team?.issuer !== google) return
  const domain = typeof claims.hd === 'string' ? claims.hd.toLowerCase() : ''
  const owner = await teamOfAddress(executor, `@${domain}`)
  if (owner?.teamId !== team.teamId)
    throw new ProviderError('The claim hd must be a domain that the team has verified: the issuer is that of all Google accounts.')
}
