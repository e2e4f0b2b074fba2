import { createConfiguredRequests } from '../../../outgoing/outgoing-requests.ts'
import type { Check } from '../check.ts'
import { formatCount, collectRows } from '../rows.ts'
import { findUnusable, maxIssuers } from './issuers.ts'
import type { UsedIssuer } from './issuers.ts'

export const providersCheck: Check = {
  name: 'providers',
  description: 'the OpenID providers of teams can be reached, and their metadata can be read',
  needsMigrations: true,
  async run({ config, session }) {
    const { rows } = await session.query<UsedIssuer & { id: string; team: string }>(
      `SELECT p.issuer, min(p.id::text) AS id, min(t.slug) AS team, count(*)::int AS count
       FROM identity_providers p JOIN teams t ON t.id = p.team_id AND t.deleted_at IS NULL
       WHERE p.kind = 'oidc' AND p.disabled_at IS NULL GROUP BY p.issuer ORDER BY max(p.updated_at) DESC, p.issuer LIMIT ${maxIssuers}`,
    )
    if (rows.length === 0) return []
    // This module is imported on demand, because it needs the schema.
    const { readIssuer } = await import('../../../../schema/identity-providers/issuer.ts')
    const { DomainError } = await import('../../../../schema/core/errors.ts')
    const outgoing = createConfiguredRequests(config)
    const findFault = async ({ issuer, id, team, count }: (typeof rows)[number]): Promise<string | null> => {
      try {
        await readIssuer({ outgoing, now: () => new Date() }, issuer)
        return null
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        const who = count === 1 ? `the identity provider ${id} of the team ${team}` : `${count} identity providers of the issuer ${issuer}`
        return `nobody can sign in through ${who}. ${error.details.errors?.['issuer']?.[0] ?? error.message}`
      }
    }
    try {
      return await findUnusable(
        rows,
        findFault,
        (count) => `${formatCount(count, 'identity provider', 'identity providers')} cannot be used`,
      )
    } finally {
      await outgoing.close()
    }
  },
}

/** Assertions are accepted after the end of a certificate, but providers then sign with another one, which is unknown to this service. */
export const certificatesCheck: Check = {
  name: 'certificates',
  description: 'the newest certificate of each SAML provider is valid for 30 days or more',
  needsMigrations: true,
  async run({ session }) {
    // This module is imported on demand, because it needs the schema.
    const ends = await import('../../../../schema/identity-providers/saml/certificate-ends.ts')
    const { certificatesPage, readCertificateEnds, stateOfCertificate } = ends
    const now = new Date()
    const { rows, add } = collectRows()
    const readPage = async (after: string) => (await session.query(certificatesPage, [after])).rows
    for await (const { id, team, endsAt } of readCertificateEnds(readPage)) {
      const state = stateOfCertificate(endsAt, now)
      const date = endsAt.toISOString().slice(0, 10)
      if (state !== 'valid') add([`the identity provider ${id} of the team ${team}: ${state === 'ended' ? 'ended' : 'ends'} on ${date}`])
    }
    if (rows.count === 0) return []
    const problem = `${formatCount(rows.count, 'SAML provider has', 'SAML providers have')} a certificate that ends within 30 days or has ended`
    return [{ severity: 'warning', problem, action: 'tell the owners of the teams, who enter the next certificate of the provider', rows }]
  },
}

/** Maximum number of domains that are looked up, so that the check ends when no name server responds. */
const maxDomains = 20

/** The name servers of one domain can fail. If most do not respond, the name servers of this machine are at fault. */
export const domainsCheck: Check = {
  name: 'domains',
  description: 'the records of most verified domains can be looked up',
  needsMigrations: true,
  async run({ config, session }) {
    const { rows } = await session.query<{ domain: string; value: string }>(
      `SELECT d.domain, d.value FROM team_domains d JOIN teams t ON t.id = d.team_id AND t.deleted_at IS NULL
       WHERE d.verified_at IS NOT NULL ORDER BY d.checked_at DESC NULLS LAST, d.domain LIMIT ${maxDomains}`,
    )
    if (rows.length === 0) return []
    // This module is imported on demand, because it needs the schema.
    const { checkRecord } = await import('../../../../schema/domains/check.ts')
    const outgoing = createConfiguredRequests(config)
    const checks = await Promise.all(rows.map((row) => checkRecord({ outgoing }, row))).finally(outgoing.close)
    const { rows: failed, add } = collectRows()
    for (const check of checks) if (check.state === 'unknown') add([check.problem])
    if (failed.count === 0) return []
    if (rows.length > 1 && failed.count * 2 > rows.length) {
      const problem = `${failed.count} of ${rows.length} verified domains cannot be looked up`
      return [{ problem, action: 'check the name servers of this machine or of DNS_SERVERS, and the firewall', rows: failed }]
    }
    const problem = `${formatCount(failed.count, 'verified domain', 'verified domains')} cannot be looked up`
    return [{ severity: 'warning', problem, action: 'tell the owners of the teams to check the name servers of the domains', rows: failed }]
  },
}
