import { describe, expect, test } from 'vitest'
import { contentOf } from '../../support/account-site/page-content.ts'
import { allowForm, openConsent } from '../../support/oauth/consent-page.ts'
import { useService } from '../../support/service/service.ts'
import type { Page } from '../../support/browser/browser.ts'

// Who publishes a client: docs/decisions/oauth.md#clients.

const service = useService()
const { prisma } = service.database

const warning = 'We have not verified who publishes this app. Allow access only if you know and trust it.'
const linksOn = ({ root }: Page) =>
  root.querySelectorAll('main a[target=_blank]').map((link) => [link.text, link.getAttribute('href'), link.getAttribute('rel')])

describe('the consent page', () => {
  test('names the publisher of a verified app and links to its pages, and warns of nothing', async () => {
    const { page } = await openConsent(service, {
      publisher: 'Example GmbH',
      verified: true,
      clientUri: 'https://app.example/',
      policyUri: 'https://app.example/privacy',
      tosUri: 'https://app.example/terms',
    })
    expect(contentOf(page)).toContain('By Example GmbH Verified')
    expect(page.text).not.toContain(warning)
    expect(linksOn(page)).toEqual([
      ['Website', 'https://app.example/', 'noopener noreferrer'],
      ['Privacy policy', 'https://app.example/privacy', 'noopener noreferrer'],
      ['Terms of service', 'https://app.example/terms', 'noopener noreferrer'],
    ])
  })

  test('says that an app was not verified, with and without a publisher', async () => {
    const named = await openConsent(service, { publisher: 'Verified ✓' })
    expect([contentOf(named.page), linksOn(named.page)]).toEqual([expect.stringContaining('By Verified ✓ Not verified'), []])
    const unknown = await openConsent(service)
    expect(contentOf(unknown.page)).toContain('Unknown publisher Not verified')
    for (const { page } of [named, unknown]) expect(page.text).toContain(warning)
  })

  test('says in one notice that an app is a draft and was not verified', async () => {
    const { client, teams, reopen } = await openConsent(service, { team: 'required' })
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { ownerTeamId: teams[0].id, state: 'draft' } })
    const notices = (await reopen()).root.querySelectorAll('main .caution').map(({ text }) => text)
    expect(notices).toEqual([`Example App is a draft of the team First. Only members of this team can connect it. ${warning}`])
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { verified: true } })
    expect((await reopen()).root.querySelectorAll('main .caution').map(({ text }) => text.trim())).toEqual([
      'Example App is a draft of the team First. Only members of this team can connect it.',
    ])
  })

  test('is shown again if the publisher lost its verification meanwhile', async () => {
    const { page, browser, client } = await openConsent(service, { publisher: 'Example GmbH', verified: true })
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { verified: false } })
    const { action, values } = allowForm(page)
    const again = await browser.send(page, action, values)
    expect([again.status, again.text]).toEqual([409, expect.stringContaining(warning)])
  })
})
