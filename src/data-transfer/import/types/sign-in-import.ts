import type { ClientBase } from 'pg'
import { DomainError } from '../../../../schema/core/errors.ts'
import { maxDomains, requireOwnDomain } from '../../../../schema/domains/rules.ts'
import { maxProviders } from '../../../../schema/identity-providers/rules.ts'
import { domainRecord, identityProviderRecord } from '../../records/types/sign-in-record.ts'
import type { Resolved } from '../chunk.ts'
import type { Report } from '../report.ts'
import { refuse, withinTeams } from '../rows-of-teams.ts'

type Check<Name extends 'domain' | 'identity_provider'> = (
  session: ClientBase,
  entries: readonly Resolved<Name>[],
  report: Report,
) => Promise<readonly Resolved<Name>[]>

/** Reports records of domains that cannot belong to one team, or that another team has verified, and returns the others. */
export const checkDomains: Check<'domain'> = async (session, entries, report) => {
  const { rows } = await session.query<{ domain: string; teamId: string }>(
    'SELECT domain, team_id AS "teamId" FROM team_domains WHERE domain = ANY ($1) AND verified_at IS NOT NULL',
    [entries.map(({ record }) => record.domain)],
  )
  const verifiedBy = new Map(rows.map((row) => [row.domain, row.teamId]))
  const accepted: Resolved<'domain'>[] = []
  for (const entry of await withinTeams(session, 'domain', maxDomains, entries, report)) {
    const { record, row } = entry
    const message = await findRefusal(record.domain)
    const teamId = String(row['team_id'])
    if (message !== null) refuse(report, domainRecord, entry, 'domain', message)
    else if (record.verified_at === undefined || (verifiedBy.get(record.domain) ?? teamId) === teamId) {
      if (record.verified_at !== undefined) verifiedBy.set(record.domain, teamId)
      accepted.push(entry)
    } else refuse(report, domainRecord, entry, 'verified_at', `Another team has already verified ${record.domain}.`)
  }
  return accepted
}

async function findRefusal(name: string): Promise<string | null> {
  try {
    await requireOwnDomain(name)
    return null
  } catch (error) {
    if (error instanceof DomainError) return error.message
    throw error
  }
}

/**
 * Reports records that would give a provider another kind, issuer, client or certificate, and returns the others. The holder of the new key
 * could sign in to the linked accounts, and an import notifies no one.
 */
export const checkProviders: Check<'identity_provider'> = async (session, entries, report) => {
  const { rows } = await session.query<StoredKeys>(
    'SELECT id, kind, issuer, client_id, certificates FROM identity_providers WHERE id = ANY ($1::uuid[])',
    [entries.map(({ record }) => record.id)],
  )
  const stored = new Map(rows.map((row) => [row.id, row]))
  const accepted = await withinTeams(session, 'identity_provider', maxProviders, entries, report)
  return accepted.filter((entry) => {
    const { record } = entry
    const current = stored.get(record.id)
    if (!current) return true
    const refuseChange = (member: string, message: string) => refuse(report, identityProviderRecord, entry, member, message)
    if (current.kind !== record.kind) return refuseChange('kind', 'The kind of an identity provider cannot be changed.')
    if (current.issuer !== record.issuer) return refuseChange('issuer', unchangeable('issuer'))
    if (current.client_id !== (record.client_id ?? null)) return refuseChange('client_id', unchangeable('client'))
    const isKnown = (certificate: string) => current.certificates.includes(certificate)
    return (record.certificates ?? []).every(isKnown) || refuseChange('certificates', unchangeable('certificate'))
  })
}

interface StoredKeys {
  id: string
  kind: string
  issuer: string
  client_id: string | null
  certificates: readonly string[]
}

const unchangeable = (what: string) => `An import does not change the ${what} of an identity provider.`
