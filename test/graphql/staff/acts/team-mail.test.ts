import { describe, expect, test } from 'vitest'
import { createInvoice } from '../../../support/data/invoices/invoice.ts'
import { createOwnedTeam, join, personalToken, teamToken } from '../../../support/data/team.ts'
import { createStaff } from '../../../support/graphql/staff/staff.ts'
import { addWaitingMail } from '../../../support/mail/waiting-mail.ts'
import { executeAs, sessionOf } from '../../../support/service/in-process.ts'
import { useService } from '../../../support/service/service.ts'

const service = useService()
const { database, mails } = service
const { prisma } = database

const retry = 'mutation ($id: ID!) { retryMail(input: { id: $id, reason: "Ticket 4711" }) { kind } }'

/** Creates a team and the mails about an invoice and a token of it. */
async function createMails() {
  const owned = await createOwnedTeam(database)
  const { id: invoiceId } = await createInvoice(database, owned.team)
  const invoice = await addWaitingMail(service, { kind: 'invoice-issued', invoiceId, recipient: 'books@example.test' }, { invoiceId })
  await teamToken(database, owned.team)
  const { id: tokenId } = await prisma.accessToken.findFirstOrThrow({ where: { teamId: owned.team.id }, orderBy: { createdAt: 'desc' } })
  const token = await addWaitingMail(service, { kind: 'token-expires', tokenId, userId: owned.owner.id }, { tokenId })
  return { ...owned, mailIds: { invoice, token } }
}

describe.each(['invoice', 'token'] as const)('an email about a %s of a team that staff send again', (kind) => {
  test('is in the audit log of the team, whose owners receive an email', async () => {
    const { team, owner, mailIds } = await createMails()
    const staff = await createStaff(database, { staffRole: 'support' })
    const count = mails.length
    expect((await executeAs(service, await sessionOf(service, staff), retry, { id: mailIds[kind] })).refusal).toBeNull()
    expect(await prisma.auditEntry.findFirstOrThrow({ where: { action: 'retryMail', actorUserId: staff.id } })).toMatchObject({
      teamId: team.id,
      reason: 'Ticket 4711',
      after: { mail: mailIds[kind] },
    })
    expect(mails.slice(count)).toMatchObject([{ kind: 'act-of-staff', userId: owner.id }])
  })

  test('is refused to staff who are members of the team', async () => {
    const { team, mailIds } = await createMails()
    const staff = await createStaff(database, { staffRole: 'support' })
    await join(database, team, staff, 'member')
    expect((await executeAs(service, await sessionOf(service, staff), retry, { id: mailIds[kind] })).refusal?.code).toBe('role_required')
  })
})

test('an email about a personal token is about no team', async () => {
  const { owner } = await createMails()
  await personalToken(database, owner)
  const { id: tokenId } = await prisma.accessToken.findFirstOrThrow({ where: { userId: owner.id } })
  const id = await addWaitingMail(service, { kind: 'token-expires', tokenId, userId: owner.id }, { tokenId })
  const staff = await createStaff(database, { staffRole: 'support' })
  expect((await executeAs(service, await sessionOf(service, staff), retry, { id })).refusal).toBeNull()
  expect(await prisma.auditEntry.findFirstOrThrow({ where: { action: 'retryMail', actorUserId: staff.id } })).toMatchObject({
    teamId: null,
  })
})
