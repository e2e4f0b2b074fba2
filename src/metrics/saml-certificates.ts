import { setTimeout as pause } from 'node:timers/promises'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { certificatesPage, readCertificateEnds, stateOfCertificate } from '../../schema/identity-providers/saml/certificate-ends.ts'
import type { CertificateState, ProviderCertificates } from '../../schema/identity-providers/saml/certificate-ends.ts'

const page = statement<ProviderCertificates, [after: string]>('identity_provider_certificates', certificatesPage)

/** Returns the number of SAML providers of each state. */
export async function countCertificates(pool: StatementPool, now: Date): Promise<Record<CertificateState, number>> {
  const counts = { valid: 0, ending: 0, ended: 0 }
  for await (const { endsAt } of readCertificateEnds((after) => page(pool, after))) counts[stateOfCertificate(endsAt, now)]++
  return counts
}

const hourMilliseconds = 3_600_000
const firstReadMilliseconds = 500

/** Returns a function that reads at most once an hour and returns the last value; undefined while a first read fails or is slow. */
export function hourly<Value>(read: () => Promise<Value>): () => Promise<Value | undefined> {
  let last: { value: Value; at: number } | undefined
  let reading: Promise<void> | undefined
  return async () => {
    if (!last || performance.now() - last.at > hourMilliseconds)
      reading ??= read()
        .then((value) => void (last = { value, at: performance.now() }))
        // The previous value is used until a read succeeds, because certificates end on a day.
        .catch(() => {})
        .finally(() => (reading = undefined))
    if (!last) await Promise.race([reading, pause(firstReadMilliseconds, undefined, { ref: false })])
    return last?.value
  }
}
