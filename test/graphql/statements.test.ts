import { expect, test } from 'vitest'
import { graphql } from '../support/graphql.ts'
import { createInvoice } from '../support/invoice.ts'
import { createGrant } from '../support/oauth-rows.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createUser, join, teamToken, unique } from '../support/team.ts'

const service = await startService()
const { database } = service
const { prisma } = database
const { team, owner, token } = await createOwnedTeam(database)

for (let i = 0; i < 50; i++) {
  const person = await createUser(database)
  await join(database, team, person, 'member')
  await createInvoice(database, team, {}, [1, 2, 3])
  await createGrant(database, person, i % 2 ? { team } : {})
  await teamToken(database, team)
  await prisma.accessToken.updateMany({ where: { teamId: team.id, createdById: null }, data: { createdById: person.id } })
  const invitation = {
    teamId: team.id,
    email: `${unique('guest')}@example.test`,
    role: 'member' as const,
    allApplications: true,
    invitedById: owner.id,
  }
  const link = { nonce: Buffer.alloc(16, i), tokenHash: Buffer.alloc(32, i), sentAt: new Date(), expiresAt: new Date() }
  await prisma.invitation.create({ data: { ...invitation, ...link } })
}

const ofTeam = (selection: string) => `{ team(slug: "${team.slug}") { name ${selection} } }`

/** Each with its rows, and the statements it takes beside the credential's. */
test.each([
  ['teams', '{ teams { slug name avatarUrl updatedAt } }', 0],
  ['apps', ofTeam('apps { nodes { id status } total lastPage }'), 1],
  ['invoices', ofTeam('invoices { nodes { id number total } total lastPage }'), 1],
  ['invoices with lines', ofTeam('invoices { nodes { id lines { id amount currency } } total lastPage }'), 2],
  ['members', ofTeam('members { nodes { id name email avatarUrl } total lastPage }'), 1],
  ['tokens with their creators', ofTeam('tokens { nodes { id hint createdBy { id name } } total lastPage }'), 2],
  ['invitations', ofTeam('invitations { nodes { id email status } total lastPage }'), 2],
  ['grants with people and clients', ofTeam('grants { nodes { id teamSlug user { id name } client { clientId } } total lastPage }'), 3],
  ['the viewer', '{ viewer { kind id name email teamSlugs scopes team { name } } }', 0],
])('%s take as many statements as were counted, however many rows', async (_, query, expected) => {
  service.statements.length = 0
  const { errors } = await graphql(service, token, query)
  expect(errors).toEqual([])
  // When the token was used is written later, and by nobody's request.
  expect(service.statements.filter((text) => !text.includes('last_used_at = u.at')).slice(1)).toHaveLength(expected)
})
