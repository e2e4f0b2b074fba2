import { describe, expect, test } from 'vitest'
import {
  changePassword,
  confirmEmailChange,
  requestEmailChange,
  requestPasswordReset,
  signUp,
} from '../support/graphql/scenarios/account-scenarios.ts'
import { inTransaction } from '../../prisma/statement/transaction.ts'
import type { Principal } from '../../schema/core/principals.ts'
import { executeAs, operator, sessionOf, anonymous } from '../support/service/in-process.ts'
import { lastLink } from '../support/mail/links.ts'
import { everythingStored, useMailingService } from '../support/mail/mailing-service.ts'
import { enableTotp } from '../support/data/second-factor.ts'
import { useMailServer } from '../support/mail/smtp.ts'
import { createUser, unique } from '../support/data/team.ts'
import { waitFor } from '../support/service/wait.ts'

// Account mails end to end: from the mutation through the outbox to the mail server.

const server = useMailServer()
const service = useMailingService({ smtpUrl: server.url })
const { prisma } = service.database
const password = 'correct horse battery'

/** Executes an operation as the account site does, with an outbox that sends to the mail server. */
const execute = (principal: Principal, document: string, input: object) =>
  executeAs(service, principal, document, { input }, (transaction, mail) => service.outbox.sendMail(transaction, mail))

const findArrivedMail = (address: string, subject: string) =>
  waitFor(() => server.mails.find((mail) => mail.to?.[0]?.address === address && mail.subject === subject))
const waitForRecord = (kind: string, recipient: string | null, state: string) =>
  waitFor(async () =>
    (await service.outbox.list()).find((mail) => mail.kind === kind && mail.recipient === recipient && mail.state === state),
  )

describe('an account mail', () => {
  test('contains a link whose secret the database does not store', async () => {
    const email = `${unique('new')}@example.test`
    await execute(anonymous, signUp, { email, name: 'Visit evil.example now', password })
    const { text = '', html } = await findArrivedMail(email, 'Verify your email address')
    const { id } = await prisma.user.findUniqueOrThrow({ where: { email } })
    const secret = await lastLink(service, id)
    expect(text).toContain(`${service.url}/links/${secret}\n`)
    expect(`${text}${html}`).not.toContain('evil.example')
    expect(await everythingStored(service.database)).not.toContain(secret)
    expect(await waitForRecord('verify-email', email, 'sent')).toMatchObject({ attempts: 1, lastError: null })
  })

  test('arrives for each event of an account, at the address that the event concerns', async () => {
    const user = await createUser(service.database)
    const session = await sessionOf(service, user)
    const email = `${unique('new')}@example.test`
    await execute(anonymous, signUp, { email: user.email, name: 'Eve', password })
    await findArrivedMail(user.email, 'You already have an account')
    await execute(anonymous, requestPasswordReset, { email: user.email })
    await findArrivedMail(user.email, 'Choose a new password')
    await execute(session, requestEmailChange, { email })
    expect((await findArrivedMail(email, 'Confirm your new email address')).text).toContain(
      `change the email address of the account ${user.email}`,
    )
    await execute(session, confirmEmailChange, { token: await lastLink(service, user.id) })
    await findArrivedMail(user.email, 'Your email address was changed')
    await execute(session, changePassword, { newPassword: password })
    await findArrivedMail(email, 'Your password was changed')
    expect(await waitForRecord('email-changed', user.email, 'sent')).toMatchObject({ attempts: 1, lastError: null })
    expect(await waitForRecord('password-changed', email, 'sent')).toMatchObject({ attempts: 1, lastError: null })
    await enableTotp({ service, principal: session })
    await execute(operator, 'mutation ($input: UserInput!) { resetSecondFactor(input: $input) { user { id: userId } } }', { email })
    expect((await findArrivedMail(email, 'Two-factor authentication was turned off')).text).toContain(`${service.url}/forgotten-password`)
  })
})

describe('a password reset mail', () => {
  test.each([
    ['used', (id: string) => prisma.mailLink.updateMany({ where: { userId: id }, data: { usedAt: new Date() } })],
    ['expired or replaced', (id: string) => prisma.mailLink.updateMany({ where: { userId: id }, data: { expiresAt: new Date(0) } })],
    ['disabled', (id: string) => prisma.user.update({ where: { id }, data: { disabledAt: new Date() } })],
  ])('is dropped with the reason "%s"', async (reason, invalidate) => {
    const user = await createUser(service.database)
    await executeAs(service, anonymous, requestPasswordReset, { input: { email: user.email } })
    const { id: linkId } = await prisma.mailLink.findFirstOrThrow({ where: { userId: user.id } })
    await invalidate(user.id)
    await inTransaction(service.database, (transaction) => service.outbox.sendMail(transaction, { kind: 'reset-password', linkId }))
    expect(await waitForRecord('reset-password', user.email, 'dropped')).toMatchObject({ lastError: reason })
    expect(server.mails.filter(({ to }) => to?.[0]?.address === user.email)).toEqual([])
  })
})
