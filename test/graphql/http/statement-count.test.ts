import { beforeAll, expect, test } from 'vitest'
import { graphql } from '../../support/http/graphql.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join, teamToken, unique } from '../../support/data/team.ts'
import type { Team, User } from '../../../prisma/generated/client/client.ts'

const service = useService()
const { database } = service
const { prisma } = database
let team: Team
let owner: User
let token: string
beforeAll(async () => {
  ;({ team, owner, token } = await createOwnedTeam(database, { slug: 'acme' }))
  for (let i = 0; i < 50; i++) {
    const user = await createUser(database)
    await join(database, team, user, 'member')
    await createInvoice(database, team, {}, [1, 2, 3])
    await createGrant(database, user, i % 2 ? { team } : {})
    await teamToken(database, team)
    await prisma.accessToken.updateMany({ where: { teamId: team.id, createdById: null }, data: { createdById: user.id } })
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
})

const teamDocument = (selection: string) => `{ team(slug: "acme") { name ${selection} } }`

/** Selections and their number of statements, without the statement that authenticates the credential. */
test.each([
  ['teams', '{ teams { slug name avatarUrl updatedAt } }', 0],
  ['apps', teamDocument('apps { nodes { id: appId status } total lastPage }'), 1],
  ['invoices', teamDocument('invoices { nodes { id: invoiceId number total } total lastPage }'), 1],
  ['invoices with lines', teamDocument('invoices { nodes { id: invoiceId lines { id: lineId amount currency } } total lastPage }'), 2],
  ['members', teamDocument('members { nodes { id: userId name email avatarUrl } total lastPage }'), 1],
  ['tokens with their creators', teamDocument('tokens { nodes { id: tokenId hint createdBy { id: userId name } } total lastPage }'), 1],
  ['invitations', teamDocument('invitations { nodes { id: invitationId email status } total lastPage }'), 1],
  [
    'grants with users and clients',
    teamDocument('grants { nodes { id: grantId teamSlug user { id: userId name } client { clientId } } total lastPage }'),
    1,
  ],
  ['the viewer', '{ viewer { kind id: userId name email teamSlugs scopes team { name } } }', 0],
])('selecting %s sends a constant number of statements for 50 rows', async (_, query, expected) => {
  service.statements.length = 0
  const { errors } = await graphql(service, token, query)
  expect(errors).toEqual([])
  // The time of last use is written in the background.
  expect(service.statements.filter((text) => !text.includes('last_used_at = u.at')).slice(1)).toHaveLength(expected)
})
