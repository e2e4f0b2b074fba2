import { beforeAll, expect, test } from 'vitest'
import { gauges } from '../../src/metrics/declarations.ts'
import { createTeam } from '../support/data/team.ts'
import { parseMetrics } from '../support/metrics/prometheus-text.ts'
import { canIssueCertificates } from '../support/postgres/certificates.ts'
import { reservePort } from '../support/processes/port.ts'
import { usePair } from '../support/processes/service-pair.ts'
import { createSamlProvider } from '../support/saml/provider.ts'
import { endedCertificate } from '../support/saml/ended-certificate.ts'
import { createSigner } from '../support/saml/signer.ts'

const { port, release } = reservePort()
release()
const service = usePair({ METRICS_PORT: String(port), WEB_CONCURRENCY: '1' }, { processes: 1, clockShifts: [300_000, 0] })
const scrape = async () => parseMetrics(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())

beforeAll(async () => {
  if (!canIssueCertificates) return
  const ended = { key: '', certificate: endedCertificate }
  await createSamlProvider(service, [ended])
  for (const days of [29, 29, 31, 31, 31]) await createSamlProvider(service, [createSigner({ days })])
  const deleted = await createTeam(service.database)
  await createSamlProvider(service, [ended], { team: deleted })
  await service.database.prisma.team.update({ where: { id: deleted.id }, data: { deletedAt: new Date() } })
})

test('the metrics tell by how much the clock of the machine differs from that of the database', async () => {
  const difference = (await scrape()).find(({ name }) => name === gauges.clockDifference.name)
  expect(difference?.value).toBeGreaterThan(298)
  expect(difference?.value).toBeLessThan(302)
})

test.runIf(canIssueCertificates)('the metrics count SAML providers by the end of their certificates', async () => {
  const samples = (await scrape()).filter(({ name }) => name === gauges.samlCertificates.name)
  expect(Object.fromEntries(samples.map(({ labels, value }) => [labels['state'], value]))).toEqual({ valid: 3, ending: 2, ended: 1 })
})
