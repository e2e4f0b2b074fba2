import { describe, expect, test } from 'vitest'
import { useService } from '../../support/service/service.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { Browser } from '../../support/browser/browser.ts'
import { alertOf, enter, heading, noticeOf } from '../../support/account-site/page-content.ts'
import { inTeam, wrongOf } from '../../support/account-site/team.ts'
import { password } from '../../support/oauth/oauth.ts'

const service = useService()
const { database, clock, url } = service
const { prisma } = database
const slugField = 'Type the team’s slug to confirm'
const isDeleted = async ({ id }: { id: string }) => (await prisma.team.findUniqueOrThrow({ where: { id } })).deletedAt !== null

describe('the section of the settings that deletes the team', () => {
  test('deletes it after the slug was typed, and the team disappears from the pages of all members', async () => {
    const { browser, team, owner, page, address } = await inTeam(service, 'owner', '/settings')
    const others = new Browser(url)
    await enter(others, owner, address)
    const done = await browser.press(page, 'Delete this team', { [slugField]: ` ${team.slug.toUpperCase()} ` })
    expect([done.url.pathname, noticeOf(done)]).toEqual([
      '/account/deleted-teams',
      [200, 'The team “Acme & Co” was deleted. You can restore it on this page.'],
    ])
    expect(await isDeleted(team)).toBe(true)
    for (const each of [browser, others]) {
      for (const path of ['', '/settings', '/members', '/invitations', '/apps', '/tokens', '/invoices', '/access', '/audit-trail'])
        expect(heading(await each.open(`/teams/${team.slug}${path}`)), path).toEqual([403, 'You don’t have access'])
      expect((await each.open('/account/teams')).text).not.toContain(team.slug)
      expect((await each.open('/')).url.pathname).toBe('/account/teams')
    }
  })

  test('leads to the deleted teams, also where the user has another team', async () => {
    const { browser, team, person, page } = await inTeam(service, 'owner', '/settings')
    const other = await createTeam(database)
    await join(database, other, person, 'member')
    const done = await browser.press(page, 'Delete this team', { [slugField]: team.slug })
    expect([done.url.pathname, noticeOf(done)[0]]).toEqual(['/account/deleted-teams', 200])
  })

  test.each(['', 'acme', 'Acme & Co'])('rejects the text %j at its field', async (typed) => {
    const { browser, team, page } = await inTeam(service, 'owner', '/settings')
    const refused = await browser.press(page, 'Delete this team', { [slugField]: typed })
    expect(alertOf(refused)).toEqual([422, 'The slug does not match.'])
    expect(wrongOf(refused, 'confirmSlug')).toBe('The slug does not match.')
    expect(heading(refused)).toEqual([422, 'Delete this team?'])
    expect(await isDeleted(team)).toBe(false)
  })

  test('is shown to owners only, and a form opened before the role changed is refused', async () => {
    const { browser, team, person, address, page: settings } = await inTeam(service, 'owner', '/settings')
    const page = await browser.openConfirmation(settings, 'Delete this team')
    await prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: person.id } }, data: { role: 'billing' } })
    expect(heading(await browser.press(page, 'Delete this team', { [slugField]: team.slug }))).toEqual([403, 'You don’t have access'])
    expect((await browser.open(address)).text).not.toContain('Delete this team')
    expect(await isDeleted(team)).toBe(false)
  })

  test('requires the password again 16 minutes after the sign-in, and then shows the form with the typed slug', async () => {
    const { browser, team, page, address } = await inTeam(service, 'owner', '/settings')
    clock.advance(16 * 60_000)
    const confirmation = await browser.press(page, 'Delete this team', { [slugField]: team.slug })
    expect(heading(confirmation)).toEqual([200, 'Confirm it’s you'])
    const shown = await browser.press(confirmation, 'Continue', { Password: password })
    expect([shown.url.pathname, await isDeleted(team)]).toEqual([address, false])
    expect(shown.root.querySelector('[name=confirmSlug]')?.getAttribute('value')).toBe(team.slug)
    expect(heading(shown)).toEqual([200, 'Delete this team?'])
    await browser.press(shown, 'Delete this team')
    expect(await isDeleted(team)).toBe(true)
  })
})
