import { beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../../support/browser/browser.ts'
import { browserOf, heading } from '../../support/browser/site-page.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { linesOf, readPdf } from '../../support/data/invoices/pdf.ts'
import { createTeam, personalToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import type { Team } from '../../../prisma/generated/client/client.ts'

const service = useService()
const { database } = service
const { prisma } = database

describe('the billing details of a team', () => {
  let team: Team
  let browser: Browser
  let path: string
  beforeAll(async () => {
    team = await createTeam(database)
    browser = await browserOf(service, team, 'billing')
    path = `/teams/${team.slug}/invoices/billing-details`
  })
  const stored = () =>
    prisma.team.findUniqueOrThrow({
      where: { id: team.id },
      select: { billingName: true, billingAddress: true, vatId: true, invoiceRecipients: true, updatedAt: true },
    })

  test('are saved by a billing member, audited, and shown on the page of an invoice and in its PDF', async () => {
    const { updatedAt } = await stored()
    const page = await browser.open(path)
    expect(heading(page)).toEqual([200, 'Billing details'])
    const saved = await browser.press(page, 'Save', {
      'Company or full name': ' Acme Ltd ',
      'Billing address': '1 Main Street \r\n\r\n Springfield',
      'VAT ID': 'de 123456789',
      'Recipients of invoice emails': 'Books@example.com\r\nbooks@example.com, boss@example.com',
    })
    expect(saved.text).toContain('The billing details were saved.')
    const details = { name: 'Acme Ltd', address: '1 Main Street\nSpringfield', vatId: 'DE 123456789' }
    const recipients = ['books@example.com', 'boss@example.com']
    expect(await stored()).toEqual({
      billingName: details.name,
      billingAddress: details.address,
      vatId: details.vatId,
      invoiceRecipients: recipients,
      updatedAt,
    })
    expect(await prisma.auditEntry.findMany({ where: { teamId: team.id }, select: { action: true, before: true, after: true } })).toEqual([
      {
        action: 'updateBillingDetails',
        before: { name: null, address: null, vatId: null, recipients: [] },
        after: { ...details, recipients },
      },
    ])
    const { id } = await createInvoice(database, team, { number: 'B-1' })
    const invoice = await browser.open(`/teams/${team.slug}/invoices/${id}`)
    const billTo = ['Acme Ltd', '1 Main Street', 'Springfield', 'VAT ID DE 123456789']
    const parties = invoice.root.querySelectorAll('dl > div').map((fact) => fact.querySelectorAll('dt, dd').map(({ text }) => text))
    expect(parties.find(([label]) => label === 'Bill to')).toEqual(['Bill to', ...billTo])
    const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
    const file = await fetch(`${service.url}/teams/${team.slug}/invoices/${id}/invoice.pdf`, { headers: { cookie } })
    const text = readPdf(Buffer.from(await file.arrayBuffer()))
      .pages.flatMap(linesOf)
      .join('\n')
    for (const line of billTo) expect(text).toContain(line)
  })

  test.each([
    ['a wrong recipient', { 'Recipients of invoice emails': 'not-an-address' }, 'Enter a valid email address.'],
    [
      'six recipients',
      { 'Recipients of invoice emails': [1, 2, 3, 4, 5, 6].map((number) => `r${number}@example.com`).join(' ') },
      'Recipients of invoice emails must not have more than 5 items.',
    ],
    ['seven lines of address', { 'Billing address': '1\n2\n3\n4\n5\n6\n7' }, 'Billing address must not have more than 6 lines.'],
    ['a VAT ID with other characters', { 'VAT ID': 'DE<123>' }, 'VAT ID must be a VAT identification number such as DE123456789.'],
    [
      'a German VAT ID with a digit too few',
      { 'VAT ID': 'de 12345678' },
      'VAT ID must have the form of a VAT ID of Germany, such as DE123456789.',
    ],
    [
      'a Spanish VAT ID with a letter too many',
      { 'VAT ID': 'ESB1234567AX' },
      'VAT ID must have the form of a VAT ID of Spain, such as ESX1234567X.',
    ],
    [
      'a Greek VAT ID with a digit too many',
      { 'VAT ID': 'EL1234567890' },
      'VAT ID must have the form of a VAT ID of Greece, such as EL123456789.',
    ],
  ])('with %s are refused, with a message at the field', async (_, fields, message) => {
    const before = await stored()
    const refused = await browser.press(await browser.open(path), 'Save', fields)
    expect(refused.status).toBe(422)
    expect(refused.root.querySelectorAll('.wrong').map(({ text }) => text)).toEqual([message])
    expect(await stored()).toEqual(before)
  })

  test.each([
    'ATU 123.456.78',
    'BE 0123.456.789',
    'FRK7399859412',
    'IE1S23456L',
    'NL123456789B01',
    'XI123456789',
    // Numbers of other countries, of which some begin with the letters of a member state.
    'CHE-123.456.789 MWST',
    'GB123456789',
    '12-3456789',
    'ESPA800101AB1',
    'NO 123456785 MVA',
  ])('accept the VAT ID %s', async (vatId) => {
    const saved = await browser.press(await browser.open(path), 'Save', { 'VAT ID': vatId })
    expect([saved.status, (await stored()).vatId]).toEqual([200, vatId])
  })

  test('are refused to a member and to every token', async () => {
    const member = await browserOf(service, team, 'member')
    expect((await member.open(path)).status).toBe(403)
    const { user } = await prisma.member.findFirstOrThrow({ where: { teamId: team.id, role: 'billing' }, include: { user: true } })
    const token = await personalToken(database, user)
    const document = `{ team(slug: "${team.slug}") { billingDetails { name address vatId recipients } } }`
    expect((await graphql(service, token, document)).errors).toMatchObject([{ extensions: { code: 'session_required' } }])
    const { body } = await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token })
    expect(Object.keys(body)).toEqual(['slug', 'name', 'timezone', 'gravatar_email', 'avatar_url', 'created_at', 'updated_at'])
  })
})
