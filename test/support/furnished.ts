import { randomBytes } from 'node:crypto'
import { pages } from '../../src/account-site/pages.ts'
import { invitationSecret } from '../../schema/invitation-link.ts'
import { sha256 } from '../../schema/secret.ts'
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
  const team = await createTeam(database, { name })
  await join(database, team, person, 'owner')
  await join(database, team, other, 'member', ['deploy', 'cert'])
  await join(database, await createTeam(database, { name }), person, 'billing')
  const nonce = randomBytes(16)
  const secret = invitationSecret({ deriveSecret: secretDeriver(secretKey) }, nonce)
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
    userId: other.id,
    invitation: invitation.id,
    secret,
    token: personal.id,
    teamToken: ofTeam.id,
    grant: grant.id,
    invoice: invoices[0]?.id ?? '',
  }
  return { person, other, team, client, invitation, tokens: { personal, ofTeam }, grant, invoices, parameters }
}

/** Every page there is, with the parameters of its path filled in. */
export function everyPage(parameters: Readonly<Record<string, string>>) {
  return pages.map(({ path, isForAnyone }) => {
    const filled = path.replace(/:(\w+)/g, (_, name: string) => {
      const value = name === 'token' && path.startsWith('/teams/') ? parameters['teamToken'] : parameters[name]
      if (value === undefined) throw new Error(`nothing is furnished for ${name} of ${path}`)
      return value
    })
    return { path: filled, isForAnyone }
  })
}
