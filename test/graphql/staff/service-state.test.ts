import { beforeAll, expect, test } from 'vitest'
import { createProvider } from '../../support/domains/required-sign-in.ts'
import { createTeam, createUser, join } from '../../support/data/team.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { createWaitingMail } from '../../support/mail/waiting-mail.ts'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { createSigner } from '../../support/saml/signer.ts'
import { createMailQueue } from '../../support/service/periodic-work.ts'
import { useService } from '../../support/service/service.ts'
import { createWebhook } from '../../support/webhooks/webhook.ts'

const service = useService()
const { database } = service
beforeAll(() => createMailQueue(service.databaseUrl))

const document = `{ staff { serviceState { waitingMails oldestMailAt failedMails clientsToReview
  failingWebhooks { teamSlug host failingSince } endingCertificates { teamSlug endsAt } } } }`

const read = async () => {
  const token = await staffToken(database, await createStaff(database))
  return (await graphql(service, token, document)).data.staff.serviceState
}

test('serviceState counts waiting emails and reviews, and lists failing webhooks without their paths', async () => {
  const nothing = { waitingMails: 0, oldestMailAt: null, failedMails: 0, clientsToReview: 0, failingWebhooks: [], endingCertificates: [] }
  expect(await read()).toEqual(nothing)

  const team = await createTeam(database)
  const owner = await createUser(database)
  await join(database, team, owner, 'owner')
  await createWaitingMail(service, owner)
  const failed = await createWaitingMail(service, await createUser(database))
  await database.pool.query(`UPDATE pgboss.job SET state = 'failed', completed_on = now() WHERE id = $1`, [failed])
  const client = await createClient(database)
  await database.prisma.oAuthClient.update({ where: { id: client.id }, data: { state: 'submitted' } })
  const { id } = await createWebhook(service, team, 'http://127.0.0.1:9/secret-path', ['team.updated'])
  const failingSince = new Date('2026-05-01T10:00:00Z')
  await database.prisma.webhook.update({ where: { id }, data: { failingSince } })

  const state = await read()
  expect(state).toMatchObject({
    waitingMails: 1,
    oldestMailAt: expect.any(String),
    failedMails: 1,
    clientsToReview: 1,
    failingWebhooks: [{ teamSlug: team.slug, host: '127.0.0.1:9', failingSince: failingSince.toISOString() }],
  })
  expect(JSON.stringify(state)).not.toContain('secret-path')
})

test.skipIf(!canIssueCertificates)('serviceState lists the providers whose newest certificate ends within 30 days', async () => {
  const team = await createTeam(database)
  const [ending, valid] = [createSigner({ days: 20 }).certificate, createSigner({ days: 90 }).certificate]
  const saml = { kind: 'saml', clientId: null, clientSecret: null, ssoUrl: 'https://idp.example.com/sso' } as const
  for (const certificates of [[ending], [ending, valid]]) await createProvider(service, team, { ...saml, certificates })
  expect((await read()).endingCertificates).toEqual([{ teamSlug: team.slug, endsAt: expect.any(String) }])
})
