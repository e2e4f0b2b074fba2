import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes/index.ts'
import { openAs } from '../support/account-site/page-content.ts'
import { everyPage, everyStaffPage } from '../support/account-site/every-page.ts'
import { seedSite } from '../support/account-site/seed.ts'
import { openAsStaff } from '../support/account-site/staff-browser.ts'
import { fillLargeTables, isScalingSize } from '../support/data/large/large-tables.ts'
import { personalToken, teamToken } from '../support/data/team.ts'
import { request } from '../support/http/request.ts'
import { authorize, createClient, exchangeCode, refresh } from '../support/oauth/oauth.ts'
import { collectPlans, connectWithPlans, printSlowest } from '../support/postgres/plans.ts'
import type { ExecutedPlan } from '../support/postgres/plans.ts'
import { scim } from '../support/scim/directory.ts'
import { addQueuedJob } from '../support/service/periodic-work.ts'
import { useService } from '../support/service/service.ts'

/** Rows that a statement of a request may read, of a page of 100 rows with their relations. */
const maxRows = 2000

const service = useService({ connectThrough: connectWithPlans('force_generic_plan') })
const { database } = service
let seeded: Awaited<ReturnType<typeof seedSite>>

beforeAll(async () => {
  seeded = await seedSite(service, 'Ada')
  await addQueuedJob(service.databaseUrl)
  await fillLargeTables(service)
  // A row that was added to the table is a second factor of this user.
  await database.prisma.passkey.deleteMany({ where: { userId: seeded.person.id } })
}, 3_600_000)

/** Also of a table that is read as a whole, which has more rows. */
const readsTooMuch = ({ rowsRead }: ExecutedPlan) => rowsRead > maxRows

test('the pages of an owner read few rows of large tables', async () => {
  const plans = collectPlans()
  const { browser } = await openAs(service, seeded.person, '/security')
  for (const { path, isPublic } of everyPage(seeded.parameters)) if (!isPublic) await browser.open(path)
  expect(plans.length).toBeGreaterThan(100)
  if (isScalingSize) printSlowest(plans)
  expect(plans.filter(readsTooMuch)).toEqual([])
})

test('the pages of staff and their search read few rows of large tables', async () => {
  const plans = collectPlans()
  const { browser } = await openAsStaff(service, 'admin')
  for (const { path } of everyStaffPage(seeded.parameters)) await browser.open(path)
  for (const text of ['ada', 'ada lovelace', seeded.person.email, seeded.team.slug, 'abcd', seeded.person.id])
    await browser.open(`/staff?q=${encodeURIComponent(text)}`)
  expect(plans.length).toBeGreaterThan(20)
  if (isScalingSize) printSlowest(plans)
  expect(plans.filter(readsTooMuch)).toEqual([])
})

test('the routes that read, and those of a directory, read few rows of large tables', async () => {
  const plans = collectPlans()
  const token = await personalToken(database, seeded.person)
  const parameters: Record<string, string> = { ...seeded.parameters, teamSlug: seeded.team.slug }
  for (const { method, path } of routes) {
    if (method !== 'get') continue
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '00000000-0000-4000-8000-000000000000')
    expect([path, (await request(service, 'GET', `/api${filled}`, { token })).status]).toEqual([path, expect.toBeOneOf([200, 404])])
  }
  const directory = await teamToken(database, seeded.team, { scopes: ['acct:team:scim'] })
  for (const path of ['/Users', '/Groups', `/Users?filter=${encodeURIComponent('userName eq "ada@example.test"')}`])
    expect((await scim(service, directory, 'GET', path)).status).toBe(200)
  expect(plans.length).toBeGreaterThan(30)
  if (isScalingSize) printSlowest(plans)
  expect(plans.filter(readsTooMuch)).toEqual([])
})

test('signing in, authorizing an app and refreshing its tokens read few rows of large tables', async () => {
  const plans = collectPlans()
  const client = await createClient(database)
  const { body } = await exchangeCode(service, client, await authorize(service, client, seeded.person))
  expect((await refresh(service, client, body.refresh_token)).status).toBe(200)
  expect((await request(service, 'GET', `/api/v1/teams/${seeded.team.slug}`, { token: body.access_token })).status).toBe(200)
  expect(plans.length).toBeGreaterThan(20)
  if (isScalingSize) printSlowest(plans)
  expect(plans.filter(readsTooMuch)).toEqual([])
})
