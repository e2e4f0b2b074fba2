import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { invited } from '../../support/account-site/invited.ts'
import { contentOf, signedIn } from '../../support/account-site/page-content.ts'

// Pages always offer a next step, and never one that would be refused.

const service = useService()
const closed = useService({ signUp: 'invited' })

describe('the page of the user’s teams', () => {
  test('explains how to join a team to a user without one', async () => {
    const { user, browser } = await signedIn(service)
    const alone = await browser.open('/account/teams')
    expect(contentOf(alone)).toContain(`You are not a member of a team yet. Ask an owner of a team to invite ${user.email} .`)
    expect(alone.root.querySelector('main a')?.getAttribute('href')).toBe('/teams/new')
    await join(service.database, await createTeam(service.database), user, 'member')
    expect(contentOf(await browser.open('/account/teams'))).not.toContain('You are not a member of a team yet')
  })
})

describe('the sign-in page', () => {
  test('offers to sign up when sign-up is open or the browser opened an invitation', async () => {
    const offers = async (browser: Browser) => (await browser.open('/sign-in')).text.includes('New here?')
    expect(await offers(new Browser(service.url))).toBe(true)
    const { browser, link, invitation } = await invited(closed)
    expect(await offers(browser)).toBe(false)
    await browser.open(link)
    expect(await offers(browser)).toBe(true)
    await closed.database.prisma.invitation.update({ where: { id: invitation.id }, data: { status: 'revoked' } })
    expect(await offers(browser)).toBe(false)
  })
})
