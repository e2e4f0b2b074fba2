import { randomBytes } from 'node:crypto'
import type { User } from '../../prisma/generated/client/client.ts'
import type { MailLinkKind } from '../../prisma/generated/client/enums.ts'
import { pages } from '../../src/account-site/pages.ts'
import { invitationSecret } from '../../schema/invitation-link.ts'
import { mailLinkSecret } from '../../schema/mail-link.ts'
import { sha256 } from '../../schema/secret.ts'
import { createTotpSecret, sealTotpSecret } from '../../schema/totp.ts'
import { secretDeriver } from '../../src/secret-key.ts'
import { createClient, createPerson } from './oauth.ts'
import { secretKey } from './pace.ts'
import type { TestService } from './service.ts'
import { createTeam, join, unique } from './team.ts'

/** What people might call themselves and theirs, each on every page where names are shown. */
export const names = {
  plain: 'Ada Moreau',
  hostile: `<img src=x onerror="alert('1')">`,
  rightToLeft: '\u202Eevil\u2069 אבג עربي',
  long: 'W'.repeat(255),
}

const deriveSecret = secretDeriver(secretKey)

/**
 * A person who owns a team in which there is something of everything, so that no page is empty. All that people name is
 * called `name`.
 */
export async function furnish({ database, clock }: TestService, name: string) {
  const { prisma } = database
  const now = clock.now()
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000)
  const person = await createPerson(database, { name })
  const other = await createPerson(database, { name })
  // Whose password alone does not sign in.
  const guarded = await createPerson(database, { name })
  const totpSecret = new Uint8Array(sealTotpSecret({ deriveSecret }, createTotpSecret(), guarded.id))
  await prisma.user.update({ where: { id: guarded.id }, data: { totpSecret } })
  const links = await furnishLinks({ database, clock }, person)
  const team = await createTeam(database, { name })
  await join(database, team, person, 'owner')
  await join(database, team, other, 'member', ['deploy', 'cert'])
  const paid = await createTeam(database, { name })
  await join(database, paid, person, 'billing')
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
  const ofTeam = await prisma.accessToken.create({ data: { ...token('team'), teamId: team.id } })
  const client = await createClient(database, { name, description: name, team: 'optional' })
  const grant = await prisma.oAuthGrant.create({
    data: {
      userId: person.id,
      oauthClientId: client.id,
      teamId: team.id,
      scopes: ['openid', 'teams'],
      declinedScopes: ['email'],
      expiresAt: inDays(365),
    },
  })
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
  await prisma.auditEntry.create({
    data: {
      at: now,
      action: 'updateTeam',
      actorKind: 'user',
      actorUserId: person.id,
      actorName: name,
      via: 'session',
      teamId: team.id,
      subject: team.id,
      before: { name: 'before' },
      after: { name },
      requestId: 'request-1',
    },
  })
  const parameters: Record<string, string> = {
    team: team.slug,
    firstTeam: [team.slug, paid.slug].toSorted()[0] ?? '',
    userId: other.id,
    invitation: invitation.id,
    secret,
    link: links.reset_password,
    token: personal.id,
    teamToken: ofTeam.id,
    grant: grant.id,
    invoice: invoices[0]?.id ?? '',
  }
  return { person, other, guarded, team, client, invitation, tokens: { personal, ofTeam }, grant, invoices, links, parameters }
}

/** The secret of a link of a mail of each kind, none of them opened yet. */
async function furnishLinks({ database: { prisma }, clock }: Pick<TestService, 'database' | 'clock'>, { id: userId, email }: User) {
  const make = async (kind: MailLinkKind, to: string) => {
    const [createdAt, nonce] = [clock.now(), randomBytes(16)]
    const secret = mailLinkSecret({ deriveSecret }, nonce)
    const expiresAt = new Date(createdAt.getTime() + 3_600_000)
    await prisma.mailLink.create({ data: { kind, userId, email: to, tokenHash: sha256(secret), nonce, createdAt, expiresAt } })
    return secret
  }
  return {
    verify_email: await make('verify_email', email),
    change_email: await make('change_email', `${unique('new')}@example.test`),
    reset_password: await make('reset_password', email),
  } satisfies Record<MailLinkKind, string>
}

/** Where pages lead that show nothing themselves; every other one stays where it is. */
const leadsTo: Readonly<Record<string, string>> = {
  '/': '/teams/:firstTeam/settings',
  '/teams/:team': '/teams/:team/settings',
  '/links/:secret': '/reset-password',
  '/invitations/:secret': '/invitation',
}

/** Every page there is, with the parameters of its path filled in, and the path at which somebody is who has opened it. */
export function everyPage(parameters: Readonly<Record<string, string>>) {
  const fill = (path: string) =>
    path.replace(/:(\w+)/g, (_, name: string) => {
      const value = parameters[namedApart(path, name)]
      if (value === undefined) throw new Error(`nothing is furnished for ${name} of ${path}`)
      return value
    })
  return pages.map(({ path, isForAnyone }) => ({ path: fill(path), endsAt: fill(leadsTo[path] ?? path), isForAnyone }))
}

/** What is called the same in paths, but is not. */
function namedApart(path: string, name: string): string {
  if (name === 'token' && path.startsWith('/teams/')) return 'teamToken'
  return name === 'secret' && path.startsWith('/links/') ? 'link' : name
}
