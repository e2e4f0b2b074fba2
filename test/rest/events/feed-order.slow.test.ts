import { beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { rowsRead } from '../../support/data/rows-read.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { settled } from '../../support/data/settled.ts'

const service = useService()
const { database } = service

/** Rows of the audit log of a team: `count` entries of an action, one after the other. */
const insertEntries = (teamId: string, action: string, count: number) => ({
  text: `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, team_id, subject, subject_name, before, after, request_id)
    SELECT now(), $2, 'operator', 'tester', 'command_line', $1, gen_random_uuid(), 'Jo', '{"role": "member"}', '{"role": "billing"}', n::text
    FROM generate_series(1, $3::integer) n`,
  values: [teamId, action, count],
})

describe('the order of the feed', () => {
  test('leaves out what a running transaction could still precede, so that a reader misses nothing', async () => {
    const { team, token } = await createOwnedTeam(database)
    const read = async (after = '') => {
      const { body } = await request(service, 'GET', `/api/v1/teams/${team.slug}/events?after=${after}`.replace(/\?after=$/, ''), { token })
      return { count: body.data.length, cursor: body.meta.next_cursor }
    }
    await database.pool.query(insertEntries(team.id, 'updateMember', 1))
    await settled(database.pool)
    let whileOneRan = { count: 0, cursor: '' }
    await inTransaction(database, async (transaction) => {
      // It has its place in the order before the entry of the other transaction, which is committed first.
      await transaction.query(insertEntries(team.id, 'updateMember', 1))
      await database.pool.query(insertEntries(team.id, 'removeMember', 1))
      whileOneRan = await read()
    })
    expect(whileOneRan.count).toBe(1)
    await settled(database.pool)
    expect((await read(whileOneRan.cursor)).count).toBe(2)
  })

  test('holds for a reader beside eight writers: each event once, in the order of sequence', async () => {
    const { team, token } = await createOwnedTeam(database)
    const path = `/api/v1/teams/${team.slug}`
    let isWriting = true
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let number = 0; number < 15; number++) await request(service, 'PATCH', path, { token, body: { name: `${writer} ${number}` } })
    })
    const events: { id: string; sequence: string }[] = []
    const reading = (async () => {
      let cursor = ''
      for (let isLast = false; ;) {
        const { body } = await request(service, 'GET', `${path}/events?per_page=7${cursor && `&after=${cursor}`}`, { token })
        events.push(...body.data)
        cursor = body.meta.next_cursor
        if (body.data.length > 0) continue
        if (isLast) return
        isLast = !isWriting
      }
    })()
    await Promise.all(writers)
    await settled(database.pool)
    isWriting = false
    await reading
    expect(events).toHaveLength(120)
    expect(new Set(events.map(({ id }) => id)).size).toBe(120)
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map(({ sequence }) => sequence).toSorted())
  })
})

describe('a page of the feed of a team with 20,000 events', () => {
  let path: string
  let token: string
  let cursors: string[]
  beforeAll(async () => {
    const owned = await createOwnedTeam(database)
    token = owned.token
    path = `/api/v1/teams/${owned.team.slug}/events`
    // Four groups, each in a transaction of its own, with one rare event between them.
    cursors = ['']
    for (let group = 0; group < 4; group++) {
      await database.pool.query(insertEntries(owned.team.id, 'updateMember', 5000))
      await database.pool.query(insertEntries(owned.team.id, 'removeMember', 1))
      await settled(database.pool)
      const { body } = await request(service, 'GET', `${path}?types[]=member.removed${cursors.at(-1)}`, { token })
      cursors.push(`&after=${body.meta.next_cursor}`)
    }
    await database.pool.query('VACUUM ANALYZE audit_entries')
  })

  test.each([
    ['with all types', ''],
    ['with a frequent type', '&types[]=member.updated'],
    ['with a rare type', '&types[]=member.removed'],
  ])('reads as many rows at every position: %s', async (_, types) => {
    for (const cursor of cursors) {
      service.executions.length = 0
      await request(service, 'GET', `${path}?per_page=50${types}${cursor}`, { token })
      const page = service.executions.find(({ text }) => text.includes('unnest($6'))
      if (!page) throw new Error('the page was not read')
      expect(await rowsRead(database.pool, page.text, page.values)).toBeLessThanOrEqual(400)
    }
  })
})
