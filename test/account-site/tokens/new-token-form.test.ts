import { describe, expect, test } from 'vitest'
import type { Page } from '../../support/browser/browser.ts'
import { alertOf, heading, openAs, tokenValueOn, valuesOf } from '../../support/account-site/page-content.ts'
import { createTeam, join, personalToken, teamToken } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { allowsChanges, tokenScopes } from '../../../schema/core/scopes.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const day = 86_400_000

async function atNew(data = {}) {
  const person = await createPerson(database, data)
  return { person, ...(await openAs(service, person, '/tokens/new')) }
}
const tokensOf = (userId: string) => prisma.accessToken.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } })
const ticked = (page: Page) => valuesOf(page).getAll('scopes')
const reading = tokenScopes.filter((scope) => !allowsChanges(scope))
/** The rows of permissions, each with the scope or nothing in its cells. */
const rowsOf = ({ root }: Page) =>
  root.querySelectorAll('.permissions tbody tr:has(th[scope=row])').map((row) => ({
    name: row.querySelector('summary')?.text,
    scopes: row.querySelectorAll('td').map((cell) => cell.querySelector('input')?.getAttribute('value') ?? ''),
  }))

describe('the permissions of a new token', () => {
  test('are a table of what they are about with a cell for reading and one for writing, empty where there is no scope', async () => {
    const { page } = await atNew()
    const { root } = page
    expect(root.querySelectorAll('.permissions thead th').map(({ text }) => text)).toEqual(['Read', 'Write'])
    expect(root.querySelectorAll('.permissions th[scope=rowgroup]').map(({ text }) => text)).toEqual(['Account and teams', 'Traffic rules'])
    const rows = rowsOf(page)
    expect(rows).toContainEqual({ name: 'Members', scopes: ['acct:team:members:read', 'acct:team:members:write'] })
    expect(rows).toContainEqual({ name: 'Invoices', scopes: ['acct:team:invoices:read', ''] })
    expect(rows).toContainEqual({ name: 'Invitations', scopes: ['', 'acct:team:invitations:write'] })
    expect(new Set(rows.flatMap(({ scopes }) => scopes))).toEqual(new Set(['', ...tokenScopes]))
    // What a scope allows is folded, and names the scope for users of the API.
    const details = root.querySelectorAll('.permissions details').find((each) => each.querySelector('summary')?.text === 'Members')
    expect([details?.hasAttribute('open'), details?.querySelector('dl')?.text]).toEqual([
      false,
      'See members, their email addresses and rolesacct:team:members:readChange roles and product access, remove membersacct:team:members:write',
    ])
  })

  test.each([
    ['Read only', reading],
    ['Everything', tokenScopes],
  ])('are ticked by the preset %j, which keeps what was typed and creates nothing', async (preset, expected) => {
    const { person, browser, page } = await atNew()
    const typed = { Name: 'Backups', scopes: ['acct:team:write'], reach: 'chosen', expiresAt: 'date', day: '2031-01-31' }
    const shown = await browser.press(page, preset, typed)
    expect([...heading(shown), ...alertOf(shown)]).toEqual([200, 'Create a personal token', 200, undefined])
    expect(shown.root.querySelector('title')?.text).not.toContain('Error')
    expect(ticked(shown)).toEqual(expected)
    const values = valuesOf(shown)
    expect(['name', 'reach', 'expiresAt', 'day'].map((name) => values.get(name))).toEqual(['Backups', 'chosen', 'date', '2031-01-31'])
    expect(await tokensOf(person.id)).toEqual([])
    const made = await browser.press(shown, 'Create token', { reach: 'all', expiresAt: '7' })
    expect(heading(made)).toEqual([200, 'Copy your token'])
    expect((await tokensOf(person.id))[0]?.scopes).toEqual(expected)
  })

  test('are ticked like those of another token that was not revoked, also of an expired one', async () => {
    const { person, browser } = await atNew()
    await personalToken(database, person, { name: 'One', scopes: ['teams', 'flow:rules:read'] })
    await personalToken(database, person, { name: 'Old', scopes: ['teams'], expiresAt: new Date(clock.now().getTime() - 1) })
    await personalToken(database, person, { name: 'Gone' })
    const tokenNamed = async (name: string) => prisma.accessToken.findFirstOrThrow({ where: { userId: person.id, name } })
    await prisma.accessToken.update({ where: { id: (await tokenNamed('Gone')).id }, data: { revokedAt: clock.now() } })
    const page = await browser.open('/tokens/new')
    const options = page.root.querySelectorAll('select[name=like] option')
    const [none, ...texts] = options.map(({ text }) => text)
    expect([none, texts.some((text) => text.startsWith('One (pat_…')), texts.some((text) => text.startsWith('Gone'))]).toEqual([
      'Like another token',
      true,
      false,
    ])
    const valueOf = (name: string) => options.find(({ text }) => text.startsWith(name))?.getAttribute('value') ?? ''
    const shown = await browser.press(page, 'Apply', { Name: 'Third', like: valueOf('One') })
    expect([ticked(shown), valuesOf(shown).get('name'), valuesOf(shown).get('like')]).toEqual([
      ['teams', 'flow:rules:read'],
      'Third',
      valueOf('One'),
    ])
    expect(texts.find((text) => text.startsWith('Old'))).toMatch(/, expired\)$/)
    // Without a selected token nothing changes.
    expect(ticked(await browser.press(shown, 'Apply', { like: '' }))).toEqual(['teams', 'flow:rules:read'])
    expect(ticked(await browser.open(`/tokens/new?like=${(await tokenNamed('Old')).id}`))).toEqual(['teams'])
  })

  test('of a team token are ticked like those of another token of the team', async () => {
    const { person, browser } = await atNew()
    const team = await createTeam(database)
    await join(database, team, person, 'owner')
    await teamToken(database, team, { name: 'Deploys', scopes: ['acct:team:audit:read'] })
    await personalToken(database, person)
    const page = await browser.open(`/teams/${team.slug}/tokens/new`)
    const options = page.root.querySelectorAll('select[name=like] option')
    expect(options.map(({ text }) => text.split(' (')[0])).toEqual(['Like another token', 'Deploys'])
    const shown = await browser.press(page, 'Apply', { like: options[1]?.getAttribute('value') ?? '' })
    expect(ticked(shown)).toEqual(['acct:team:audit:read'])
    expect(tokenValueOn(await browser.press(shown, 'Create token', { Name: 'Again' }))).toMatch(/^tat_/)
  })
})

describe('the expiration of a new token', () => {
  test('states the date of each lifetime in the format and time zone of the user', async () => {
    const { page } = await atNew({ timezone: 'Asia/Tokyo', dateFormat: 'year_month_day' })
    const lifetime = (days: number) => page.root.querySelector(`label[for=field-expiresAt-${days}] time`)
    const at = new Date(lifetime(30)?.getAttribute('datetime') ?? '')
    expect(Math.abs(at.getTime() - clock.now().getTime() - 30 * day)).toBeLessThan(60_000)
    const expected = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: 'Asia/Tokyo' }).format(at)
    expect([7, 30, 60, 90, 365].map((days) => /^\d{4}-\d\d-\d\d$/.test(lifetime(days)?.text ?? ''))).toEqual(Array(5).fill(true))
    expect(lifetime(30)?.text).toBe(expected)
  })
})
