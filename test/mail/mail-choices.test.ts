import { expect, test } from 'vitest'
import { inTransaction } from '../../prisma/statement/transaction.ts'
import type { Mail } from '../../schema/core/mails/mails.ts'
import { placeholderAddress } from '../../schema/core/mails/placeholder-address.ts'
import { createUser } from '../support/data/team.ts'
import { useMailingService } from '../support/mail/mailing-service.ts'
import { sentBy } from '../support/mail/sent.ts'
import { useMailServer } from '../support/mail/smtp.ts'
import { waitFor } from '../support/service/wait.ts'

const server = useMailServer()
const service = useMailingService({ smtpUrl: server.url })
const { database, clock, outbox } = service
const { messageOf } = sentBy(service)
const at = clock.now().toISOString()
const inTeam = { team: 'Acme', slug: 'acme' }

/** The kinds of the mails in the outbox after these were written to it, for a user who has switched off `mutedMails`. */
async function kindsSent(mutedMails: string[], ...mails: Omit<Extract<Mail, { data: unknown }>, 'userId' | 'at'>[]) {
  const { id: userId, email } = await createUser(database)
  await database.prisma.user.update({ where: { id: userId }, data: { mutedMails } })
  await inTransaction(database, async (transaction) => {
    for (const mail of mails) await outbox.sendMail(transaction, { ...mail, userId, at })
  })
  const own = async () => (await outbox.list()).filter(({ recipient }) => recipient === email)
  await waitFor(async () => (await own()).every(({ state }) => state === 'sent'))
  return (await own()).map(({ kind }) => kind).toSorted()
}

test('a mail that its recipient has switched off is not written to the outbox, and others are', async () => {
  const role = { kind: 'role-changed', data: { ...inTeam, role: 'member' } } as const
  const accepted = { kind: 'invitation-accepted', data: { ...inTeam, email: 'jo@example.test' } } as const
  expect(await kindsSent([], role, accepted)).toEqual(['invitation-accepted', 'role-changed'])
  expect(await kindsSent(['role-changed'], role, accepted)).toEqual(['invitation-accepted'])
  expect(await kindsSent(['role-changed', 'invitation-accepted', 'unknown'], role, accepted)).toEqual([])
})

test('a mail about security is sent, whatever is stored as switched off', async () => {
  const mails = [{ kind: 'new-device', data: {} } as const, { kind: 'password-changed', data: {} } as const]
  expect(await kindsSent(['new-device', 'password-changed'], ...mails)).toEqual(['new-device', 'password-changed'])
})

test('nothing is written to the outbox for an account without an email address, and nothing is sent to it', async () => {
  const { id: userId } = await createUser(database)
  const email = placeholderAddress(userId)
  await database.prisma.user.update({ where: { id: userId }, data: { email } })
  const own = async () => (await outbox.list()).filter(({ recipient }) => recipient === email)
  await inTransaction(database, async (transaction) => {
    await outbox.sendMail(transaction, { kind: 'role-changed', userId, at, data: { ...inTeam, role: 'member' } })
    await outbox.sendMail(transaction, { kind: 'email-changed', userId, recipient: email, at, data: {} })
  })
  expect(await own()).toEqual([])
  // A mail that was queued before the account lost its address.
  await expect(messageOf({ kind: 'password-changed', userId, at, data: {} })).rejects.toThrow('the account has no email address')
})

test('a mail that its recipient can switch off leads to the page of notifications, and one about security does not', async () => {
  const { id: userId } = await createUser(database)
  const link = `Change which emails you get: ${service.url}/account/notifications`
  const composed = async (mail: Mail) => {
    const { text, html } = await messageOf(mail)
    return [text.includes(link), html.includes(`href="${service.url}/account/notifications"`)]
  }
  expect(await composed({ kind: 'role-changed', userId, at, data: { ...inTeam, role: 'member' } })).toEqual([true, true])
  expect(await composed({ kind: 'password-changed', userId, at, data: {} })).toEqual([false, false])
})
