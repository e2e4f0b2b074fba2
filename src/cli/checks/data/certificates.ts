import type { Check, Problem } from '../check.ts'

/** Providers that are listed at most. */
const maxListed = 10

/** Assertions are accepted after the end of a certificate, but providers then sign with another one, which this service does not know. */
export const certificates: Check = {
  name: 'certificates',
  description: 'the newest certificate of each SAML provider is valid for 30 days or more',
  needsMigrations: true,
  async run({ session }) {
    // Imported on demand: it needs the schema.
    const ends = await import('../../../../schema/identity-providers/saml/certificate-ends.ts')
    const { certificatesPage, readCertificateEnds, stateOfCertificate } = ends
    const now = new Date()
    const problems: Problem[] = []
    let unlisted = 0
    const readPage = async (after: string) => (await session.query(certificatesPage, [after])).rows
    for await (const { id, team, endsAt } of readCertificateEnds(readPage)) {
      const state = stateOfCertificate(endsAt, now)
      if (state === 'valid') continue
      if (problems.length >= maxListed) unlisted++
      else
        problems.push({
          problem: `the newest certificate of the identity provider ${id} of the team ${team} ${state === 'ended' ? 'ended' : 'ends'} on ${endsAt.toISOString().slice(0, 10)}`,
          action: 'tell the owners of the team, who enter the next certificate of the provider',
        })
    }
    if (unlisted === 0) return problems
    return [...problems, { problem: `so does that of ${unlisted} more`, action: 'see the metric team_account_saml_certificates' }]
  },
}
