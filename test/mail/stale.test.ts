import { describe, expect, test } from 'vitest'
import { pendingOf, invite } from '../support/invitation.ts'
import { startMailingService } from '../support/mail.ts'
import { startMailServer } from '../support/smtp.ts'
import { createOwnedTeam, unique } from '../support/team.ts'
import { waitFor } from '../support/wait.ts'

// Away: what is put in waits, and is looked at again with every attempt.
const placeholder = await startMailServer()
await placeholder.close()
const service = await startMailingService({ smtpUrl: placeholder.url })
const { prisma } = service.database

async function waitingMail() {
  const { team, owner, token } = await createOwnedTeam(service.database)
  const email = `${unique('guest')}@example.test`
  await invite(service, team.slug, token, { email, role: 'member' })
  const record = await waitFor(async () =>
    (await service.outbox.list('pending')).find(({ recipient, attempts }) => recipient === email && attempts > 0),
  )
  const becomes = (state: string) =>
    waitFor(async () => (await service.outbox.list()).find((each) => each.id === record.id && each.state === state))
  return { team, owner, invitation: await pendingOf(service, email), becomes }
}

describe('a mail that waits', () => {
  test.each(['revoked', 'declined', 'accepted'] as const)('is dropped when its invitation is %s', async (status) => {
    const { invitation, becomes } = await waitingMail()
    await prisma.invitation.update({ where: { id: invitation.id }, data: { status } })
    expect(await becomes('dropped')).toMatchObject({ lastError: status, recipient: invitation.email, nextAttemptAt: null })
  })

  test('is dropped when its team is deleted', async () => {
    const { team, becomes } = await waitingMail()
    await prisma.team.delete({ where: { id: team.id } })
    expect(await becomes('dropped')).toMatchObject({ lastError: 'deleted', recipient: null })
  })

  test('is not sent with a link that cannot work: the key is another one than it was made under', async () => {
    const { invitation, becomes } = await waitingMail()
    await prisma.invitation.update({ where: { id: invitation.id }, data: { tokenHash: Buffer.alloc(32, invitation.id) } })
    const { lastError } = await waitFor(async () =>
      (await becomes('pending'))?.lastError?.startsWith('SECRET_KEY') ? becomes('pending') : null,
    )
    expect(lastError).toBe('SECRET_KEY is not the one under which the invitation was made')
  })

  test('is dropped when its invitation expires', async () => {
    const { becomes } = await waitingMail()
    service.clock.advance(7 * 86_400_000)
    expect(await becomes('dropped')).toMatchObject({ lastError: 'expired' })
  })
})
