import { parseCertificate } from './certificates.ts'

/** The certificates of an identity provider. */
export interface ProviderCertificates {
  id: string
  /** Slug of the provider's team; null if the team is deleted. */
  team: string | null
  /** The certificates in base64, separated by commas; empty for an OpenID provider and for one that is disabled. */
  certificates: string
}

const pageSize = 1000

/**
 * Selects a page of the certificates of all providers, after an identifier. It reads OpenID providers, too, because no index contains only
 * those of SAML. The team is a subquery, because a join could read all teams.
 */
export const certificatesPage = `
  SELECT p.id, (SELECT slug FROM teams t WHERE t.id = p.team_id AND t.deleted_at IS NULL) AS team,
    CASE WHEN p.disabled_at IS NULL THEN array_to_string(p.certificates, ',') ELSE '' END AS certificates
  FROM identity_providers p WHERE p.id > $1::uuid ORDER BY p.id LIMIT ${pageSize}`

/** Returns the SAML providers in use, with the end of the newest certificate of each. `readPage` executes `certificatesPage`. */
export async function* readCertificateEnds(readPage: (after: string) => Promise<ProviderCertificates[]>) {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await readPage(after)
    for (const { id, team, certificates } of rows) {
      const ends = certificates.split(',').flatMap((certificate) => parseCertificate(certificate)?.validToDate.getTime() ?? [])
      if (team !== null && ends.length > 0) yield { id, team, endsAt: new Date(Math.max(...ends)) }
    }
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.id
  }
}

export type CertificateState = 'valid' | 'ending' | 'ended'

/** Days before its end from which a certificate is reported: its owner needs time to publish and enter the next one. */
export const endingDays = 30

export function stateOfCertificate(endsAt: Date, now: Date): CertificateState {
  if (endsAt <= now) return 'ended'
  return endsAt.getTime() - now.getTime() <= endingDays * 86_400_000 ? 'ending' : 'valid'
}
