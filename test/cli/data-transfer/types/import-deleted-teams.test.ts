import { expect, test } from 'vitest'
import { useCli } from '../../../support/service/cli.ts'
import { everything } from '../../../support/data/records/everything.ts'

const cli = useCli()
const { pool } = cli
const deletedAt = '2026-10-31T12:00:00.000Z'

const recordsOf = async (slug: string) => {
  const { stdout } = await cli.run('export')
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return records.filter((record) => record.slug === slug || record.team === slug)
}

test('an export has a deleted team with its content, and an import of it leaves the team deleted', async () => {
  const { slug, records } = everything()
  await cli.import(records)
  await pool.query('UPDATE teams SET deleted_at = $2 WHERE slug = $1', [slug, deletedAt])
  const exported = await recordsOf(slug)
  expect(exported.map(({ type, deleted_at }) => [type, deleted_at])).toEqual([
    ['team', deletedAt],
    ['app', undefined],
    ['member', undefined],
    ['member', undefined],
    ['invoice', undefined],
    ['token', undefined],
    ['webhook', undefined],
    ['domain', undefined],
    ['identity_provider', undefined],
    ['group_role', undefined],
  ])
  const again = await cli.import(exported, '--json')
  expect(again).toMatchObject({ status: 0, stderr: '' })
  expect(Object.values<any>(JSON.parse(again.stdout).records).map(({ created, updated }) => created + updated)).toEqual(Array(12).fill(0))

  await pool.query('DELETE FROM members WHERE team_id = (SELECT id FROM teams WHERE slug = $1)', [slug])
  await pool.query('DELETE FROM teams WHERE slug = $1', [slug])
  expect(await cli.import(exported)).toMatchObject({ status: 0, stderr: '' })
  expect(await recordsOf(slug)).toEqual(exported)
})

const otherDay = '2026-10-30T12:00:00.000Z'
test.each([
  ['restore a deleted team', deletedAt, undefined],
  ['delete a team', null, deletedAt],
  ['change when a team was deleted', deletedAt, otherDay],
])('an import refuses to %s and writes nothing', async (_, present, imported) => {
  const { slug, records } = everything()
  await cli.import(records)
  await pool.query('UPDATE teams SET deleted_at = $2 WHERE slug = $1', [slug, present])
  const before = await recordsOf(slug)
  const team = { type: 'team', slug, name: 'New', deleted_at: imported }
  const { status, stderr } = await cli.import([team])
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(`line 1: team ${slug}: deleted_at: An import neither deletes nor restores a team.`),
  ])
  expect(await recordsOf(slug)).toEqual(before)
})
