import { expect, test } from 'vitest'
import { createCleanup } from '../../../src/service/cleanup.ts'
import { createErasableTeam } from '../../support/data/erasable-team.ts'
import { columnsOfErasedTeams, referencesToErasedTeams } from '../../support/data/records/stored-columns.ts'
import { useService } from '../../support/service/service.ts'
import { retention } from '../../support/service/test-settings.ts'

const service = useService()
const { database } = service
const now = service.clock.now()
const cleanup = createCleanup({ database, retention, now: () => now, report: (error) => expect.fail(String(error)) })

const columnsText = `SELECT c.table_name AS table, c.column_name AS column, c.data_type = 'ARRAY' AS "isList" FROM information_schema.columns c
  JOIN information_schema.tables t USING (table_schema, table_name) WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'`

test('after an erasure, a team has the columns that are listed with a reason, and no others refer to it', async () => {
  const { pool } = database
  const { rows } = await pool.query<{ table: string; column: string; isList: boolean }>(columnsText)
  const references = rows.filter(({ column }) => /(^|_)team_ids?$/.test(column))
  const { id } = await createErasableTeam(service, new Date(now.getTime() - 400 * 86_400_000))
  const findReferences = async () => {
    const found: string[] = []
    for (const { table, column, isList } of references) {
      const { rowCount } = await pool.query(`SELECT FROM ${table} WHERE $1 = ${isList ? `ANY (${column})` : column} LIMIT 1`, [id])
      if (rowCount) found.push(`${table}.${column}`)
    }
    return found
  }
  const findEmptyColumns = async () => {
    const [team] = (await pool.query<Record<string, unknown>>('SELECT * FROM teams WHERE id = $1', [id])).rows
    return Object.entries(team ?? {}).flatMap(([column, value]) => (value === null ? [column] : []))
  }
  const isListed = (name: string) => Object.hasOwn(referencesToErasedTeams, name)
  const names = references.map(({ table, column }) => `${table}.${column}`)
  expect(Object.keys(referencesToErasedTeams).filter((name) => !names.includes(name))).toEqual([])
  expect(names.filter((name) => !isListed(name)).toSorted()).toEqual((await findReferences()).filter((name) => !isListed(name)).toSorted())
  expect((await findEmptyColumns()).filter((column) => !Object.hasOwn(columnsOfErasedTeams, column))).toEqual([])

  expect(await cleanup.run()).toBe(1)
  expect((await findReferences()).filter((name) => !isListed(name))).toEqual([])
  const erased = rows.filter(({ table, column }) => table === 'teams' && !Object.hasOwn(columnsOfErasedTeams, column))
  expect((await findEmptyColumns()).filter((column) => !Object.hasOwn(columnsOfErasedTeams, column)).toSorted()).toEqual(
    erased.map(({ column }) => column).toSorted(),
  )
})
