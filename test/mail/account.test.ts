import { describe, expect, test } from 'vitest'
import { changePassword, confirmEmailChange, requestEmailChange, requestPasswordReset, signUp } from '../graphql/account-scenarios.ts'
import type { Principal } from '../../schema/context.ts'
import { executeAs, operator, sessionOf, visitor } from '../support/in-process.ts'
import { lastLink } from '../support/links.ts'
import { everythingStored, startMailingService } from '../support/mail.ts'
import { turnOn } from '../support/second-factor.ts'
import { startMailServer } from '../support/smtp.ts'
import { createUser, unique } from '../support/team.ts'
import { waitFor } from '../support/wait.ts'

// People's own mails on their whole way: from the mutation through the outbox to a mail server, or to nobody.

const server = await startMailServer()
const service = await startMailingService({ smtpUrl: server.url })
const { prisma } = service.database
const password = 'correct horse battery'

/** As the account site asks, with the outbox that really sends. */
const ask = (as: Principal, document: string, input: object) =>
  executeAs(service, as, document, { input }, (transaction, mail) => service.outbox.sendMail(transaction, mail))

const arrived = (address: string, subject: string) =>
  waitFor(() => server.mails.find((mail) => mail.to?.[0]?.address === address && mail.subject === subject))
const recordOf = (kind: string, recipient: string | null, state: string) =>
  waitFor(async () =>
    (await service.outbox.list()).find((each) => each.kind === kind && each.recipient === recipient && each.state === state),
  )

describe('a mail arrives', () => {
  test('with a link that works, and is nowhere stored in the clear', async () => {
    const email = `${unique('new')}@example.test`
    await ask(visitor, signUp, { email, name: 'Visit evil.example now', password })
    const { text = '', html } = await arrived(email, 'Verify your email address')
    const { id } = await prisma.user.findUniqueOrThrow({ where: { email } })
    const secret = await lastLink(service, id)
    expect(text).toContain(`${service.url}/links/${secret}\n`)
    expect(`${text}${html}`).not.toContain('evil.example')
    expect(await everythingStored(service.database)).not.toContain(secret)
    expect(await recordOf('verify-email', email, 'sent')).toMatchObject({ attempts: 1, lastError: null })
  })

  test('at the owner of an account, at a new address, at the old one, after a new password, and without a second factor', async () => {
    const user = await createUser(service.database)
    const session = await sessionOf(service, user)
    const email = `${unique('new')}@example.test`
    await ask(visitor, signUp, { email: user.email, name: 'Eve', password })
    await arrived(user.email, 'You have an account already')
    await ask(visitor, requestPasswordReset, { email: user.email })
    await arrived(user.email, 'Choose a new password')
    await ask(session, requestEmailChange, { email })
    expect((await arrived(email, 'Confirm your new email address')).text).toContain(`with the address ${user.email} is to have`)
    await ask(session, confirmEmailChange, { token: await lastLink(service, user.id) })
    await arrived(user.email, 'Your email address was changed')
    await ask(session, changePassword, { newPassword: password })
    await arrived(email, 'Your password was changed')
    expect(await recordOf('email-changed', user.email, 'sent')).toMatchObject({ attempts: 1, lastError: null })
    expect(await recordOf('password-changed', email, 'sent')).toMatchObject({ attempts: 1, lastError: null })
    await turnOn({ service, as: session })
    await ask(operator, 'mutation ($input: UserInput!) { resetSecondFactor(input: $input) { user { id } } }', { email })
    expect((await arrived(email, 'Your second factor was turned off')).text).toContain(`${service.url}/forgotten-password`)
  })
})

describe('a mail is dropped', () => {
  test('where nobody is there to write to', async () => {
    await ask(visitor, requestPasswordReset, { email: `${unique('nobody')}@example.test` })
    expect(await recordOf('reset-password', null, 'dropped')).toMatchObject({ lastError: 'no account' })
  })

  test.each([
    ['used', (id: string) => prisma.mailLink.updateMany({ where: { userId: id }, data: { usedAt: new Date() } })],
    ['expired or replaced', (id: string) => prisma.mailLink.updateMany({ where: { userId: id }, data: { expiresAt: new Date(0) } })],
    ['disabled', (id: string) => prisma.user.update({ where: { id }, data: { disabledAt: new Date() } })],
  ])('when it is %s', async (reason, spoil) => {
    const user = await createUser(service.database)
    await executeAs(service, visitor, requestPasswordReset, { input: { email: user.email } })
    const { id: linkId } = await prisma.mailLink.findFirstOrThrow({ where: { userId: user.id } })
    await spoil(user.id)
    await prisma.$transaction((transaction) => service.outbox.sendMail(transaction, { kind: 'reset-password', linkId }))
    expect(await recordOf('reset-password', user.email, 'dropped')).toMatchObject({ lastError: reason })
    expect(server.mails.filter(({ to }) => to?.[0]?.address === user.email)).toEqual([])
  })
})
