import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { createTeam, join } from '../support/team.ts'
import { invited } from './invited.ts'
import { contentOf, signedIn } from './shown.ts'

// No page leaves people with nothing to do, or offers what would be refused.

const service = await startService()
const closed = await startService({ signUp: 'invited' })

describe('the account of somebody', () => {
  test('in no team says how they come into one, and in a team does not', async () => {
    const { user, browser } = await signedIn(service)
    const alone = await browser.open('/account')
    expect(contentOf(alone)).toContain('You are in no team yet. Create one , or ask an owner of a team to invite you.')
    expect(alone.root.querySelector('main a')?.getAttribute('href')).toBe('/teams/new')
    await join(service.database, await createTeam(service.database), user, 'member')
    expect(contentOf(await browser.open('/account'))).not.toContain('You are in no team')
  })
})

describe('the sign-in page', () => {
  test('offers an account where anybody can make one, or holds an invitation', async () => {
    const offers = async (browser: Browser) => (await browser.open('/sign-in')).text.includes('No account yet?')
    expect(await offers(new Browser(service.url))).toBe(true)
    const { browser, link, invitation } = await invited(closed)
    expect(await offers(browser)).toBe(false)
    await browser.open(link)
    expect(await offers(browser)).toBe(true)
    await closed.database.prisma.invitation.update({ where: { id: invitation.id }, data: { status: 'revoked' } })
    expect(await offers(browser)).toBe(false)
  })
})
