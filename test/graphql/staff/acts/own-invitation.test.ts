import { describe, expect, test } from 'vitest'
import type { User } from '../../../../prisma/generated/client/client.ts'
import { createUser } from '../../../support/data/team.ts'
import { createScenarioContext } from '../../../support/graphql/scenarios/scenario.ts'
import { scenarios } from '../../../support/graphql/scenarios/mutation-scenarios.ts'
import { createStaff } from '../../../support/graphql/staff/staff.ts'
import { prepareAct } from '../../../support/graphql/staff/staff-acts.ts'
import { addWaitingMail } from '../../../support/mail/waiting-mail.ts'
import { executeAs, sessionOf } from '../../../support/service/in-process.ts'
import { useService } from '../../../support/service/service.ts'

// An invitation concerns the account with its address: staff do not send one again to themselves, or to staff of the same or a higher role.

const service = useService()
const { database, mails } = service
const { prisma } = database
const reason = 'Ticket 4711'

/** Invites a user, and prepares an act of staff about the invitation. */
async function prepare(name: string, invited: User) {
  const context = await createScenarioContext(service)
  const variables = { team: context.team.slug, email: invited.email }
  const { data } = await executeAs(service, context.principal, scenarios['inviteMember']?.document ?? '', variables)
  const invitationId: string = data.inviteMember.invitation.id
  const { document } = await prepareAct(name, context)
  const { nonce } = await prisma.invitation.findUniqueOrThrow({ where: { id: invitationId } })
  const mail = { kind: 'invitation', invitationId, nonce: Buffer.from(nonce).toString('base64url') }
  const id = name === 'retryMail' ? await addWaitingMail(service, mail, { invitationId }) : invitationId
  return {
    context,
    invitationId,
    act: async (staff: User) => executeAs(service, await sessionOf(service, staff), document, { id, reason }),
  }
}

describe.each(['resendInvitation', 'retryMail'])('%s', (name) => {
  test.each(['themselves', 'staff of the same role', 'an admin'] as const)('is refused to staff for an invitation of %s', async (who) => {
    const staff = await createStaff(database, { staffRole: 'support' })
    const invited = who === 'themselves' ? staff : await createStaff(database, { staffRole: who === 'an admin' ? 'admin' : 'support' })
    const { invitationId, act } = await prepare(name, invited)
    const before = await prisma.invitation.findUnique({ where: { id: invitationId } })
    expect((await act(staff)).refusal?.code).toBe('role_required')
    expect(await prisma.invitation.findUnique({ where: { id: invitationId } })).toEqual(before)
    expect(await prisma.auditEntry.count({ where: { action: name, actorUserId: staff.id } })).toBe(0)
  })

  test.each(['a user', 'a reader'])('is possible for an invitation of %s, who receives no further mail', async (who) => {
    const staff = await createStaff(database, { staffRole: 'support' })
    const invited = who === 'a user' ? await createUser(database) : await createStaff(database)
    const { context, act } = await prepare(name, invited)
    const countBefore = mails.length
    expect((await act(staff)).refusal).toBeNull()
    const notified = mails.slice(countBefore).flatMap((mail) => ('userId' in mail ? [mail.userId] : []))
    expect(notified).toEqual([context.owner.id])
  })
})
