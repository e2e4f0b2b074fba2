import { X509Certificate } from 'node:crypto'
import type { IdentityProvider } from '../../prisma/generated/client/client.ts'
import { providerColumns, readRow, readRows } from '../../prisma/statement/read-row.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { authorize } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { findTeamAccess } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'

const select = (condition: string) => `SELECT ${providerColumns} FROM identity_providers p WHERE ${condition}`

/** Returns the identity providers of these teams, oldest first. */
export const providersOfTeams = (database: Context['database'], teamIds: readonly string[]) =>
  readRows<IdentityProvider>(
    database.pool,
    'identity_providers_of_teams',
    `${select('p.team_id = ANY ($1::uuid[])')} ORDER BY p.created_at, p.id`,
    [teamIds],
  )

/** Returns a provider of a team in which the caller meets the requirement, by its identifier or global id, or throws `not_found`. */
export async function findOwnProvider(context: Context, globalId: string, requirement: Requirement): Promise<IdentityProvider> {
  const id = parseIdentifier(globalId, ['IdentityProvider'])
  const provider = isIdentifier(id)
    ? await readRow<IdentityProvider>(context.database.pool, 'own_identity_provider', select('p.id = $1'), id)
    : null
  const teamAccess = provider && (await findTeamAccess(context, 'id', provider.teamId))
  if (!provider || !teamAccess) throw notFound()
  authorize(context, requirement, teamAccess)
  return provider
}

/** Locks a provider until the transaction ends and reads it. Throws `not_found` if it was deleted since. */
export async function lockProvider(transaction: Transaction, id: string): Promise<IdentityProvider> {
  const provider = await readRow<IdentityProvider>(transaction, 'lock_identity_provider', `${select('p.id = $1')} FOR UPDATE`, id)
  if (!provider) throw notFound('the identity provider was deleted')
  return provider
}

/** Returns the common part of audit entries about a provider. */
export const auditedProvider = ({ id, teamId, name }: IdentityProvider) => ({ teamId, subject: id, subjectName: name })

/** Returns the settings of a provider for audit entries: without the secret, and with fingerprints of the certificates. */
export const auditedSettings = ({ kind, name, issuer, clientId, ssoUrl, certificates, groupsClaim, jitRole }: IdentityProvider) => ({
  kind,
  name,
  issuer,
  ...(kind === 'oidc' ? { clientId } : { ssoUrl, certificates: certificates.map(calculateFingerprint) }),
  groupsClaim,
  jitRole,
})

/** Returns the SHA-256 fingerprint of a certificate in the form in which providers show it. */
export const calculateFingerprint = (certificate: string): string => new X509Certificate(Buffer.from(certificate, 'base64')).fingerprint256
