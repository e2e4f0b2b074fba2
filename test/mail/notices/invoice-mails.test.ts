import { expect, test } from 'vitest'
import type { InvoiceMail } from '../../../schema/core/mails/mails.ts'
import { announceInvoices } from '../../../schema/invoices/announcements.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { createCompose } from '../../../src/mail/mails.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import { brand } from '../../support/mail/brand.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000)
const compose = createCompose({ database, now: clock.now, deriveSecret: secretDeriver(secretKey), authUrl: service.url, brand })

/** Announces everything by several processes at once. Returns the mails about one invoice. */
async function mailsAbout(invoiceId: string): Promise<InvoiceMail[]> {
  const mails: InvoiceMail[] = []
  const sendMail = async (_: unknown, mail: object) => {
    if ('invoiceId' in mail) mails.push(mail as InvoiceMail)
  }
  const announce = () => announceInvoices({ database, now: clock.now, sendMail })
  while ((await Promise.all([announce(), announce(), announce()])).some((count) => count > 0));
  return mails.filter((mail) => mail.invoiceId === invoiceId)
}

async function teamWithPeople() {
  const owned = await createOwnedTeam(database)
  const [billing, member, unverified, disabled] = [
    await createUser(database),
    await createUser(database),
    await createUser(database, { emailVerified: false }),
    await createUser(database, { disabledAt: clock.now() }),
  ]
  for (const [user, role] of [
    [billing, 'billing'],
    [member, 'member'],
    [unverified, 'owner'],
    [disabled, 'owner'],
  ] as const)
    await join(database, owned.team, user, role)
  return { ...owned, recipients: [owned.owner.id, billing.id].toSorted() }
}

test('an invoice that becomes overdue is announced once, to the owners and billing members of its team', async () => {
  const { team, recipients } = await teamWithPeople()
  const { id } = await createInvoice(database, team, { number: 'A-1', dueDate: inDays(0) }, [10_115])
  expect(await mailsAbout(id)).toEqual([])
  clock.advance(86_400_000)
  const mails = await mailsAbout(id)
  expect(mails).toEqual(recipients.map((userId) => ({ kind: 'invoice-overdue', invoiceId: id, userId })))
  expect(await mailsAbout(id)).toEqual([])

  const composed = mails[0] && (await compose(mails[0]))
  expect(composed).toMatchObject({
    message: {
      subject: 'Acme: invoice A-1 is overdue',
      text: expect.stringContaining('€101.15 of €101.15 has not been paid.'),
    },
  })
  expect(composed).toMatchObject({ message: { text: expect.stringContaining(`${service.url}/teams/${team.slug}/invoices/${id}\n`) } })
  await prisma.invoice.update({ where: { id }, data: { status: 'paid' } })
  expect(mails[0] && (await compose(mails[0]))).toEqual({ dropped: 'paid or cancelled' })
})

test.each([
  ['was overdue when it was recorded', { dueDate: inDays(-1) }],
  ['has no due date', {}],
  ['is paid', { dueDate: inDays(30), status: 'paid' }],
  ['is void', { dueDate: inDays(30), status: 'void' }],
] as const)('an invoice that %s is not announced as overdue', async (_, data) => {
  const { team } = await createOwnedTeam(database)
  const { id } = await createInvoice(database, team, data)
  clock.advance(40 * 86_400_000)
  expect(await mailsAbout(id)).toEqual([])
})

test('a new invoice is announced once if its import asked for it, with what is due', async () => {
  const { team, recipients } = await teamWithPeople()
  const { id } = await createInvoice(database, team, { number: 'B-2', announcesIssue: true, dueDate: new Date('2999-01-31') })
  const mails = await mailsAbout(id)
  expect(mails).toEqual(recipients.map((userId) => ({ kind: 'invoice-issued', invoiceId: id, userId })))
  expect(await mailsAbout(id)).toEqual([])
  expect(mails[0] && (await compose(mails[0]))).toMatchObject({
    message: {
      subject: 'Acme: new invoice B-2',
      text: expect.stringMatching(/There is a new invoice “B-2” of €10\.00 for the team “Acme”\. €10\.00 is due on 31 Jan 2999\./),
    },
  })
  await prisma.invoice.update({ where: { id }, data: { status: 'void' } })
  expect(mails[0] && (await compose(mails[0]))).toEqual({ dropped: 'paid or cancelled' })
})

test('an invoice of a deleted team is not announced', async () => {
  const { team } = await createOwnedTeam(database)
  const { id } = await createInvoice(database, team, { announcesIssue: true })
  await prisma.team.update({ where: { id: team.id }, data: { deletedAt: clock.now() } })
  expect(await mailsAbout(id)).toEqual([])
})

test('the recipients in the billing details get the mail without a link, unless they are owners or billing members', async () => {
  const { team, owner, recipients } = await teamWithPeople()
  const billing = { billingName: 'Acme Ltd', billingAddress: '1 Main Street\nSpringfield', vatId: 'DE123456789' }
  await prisma.team.update({ where: { id: team.id }, data: { ...billing, invoiceRecipients: ['books@example.com', owner.email] } })
  const { id } = await createInvoice(database, team, { number: 'C-3', announcesIssue: true })
  const mails = await mailsAbout(id)
  const recipient = 'books@example.com'
  expect(mails).toEqual([
    ...recipients.map((userId) => ({ kind: 'invoice-issued', invoiceId: id, userId })),
    { kind: 'invoice-issued', invoiceId: id, recipient },
  ])
  const mail = mails.at(-1)
  const composed = mail && (await compose(mail))
  expect(composed).toMatchObject({
    message: {
      to: recipient,
      text: expect.stringContaining('It is billed to Acme Ltd, 1 Main Street, Springfield, VAT ID DE123456789.'),
    },
  })
  expect(composed).toMatchObject({ message: { text: expect.stringContaining('entered your address as a recipient of its invoices.') } })
  expect(JSON.stringify(composed)).not.toContain(service.url)
  await prisma.team.update({ where: { id: team.id }, data: { invoiceRecipients: [] } })
  expect(mail && (await compose(mail))).toEqual({ dropped: 'no longer a recipient' })
})

test('an address in the billing details gets the mail also if it belongs to a disabled owner', async () => {
  const { team } = await createOwnedTeam(database)
  const disabled = await createUser(database, { disabledAt: clock.now() })
  await join(database, team, disabled, 'owner')
  await prisma.team.update({ where: { id: team.id }, data: { invoiceRecipients: [disabled.email] } })
  const { id } = await createInvoice(database, team, { number: 'C-4', announcesIssue: true })
  expect((await mailsAbout(id)).map(({ recipient }) => recipient)).toEqual([undefined, disabled.email])
})
