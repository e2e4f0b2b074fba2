import { expect, test } from 'vitest'
import { listAccountPages } from '../../../src/account-site/support-access/account-pages.ts'
import { pages } from '../../../src/account-site/pages.ts'
import { everyPage } from '../../support/account-site/every-page.ts'
import { names, seedSite } from '../../support/account-site/seed.ts'
import { openAsStaff } from '../../support/account-site/support-reader.ts'
import { expectRefusedForms } from '../../support/account-site/support-refusals.ts'
import { createAccountSupportSession } from '../../support/data/support-session.ts'
import { useService } from '../../support/service/service.ts'

// Every page of an account that staff can read in a support session: no form, no secret, no link to another page of the user, and no change.

const service = useService()
const { prisma } = service.database

async function openSeeded() {
  const seeded = await seedSite(service, names.plain)
  await createAccountSupportSession(service.database, seeded.person, { now: service.clock.now() })
  const readable = new Set(listAccountPages(pages).map(({ path }) => path))
  const ofAccount = everyPage(seeded.parameters).filter(({ declared }) => readable.has(declared))
  return { ...seeded, ...(await openAsStaff(service)), start: `/staff/users/${seeded.person.id}/pages`, ofAccount, readable }
}

test('has a banner, only links to pages that staff can open, no form besides the theme and the sign-out, and an entry', async () => {
  const { person, browser, start, ofAccount, readable } = await openSeeded()
  expect(ofAccount.length).toBe(readable.size)
  for (const { path } of ofAccount) {
    const page = await browser.open(start + path)
    expect([path, page.status, page.url.pathname]).toEqual([path, 200, start + path])
    expect([path, page.root.querySelector('main .banner')?.text.includes('read-only')]).toEqual([path, true])
    const forms = page.root.querySelectorAll('form').filter((form) => form.getAttribute('method') === 'post')
    const formNames = forms.map((form) => form.querySelector('input[name=form]')?.getAttribute('value'))
    expect([path, formNames]).toEqual([path, ['theme', 'sign-out']])
    const main = page.root.querySelector('main')
    const gets = main?.querySelectorAll('form[method=get]').map((form) => form.getAttribute('action')) ?? []
    const links = main?.querySelectorAll('a').flatMap((link) => link.getAttribute('href') ?? []) ?? []
    const outside = [...gets, ...links].filter((to) => to?.startsWith('/') && !to.startsWith(`${start}/`))
    expect([path, outside]).toEqual([path, [`/staff/users/${person.id}`]])
    for (const link of links.filter((each) => each.startsWith(start) || each.startsWith('?')))
      expect([path, link, (await browser.open(new URL(link.replaceAll('&amp;', '&'), service.url + start + path).href)).status]).toEqual([
        path,
        link,
        200,
      ])
    // 256 bits in base64url, the values of tokens, and JWTs.
    expect([path, main?.outerHTML.match(/(?<![\w.-])(?:[\w-]{43}|[pti]at_[\w]{30,}|ey[\w-]+\.[\w-]+\.[\w-]+)(?![\w-])/g)]).toEqual([
      path,
      null,
    ])
  }
  const entries = await prisma.auditEntry.findMany({ where: { subject: person.id, action: 'readInSupportSession' } })
  const read = new Set(entries.map(({ after }) => JSON.stringify(after)))
  for (const { path } of ofAccount) expect(read).toContain(JSON.stringify({ path }))
})

test('refuses each of its forms, and changes nothing', async () => {
  const { browser, start, ofAccount } = await openSeeded()
  const forms = ofAccount.flatMap(({ declared, path }) =>
    Object.keys(pages.find((page) => page.path === declared)?.forms ?? {}).map((form) => ({ path: start + path, form })),
  )
  expect(forms.length).toBeGreaterThan(20)
  await expectRefusedForms(service, browser, forms, 404)
})
