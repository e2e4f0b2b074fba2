import { describe, expect, test } from 'vitest'
import { findPendingInvitation, invite } from '../support/data/invitation.ts'
import { useMailingService } from '../support/mail/mailing-service.ts'
import { createOwnedTeam, unique } from '../support/data/team.ts'
import { reservePort } from '../support/processes/port.ts'
import { waitFor } from '../support/service/wait.ts'

// No mail server listens at this port, so mails stay in the outbox and are checked again at each attempt.
const placeholder = reservePort()
placeholder.release()
const service = useMailingService({ smtpUrl: `smtp://127.0.0.1:${placeholder.port}` })
const { prisma } = service.database

async function createPendingMail() {
  const { team, owner, token } = await createOwnedTeam(service.database)
  const email = `${unique('guest')}@example.test`
  await invite(service, team.slug, token, { email, role: 'member' })
  const record = await waitFor(async () =>
    (await service.outbox.list('pending')).find(({ recipient, attempts }) => recipient === email && attempts > 0),
  )
  const waitForState = (state: string) =>
    waitFor(async () => (await service.outbox.list()).find((mail) => mail.id === record.id && mail.state === state))
  return { team, owner, invitation: await findPendingInvitation(service, email), waitForState }
}

describe('a pending invitation mail', () => {
  test.each(['revoked', 'declined', 'accepted'] as const)('is dropped when its invitation is %s', async (status) => {
    const { invitation, waitForState } = await createPendingMail()
    await prisma.invitation.update({ where: { id: invitation.id }, data: { status } })
    expect(await waitForState('dropped')).toMatchObject({ lastError: status, recipient: invitation.email, nextAttemptAt: null })
  })

  test('is dropped when its team is deleted', async () => {
    const { team, waitForState } = await createPendingMail()
    await prisma.team.delete({ where: { id: team.id } })
    expect(await waitForState('dropped')).toMatchObject({ lastError: 'deleted', recipient: null })
  })

  test('is not sent when SECRET_KEY has changed, because its link would not work', async () => {
    const { invitation, waitForState } = await createPendingMail()
    await prisma.invitation.update({ where: { id: invitation.id }, data: { tokenHash: Buffer.alloc(32, invitation.id) } })
    const { lastError } = await waitFor(async () =>
      (await waitForState('pending'))?.lastError?.startsWith('SECRET_KEY') ? waitForState('pending') : null,
    )
    expect(lastError).toBe('SECRET_KEY differs from the one that created the invitation')
  })

  test('is dropped when its invitation expires', async () => {
    const { waitForState } = await createPendingMail()
    service.clock.advance(7 * 86_400_000)
    expect(await waitForState('dropped')).toMatchObject({ lastError: 'expired' })
  })
})
