import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { fileNames } from '../../../src/account-site/invoices/file-name.ts'
import { linesOf, readPdf } from '../../support/data/invoices/pdf.ts'
import { browserOf } from '../../support/browser/site-page.ts'
import type { Browser } from '../../support/browser/browser.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createTeam } from '../../support/data/team.ts'
import { readZip } from '../../support/data/zip.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

const cookieOf = ({ cookies }: Browser) => [...cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
const download = (browser: Browser, address: string, method = 'GET') =>
  fetch(`${service.url}${address}`, { method, headers: { cookie: cookieOf(browser) } })
const zipAt = async (browser: Browser, address: string) => readZip(Buffer.from(await (await download(browser, address)).arrayBuffer()))

let folder: string
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'invoices-'))))
afterAll(() => rm(folder, { recursive: true }))

describe('the PDF files of a list of invoices', () => {
  let team: Team
  let address: string
  let browser: Browser
  beforeAll(async () => {
    team = await createTeam(database)
    address = `/teams/${team.slug}/invoices`
    for (const [day, number] of ['../x', '=a\\1', '=A/1'].entries())
      await createInvoice(database, team, { number, invoiceDate: new Date(Date.UTC(2026, 1, 1 + day)) })
    await createInvoice(database, team, { number: 'CN', status: 'paid' }, [-1000])
    browser = await browserOf(service, team, 'billing')
  })

  test('are downloaded as one file by the button next to the filter, and their names contain no path and no formula', async () => {
    const list = await browser.open(address)
    const button = list.root.querySelectorAll('.data .actions a.button').find(({ text }) => text === 'Download PDFs')
    const response = await download(browser, button?.getAttribute('href') ?? '')
    const day = service.clock.now().toISOString().slice(0, 10)
    expect([response.status, response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
      200,
      'application/zip',
      `attachment; filename="${team.slug}-invoices-${day}.zip"`.replaceAll('"', ''),
    ])
    const bytes = Buffer.from(await response.arrayBuffer())
    const files = readZip(bytes)
    expect(files.map(({ name }) => name).toSorted()).toEqual([
      'Credit note CN.pdf',
      'Invoice ..-x.pdf',
      'Invoice =A-1.pdf',
      'Invoice =a-1 (2).pdf',
    ])
    expect(files.map(({ day }) => day).toSorted()).toEqual(['2026-01-31', '2026-02-01', '2026-02-02', '2026-02-03'])
    for (const { name, content } of files)
      expect([name, ...readPdf(content).pages.flatMap(linesOf).slice(2, 3)][1]).toContain(name.startsWith('Credit') ? 'CN' : 'Invoice ')

    // Another implementation reads it without a complaint, on machines that have one.
    const file = path.join(folder, 'all.zip')
    await writeFile(file, bytes)
    const python = spawnSync('python3', ['-m', 'zipfile', '-t', file], { encoding: 'utf8' })
    if (!python.error) expect([python.status, python.stdout.trim()]).toEqual([0, 'Done testing'])
  })

  test('are those that the filters of the page leave, in its order', async () => {
    const names = async (query: string) => (await zipAt(browser, `${address}.zip?${query}`)).map(({ name }) => name)
    expect(await names('status=PAID')).toEqual(['Credit note CN.pdf'])
    expect(await names('search=x&size=10&page=7')).toEqual(['Invoice ..-x.pdf'])
    expect(await names('search=nothing')).toEqual([])
    expect(await names('sort=number')).toEqual(['Invoice ..-x.pdf', 'Invoice =A-1.pdf', 'Invoice =a-1 (2).pdf', 'Credit note CN.pdf'])
    const filtered = await browser.open(`${address}?status=PAID`)
    expect(filtered.root.querySelector('a[href$=".zip?status=PAID"]')?.text).toBe('Download PDFs')
  })

  test('are not created for a request without a body', async () => {
    const { status, headers } = await download(browser, `${address}.zip`, 'HEAD')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip'])
  })

  test('are at most 500; beyond that the page says what to do, and so does the address', async () => {
    const large = await createTeam(database)
    await database.pool.query(
      `INSERT INTO invoices (team_id, number, status, currency, subtotal, invoice_date)
       SELECT $1, i, 'open', 'eur', 1, '2026-01-31' FROM generate_series(1, 501) i`,
      [large.id],
    )
    const owner = await browserOf(service, large, 'owner')
    const page = await owner.open(`/teams/${large.slug}/invoices`)
    expect(page.root.querySelector('.data .actions')?.structuredText).toContain('Download PDFs: filter the list to at most 500 invoices.')
    const refused = await owner.open(`/teams/${large.slug}/invoices.zip`)
    expect([refused.status, refused.root.querySelector('h1')?.text, refused.root.querySelector('main p')?.text]).toEqual([
      422,
      'We couldn’t create this file',
      'Filter the list to at most 500 invoices.',
    ])
  })

  test.each([
    ['member', 403],
    [null, 403],
  ] as const)('are refused like the page for the role %s', async (role, status) => {
    expect((await (await browserOf(service, team, role)).open(`${address}.zip`)).status).toBe(status)
  })
})

test('names of files of one folder differ, whatever their case and after they were shortened', () => {
  const nameOf = fileNames()
  const number = 'x'.repeat(200)
  const names = [number, `${number}y`, 'e\u0301', '\u00C9', '\u00E9'].map((each) => nameOf({ number: each, total: 1 }))
  expect(new Set(names.map((name) => name.normalize('NFC').toLowerCase())).size).toBe(5)
  expect(names.every((name) => name.startsWith('Invoice ') && name.endsWith('.pdf') && name.length < 130)).toBe(true)
})
