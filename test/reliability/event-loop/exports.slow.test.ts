import { beforeAll, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { enter } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { queryInSession } from '../../support/graphql/session-request.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useMeasuredService } from '../../support/processes/measured/measured-service.ts'

const service = useMeasuredService({ RATE_LIMIT_API: '0' })
const { database } = service
let team: Team
let owner: User
let browser: Browser
beforeAll(async () => {
  team = await createTeam(database)
  owner = await createPerson(database)
  await join(database, team, owner, 'owner')
  browser = new Browser(service.url)
  await enter(browser, owner)
  await Promise.all([addMembers(), addInvoices()])
  await database.pool.query('ANALYZE')
})

/** Less than 10,000, of which an export refuses more, with the entries that signing in and the exports themselves write. */
const count = 9900

const addMembers = () =>
  database.pool.query(
    `WITH users AS (INSERT INTO users (id, email, name, email_verified)
       SELECT gen_random_uuid(), $1::text || n || '@x.example', repeat('ж"', 100), true FROM generate_series(1, ${count}) n RETURNING id)
     INSERT INTO members (team_id, user_id, role, all_applications, applications, joined_at)
     SELECT $2, id, 'member', false, '{deploy,cert,flow}', now() FROM users`,
    [team.slug, team.id],
  )
const addInvoices = () =>
  database.pool.query(
    `INSERT INTO invoices (team_id, number, status, currency, subtotal, invoice_date)
     SELECT $1, repeat('"', 200) || n, 'open', 'eur', n, '2026-01-01' FROM generate_series(1, ${count}) n`,
    [team.id],
  )
/** Changes of teams, whose names are as long as allowed. */
const addEntries = () =>
  database.pool.query(
    `INSERT INTO audit_entries (at, action, actor_kind, actor_user_id, actor_name, authentication_method, team_id, subject, subject_name, before, after, request_id)
     SELECT now() + n * interval '1 second', 'updateTeam', 'user', $2, repeat('ж', 255), 'session', $1, $3, repeat('ж"', 127),
       jsonb_build_object('name', repeat('ж"', 127), 'timezone', 'UTC'), jsonb_build_object('name', repeat('ж,', 127), 'timezone', NULL), 'r'
     FROM generate_series(1, ${count}) n`,
    [team.id, owner.id, team.slug],
  )

const linesOf = (text: string) => text.trim().split('\r\n').length

test.each(['members', 'invoices'])('the CSV file of 9,900 %s is written in turns', async (list) => {
  const file = await service.expectShortTurns(() => browser.open(`/teams/${team.slug}/${list}.csv`))
  expect([file.status, linesOf(file.root.text)]).toEqual([200, list === 'members' ? count + 2 : count + 1])
})

test('the audit log of 9,900 entries is exported in turns, as a CSV file and by GraphQL', async () => {
  await addEntries()
  const page = await browser.open(`/teams/${team.slug}/audit-trail`)
  const file = await service.expectShortTurns(() => browser.press(page, 'Export as CSV'))
  expect(file.headers.get('content-type')).toContain('text/csv')
  expect(linesOf(file.root.text)).toBeGreaterThan(count)
  const fields = 'id action actionName actorKind actorName authenticationMethod at subject subjectName before after team { slug }'
  const query = `mutation { exportAuditLog(input: { team: "${team.slug}" }) { entries { ${fields} } } }`
  const { data, errors = [] } = await service.expectShortTurns(() => queryInSession(browser, query))
  expect(errors).toEqual([])
  expect(data.exportAuditLog.entries.length).toBeGreaterThan(count)
})
