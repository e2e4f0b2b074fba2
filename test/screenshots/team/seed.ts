import type { User } from '../../../prisma/generated/client/client.ts'
import type { PageParameters } from '../../support/account-site/seed.ts'
import { createMails } from './mails.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { seedLinks } from '../../support/account-site/seed.ts'
import { enableTotp } from '../../support/data/second-factor.ts'
import { lastSecret } from '../../support/mail/links.ts'
import { createMailQueue } from '../../support/service/periodic-work.ts'
import { runCli } from '../../support/service/cli.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import type { TestService } from '../../support/service/service.ts'
import { useService } from './activity.ts'
import { createAgents } from './agents.ts'
import { createDirectory } from './directory.ts'
import { createHistory } from './history.ts'
import { createApps } from './apps.ts'
import { createIdentities } from './identities.ts'
import { createGroupRoles, createProviders } from './providers.ts'
import { createWebhooks } from './webhooks.ts'
import { owner, people, secured, teamSlug } from './people.ts'
import { importRecords } from './records.ts'

/**
 * Fills a service with a team as customers have it: 60 members, 120 invoices in two currencies, 24 tokens, connected apps, invitations and
 * the audit entries of a year. Through the import command and the mutations of the product.
 */
export async function seedTeam(service: TestService) {
  const { database } = service
  await createMailQueue(service.databaseUrl)
  const { status, stderr } = await runCli(
    { DATABASE_URL: service.databaseUrl },
    ['import', '-'],
    importRecords(service.clock.now())
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  )
  if (status !== 0) throw new Error(stderr)
  const history = createHistory(service)
  await history.change()
  const tokens = await history.createTokens()
  const invitation = await history.invite()
  const grant = await useService(service, history)
  const withSecondFactor: User = await history.userOf(secured)
  await enableTotp({ service, principal: await sessionOf(service, withSecondFactor) })
  const person = await history.userOf(owner.email)
  const links = await seedLinks(service, person, 'mara.lindqvist@northwind.example', withSecondFactor)
  const invoice = await database.prisma.invoice.findFirstOrThrow({
    where: { team: { slug: teamSlug }, application: 'deploy', status: 'open' },
  })
  const entry = await database.prisma.auditEntry.findFirstOrThrow({ where: { teamId: invoice.teamId, action: 'updateMember' } })
  await createDirectory(service)
  await createAgents(service, history)
  const helped = await history.userOf(people[9]?.email ?? '')
  const parameters: PageParameters = {
    team: teamSlug,
    firstTeam: teamSlug,
    slug: 'team-without-a-provider',
    userId: helped.id,
    invitation,
    secret: lastSecret(service, invitation),
    link: links.reset_password,
    token: tokens.personal,
    teamToken: tokens.teamToken,
    grant,
    invoice: invoice.id,
    entry: entry.id,
    mail: await createMails(service, helped, [person, withSecondFactor]),
    provider: await createProviders(service, history),
    group: await createGroupRoles(service, invoice.teamId),
    identity: await createIdentities(service, history),
    ...(await createWebhooks(service, history)),
    ...(await createApps(service, history)),
  }
  return {
    person,
    userWithSecondFactor: withSecondFactor,
    staff: await createPerson(database, { name: 'Grace Hopper', staffRole: 'admin' }),
    links,
    parameters,
  }
}
