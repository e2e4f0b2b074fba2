import type { Check } from '../check.ts'
import { collectRows, countOf } from '../rows.ts'

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
    const problem = `${countOf(rows.count, 'SAML provider has', 'SAML providers have')} a certificate that ends within 30 days or has ended`
    return [{ severity: 'warning', problem, action: 'tell the owners of the teams, who enter the next certificate of the provider', rows }]
  },
}
