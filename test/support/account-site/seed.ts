import { randomBytes } from 'node:crypto'
import type { User } from '../../../prisma/generated/client/client.ts'
import type { MailLinkKind } from '../../../prisma/generated/client/enums.ts'
import { invitationSecret } from '../../../schema/invitations/link.ts'
import { mailLinkSecret } from '../../../schema/accounts/mail-link.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { createTotpSecret, encryptTotpSecret } from '../../../schema/security/second-factor/totp.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { createClient, createPerson } from '../oauth/oauth.ts'
import { createMailQueue } from '../service/periodic-work.ts'
import { secretKey } from '../service/test-settings.ts'
import type { TestService } from '../service/service.ts'
import { createWaitingMail } from '../mail/waiting-mail.ts'
import { createTrustedDevice } from '../data/session-row.ts'
import { createTeam, join, unique } from '../data/team.ts'
import { seedConnections } from '../developers/seed-connections.ts'

/** Names that users may choose. Tests show each of them on every page. */
export const names = {
  plain: 'Ada Moreau',
  hostile: `<img src=x onerror="alert('1')">`,
  rightToLeft: '\u202Eevil\u2069 אבג עربي',
  long: 'W'.repeat(255),
}

const deriveSecret = secretDeriver(secretKey)

/**
 * Creates a team with at least one object of every kind, so that no page is empty, and a user who owns it. Everything that
 * users can name is called `name`.
 */
export async function seedSite(service: TestService, name: string) {
  await createMailQueue(service.databaseUrl)
  const { database, clock } = service
  const { prisma } = database
  const now = clock.now()
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000)
  const person = await createPerson(database, { name })
  const other = await createPerson(database, { name })
  const userWithSecondFactor = await createPerson(database, { name })
  const totpSecret = new Uint8Array(encryptTotpSecret({ deriveSecret }, createTotpSecret(), userWithSecondFactor.id))
  await prisma.user.update({ where: { id: userWithSecondFactor.id }, data: { totpSecret } })
  const links = await seedLinks({ database, clock }, person, `${unique('new')}@example.test`, other)
  await createTrustedDevice(database, person)
  const billing = {
    billingName: name,
    billingAddress: [name, name.slice(0, 200), 'Springfield'].join('\n'),
    vatId: 'DE123456789',
    invoiceRecipients: ['invoices@example.test', `${'long'.repeat(14)}@${'example.'.repeat(20)}test`],
  }
  const team = await createTeam(database, { name, ...billing })
  await join(database, team, person, 'owner')
  await join(database, team, other, 'member', ['deploy', 'cert'])
  const billedTeam = await createTeam(database, { name })
  await join(database, billedTeam, person, 'billing')
  const nonce = randomBytes(16)
  const secret = invitationSecret({ deriveSecret }, nonce)
  const invitation = await prisma.invitation.create({
    data: {
      teamId: team.id,
      email: `${unique('guest')}@example.test`,
      role: 'member',
      tokenHash: sha256(secret),
      nonce,
      invitedById: person.id,
      sentAt: now,
      expiresAt: inDays(7),
    },
  })
  await prisma.connectedApp.create({
    data: { teamId: team.id, application: 'deploy', name, description: name, url: 'https://deploy.example' },
  })
  const token = (kind: 'personal' | 'team') => ({
    kind,
    name,
    hash: sha256(unique('token')),
    lastFour: 'abcd',
    scopes: ['teams', 'acct:team:members:read'],
    createdById: person.id,
    expiresAt: inDays(30),
  })
  const personal = await prisma.accessToken.create({ data: { ...token('personal'), userId: person.id } })
  await prisma.accessToken.create({ data: { ...token('personal'), userId: other.id } })
  const teamToken = await prisma.accessToken.create({ data: { ...token('team'), teamId: team.id } })
  const client = await createClient(database, { name, description: name, team: 'optional' })
  const granted = { teamId: team.id, scopes: ['openid', 'teams'], declinedScopes: ['email'], expiresAt: inDays(365) }
  const grant = await prisma.oAuthGrant.create({ data: { userId: person.id, oauthClientId: client.id, ...granted } })
  const invoices = []
  for (const month of [1, 2, 3])
    invoices.push(
      await prisma.invoice.create({
        data: {
          teamId: team.id,
          number: unique(`${month}`),
          status: month === 3 ? 'open' : 'paid',
          currency: 'eur',
          subtotal: 10_000,
          tax: 1900,
          invoiceDate: inDays(-30 * month),
          lines: {
            create: [
              { position: 0, application: 'deploy', description: name, quantity: 2, unitAmount: 3000 },
              { position: 1, application: 'cert', description: name, quantity: 1, unitAmount: 4000 },
            ],
          },
        },
      }),
    )
  const entry = await prisma.auditEntry.create({
    data: {
      at: now,
      action: 'updateTeam',
      actorKind: 'user',
      actorUserId: person.id,
      actorName: name,
      authenticationMethod: 'session',
      teamId: team.id,
      subject: team.id,
      before: { name: 'before' },
      after: { name },
      requestId: 'request-1',
    },
  })
  const parameters = {
    team: team.slug,
    slug: team.slug,
    firstTeam: [team.slug, billedTeam.slug].toSorted()[0] ?? '',
    userId: other.id,
    invitation: invitation.id,
    secret,
    link: links.reset_password,
    token: personal.id,
    teamToken: teamToken.id,
    grant: grant.id,
    invoice: invoices[0]?.id ?? '',
    entry: entry.id,
    mail: await createWaitingMail(service, other),
    ...(await seedConnections(service, team, { person, other }, entry.id, name)),
  }
  const tokens = { personal, teamToken }
  const staff = await createPerson(database, { name, staffRole: 'admin' })
  return { person, other, userWithSecondFactor, staff, team, client, invitation, tokens, grant, invoices, links, parameters }
}

/** The values of the parameters in the paths of pages. */
export type PageParameters = Awaited<ReturnType<typeof seedSite>>['parameters']

/** Creates an unopened mail link of each kind and returns its secret. */
export async function seedLinks(
  { database: { prisma }, clock }: Pick<TestService, 'database' | 'clock'>,
  { id, email }: User,
  newEmail: string,
  another: User,
) {
  const createLink = async (kind: MailLinkKind, to: string, userId = id) => {
    const [createdAt, nonce] = [clock.now(), randomBytes(16)]
    const secret = mailLinkSecret({ deriveSecret }, nonce)
    const expiresAt = new Date(createdAt.getTime() + 3_600_000)
    await prisma.mailLink.create({ data: { kind, userId, email: to, tokenHash: sha256(secret), nonce, createdAt, expiresAt } })
    return secret
  }
  return {
    // The page of a link of the own account verifies it, and leads to another page.
    verify_email: await createLink('verify_email', another.email, another.id),
    change_email: await createLink('change_email', newEmail),
    reset_password: await createLink('reset_password', email),
    prove_account: await createLink('prove_account', email),
    sign_in: await createLink('sign_in', email),
  } satisfies Record<MailLinkKind, string>
}
