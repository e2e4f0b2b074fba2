import { expect, test } from 'vitest'
import { contentOf, heading, openAs } from '../../support/account-site/page-content.ts'
import { rowsOf } from '../../support/account-site/team.ts'
import { Browser } from '../../support/browser/browser.ts'
import { join } from '../../support/data/team.ts'
import { lastSecret } from '../../support/mail/links.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { createGuest } from '../../support/scim/guests.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

test('the pages of owners say that the directory invited the person', async () => {
  const { team, address } = await createGuest(service)
  const owner = await createPerson(service.database)
  await join(service.database, team, owner, 'owner')
  const path = `/teams/${team.slug}`
  const { browser, page } = await openAs(service, owner, `${path}/members?state=INVITED`)
  const rowAbout = (rows: (string | undefined)[][]) => rows.find((row) => row.some((cell) => cell?.includes(address)))?.join(' | ')
  expect(rowAbout(rowsOf(page))).toMatch(/\| Invited by the directory /)
  expect(rowAbout(rowsOf(await browser.open(`${path}/invitations`)))).toMatch(/\| Pending until .+ \| .+ Invited by the directory/)
  const log = await browser.open(`${path}/audit-trail`)
  expect(rowAbout(rowsOf(log))).toContain(`invited ${address} as Member for the directory`)
  const entry = await browser.open(
    log.root
      .querySelectorAll('.rows tr')
      .find(({ text }) => text.includes(address))
      ?.querySelector('a.entry')
      ?.getAttribute('href') ?? '',
  )
  expect(heading(entry)).toEqual([200, 'Invited by the directory'])
})

test('the page of the invitation says that the directory invites', async () => {
  const { team, invitations } = await createGuest(service)
  const [invitation] = await invitations()
  const page = await new Browser(service.url).open(`/invitations/${lastSecret(service, invitation?.id ?? '')}`)
  expect(contentOf(page)).toContain(`The directory of ${team.name} invites you to join the team ${team.name}`)
})
