import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatDate, formatDateTime, formatRelative } from '../../../src/web/time-format.ts'
import { openAs } from '../../support/account-site/page-content.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

describe('an instant', () => {
  const now = new Date('2026-11-22T12:00:00Z')

  test.each([
    ['2026-11-22T11:59:30Z', 'just now'],
    ['2026-11-22T12:00:30Z', 'in less than a minute'],
    ['2026-11-22T11:59:00Z', '1 minute ago'],
    ['2026-11-22T09:00:01Z', '2 hours ago'],
    ['2026-11-22T09:00:00Z', '3 hours ago'],
    ['2026-11-24T12:00:00Z', 'in 2 days'],
    // Remaining days are rounded up: what lasts 7 days does not say 6 a second later.
    ['2026-11-29T11:59:59Z', 'in 7 days'],
    ['2026-11-23T12:00:01Z', 'in 2 days'],
    ['2026-11-23T11:59:59Z', 'in 23 hours'],
    ['2026-11-20T11:00:00Z', '2 days ago'],
    ['2026-10-24T12:00:00Z', '29 days ago'],
    ['2026-10-23T12:00:00Z', null],
    ['2027-11-22T12:00:00Z', null],
  ])('at %s is relative to noon as %s', (at, text) => {
    expect(formatRelative(at, now)).toBe(text)
  })

  test.each([
    [null, 'day_month_year', '21 Nov 2026, 20:05 UTC', '21 Nov 2026'],
    ['Asia/Kolkata', 'day_month_year', '22 Nov 2026, 01:35 GMT+5:30', '22 Nov 2026'],
    ['America/New_York', 'month_day_year', 'Nov 21, 2026, 3:05 PM EST', 'Nov 21, 2026'],
    ['Europe/Berlin', 'year_month_day', '2026-11-21, 21:05 GMT+1', '2026-11-21'],
  ] as const)('names its time zone: %s with %s', (timezone, dateFormat, instant, day) => {
    const times = { timezone, dateFormat }
    expect([formatDateTime('2026-11-21T20:05:00Z', times), formatDate('2026-11-21T20:05:00Z', times)]).toEqual([instant, day])
    // A calendar date is the same day in every time zone.
    expect(formatDate('2026-11-21', { timezone: 'Pacific/Pago_Pago', dateFormat: 'year_month_day' })).toBe('2026-11-21')
  })
})

test('no sentence puts a preposition before a relative time', () => {
  const root = path.resolve(import.meta.dirname, '../../../src')
  const files = globSync('{account-site,oidc,web}/**/*.tsx', { cwd: root })
  const relative = files.filter((file) => readFileSync(path.join(root, file), 'utf8').includes('<RelativeTime'))
  const wrong = relative.filter((file) =>
    /\b(on|until|till|from|since|at|by|before|after|expires)\s*(\{' '\}\s*)*<RelativeTime/.test(
      readFileSync(path.join(root, file), 'utf8'),
    ),
  )
  expect([relative.length > 5, wrong]).toEqual([true, []])
})

describe('a page', () => {
  test('says exactly when a team was deleted and until when it can be restored', async () => {
    const owner = await createPerson(service.database)
    const team = await createTeam(service.database)
    await join(service.database, team, owner, 'owner')
    const { browser, page } = await openAs(service, owner, `/teams/${team.slug}/settings`)
    await browser.press(page, 'Delete this team', { confirmSlug: team.slug })
    const { root } = await browser.open('/account/deleted-teams')
    const sentence = root.querySelector('main section p')?.text.replace(/\s+/g, ' ')
    const instant = String.raw`\d+ \w+ \d{4}, \d\d:\d\d UTC`
    expect(sentence).toMatch(new RegExp(`^Deleted on ${instant}. You can restore it until ${instant}.$`))
  })

  test('shows times in the time zone and the date format that its user saves in the profile', async () => {
    const user = await createPerson(service.database)
    const { browser, page } = await openAs(service, user, '/account')
    const fields = { 'Time zone': 'kolkata', 'Date format': 'YEAR_MONTH_DAY' }
    const saved = await browser.press(page, 'Save', fields)
    expect(saved.root.querySelector('.notice')?.text).toBe('Your profile was saved.')
    expect(await service.database.prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({
      timezone: 'Asia/Kolkata',
      dateFormat: 'year_month_day',
    })
    const time = (await browser.open('/security/sessions')).root.querySelector('#sessions time[title]')
    expect(time?.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d, \d\d:\d\d GMT\+5:30$/)
    expect(time?.getAttribute('datetime')).toMatch(/Z$/)
  })

  test('refuses an unknown time zone at its field and changes nothing', async () => {
    const user = await createPerson(service.database)
    const { browser, page } = await openAs(service, user, '/account')
    const refused = await browser.press(page, 'Save', { 'Time zone': 'Mars/Olympus' })
    expect([refused.status, refused.root.querySelector('#field-timezone-wrong')?.text.trim()]).toEqual([422, expect.stringMatching(/\S/)])
    const { name, timezone, dateFormat, updatedAt } = user
    const stored = await service.database.prisma.user.findUniqueOrThrow({ where: { id: user.id } })
    expect(stored).toMatchObject({ name, timezone, dateFormat, updatedAt })
  })
})
