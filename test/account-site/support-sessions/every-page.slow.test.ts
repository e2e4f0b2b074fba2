import { expect, test } from 'vitest'
import { pages } from '../../../src/account-site/pages.ts'
import { everyPage } from '../../support/account-site/every-page.ts'
import { names, seedSite } from '../../support/account-site/seed.ts'
import { openAsStaff } from '../../support/account-site/support-reader.ts'
import { expectRefusedForms } from '../../support/account-site/support-refusals.ts'
import type { Page } from '../../support/browser/browser.ts'
import { createSupportSession } from '../../support/data/support-session.ts'
import { useService } from '../../support/service/service.ts'

// Every page of a team, as staff see it in a support session: no form, no secret, and no change.

const service = useService()
const { prisma } = service.database

/** Values that look like secrets: 256 bits in base64url, tokens of users and teams, secrets of webhooks, and JWTs. */
const secretPattern = /(?<![\w.-])(?:[\w-]{43}|[pti]at_[\w]{30,}|whsec_[\w+/=]{16,}|ey[\w-]+\.[\w-]+\.[\w-]+)(?![\w-])/g

/** The names of the forms of a page that are sent by POST. Removes them, with their CSRF tokens. */
function takeForms({ root }: Page): (string | undefined)[] {
  const forms = root.querySelectorAll('form').filter((form) => form.getAttribute('method') === 'post')
  const formNames = forms.map((form) => form.querySelector('input[name=form]')?.getAttribute('value'))
  for (const form of forms) form.remove()
  return formNames
}

async function openSeeded() {
  const seeded = await seedSite(service, names.plain)
  await createSupportSession(service.database, seeded.team, seeded.person, { now: service.clock.now() })
  const { browser } = await openAsStaff(service)
  const ofTeam = everyPage(seeded.parameters).filter(({ declared }) => declared.startsWith('/teams/:team'))
  return { ...seeded, browser, ofTeam }
}

test('has a banner, no form besides the theme and the sign-out, no secret, and an entry in the audit log', async () => {
  const { team, browser, ofTeam, links, parameters } = await openSeeded()
  const secrets = [parameters.secret, ...Object.values(links)]
  expect(ofTeam.length).toBeGreaterThan(40)
  for (const { path, endsAt, status } of ofTeam) {
    const page = await browser.open(path)
    expect([path, page.status, page.url.pathname]).toEqual([path, status, endsAt])
    expect([path, page.root.querySelector('main .banner')?.text.includes('read-only')]).toEqual([path, true])
    expect([path, takeForms(page)]).toEqual([path, ['theme', 'sign-out']])
    const enabled = page.root.querySelectorAll('main button[type=submit]').filter((button) => !button.closest('fieldset[disabled]'))
    expect([path, enabled.filter((button) => !button.closest('form')).map(({ text }) => text)]).toEqual([path, []])
    const shown = page.root.querySelector('main')?.outerHTML ?? ''
    expect([path, shown.match(secretPattern), secrets.filter((secret) => shown.includes(secret))]).toEqual([path, null, []])
  }
  const entries = await prisma.auditEntry.findMany({ where: { teamId: team.id, action: 'readInSupportSession' } })
  expect(entries.map(({ after }) => JSON.stringify(after)).toSorted()).toEqual(
    ofTeam.map(({ path }) => JSON.stringify({ path })).toSorted(),
  )
})

test('refuses each of its forms, and changes nothing', async () => {
  const { browser, ofTeam } = await openSeeded()
  const forms = ofTeam.flatMap(({ declared, path }) =>
    Object.keys(pages.find((page) => page.path === declared)?.forms ?? {}).map((form) => ({ path, form })),
  )
  expect(forms.length).toBeGreaterThan(50)
  await expectRefusedForms(service, browser, forms, 403)
})
