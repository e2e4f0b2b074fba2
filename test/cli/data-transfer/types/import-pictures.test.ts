import sharp from 'sharp'
import { expect, test } from 'vitest'
import { imageBytes } from '../../../support/data/pictures.ts'
import { unique } from '../../../support/data/team.ts'
import { useCli } from '../../../support/service/cli.ts'

const cli = useCli()
const { pool } = cli

async function imported(records: readonly object[]) {
  const { stdout } = await cli.import(records, '--json')
  const { user, team } = JSON.parse(stdout).records
  return [user, team]
}

test('pictures of any accepted format are stored as WebP; records without one keep it, and their export changes nothing', async () => {
  const [email, slug] = [`${unique('ada')}@example.com`, unique('team')]
  const user = { type: 'user', email, name: 'Ada' }
  const team = { type: 'team', slug, name: 'Acme' }
  const picture = (await imageBytes('jpeg', { width: 300, height: 200, metadata: true })).toString('base64')
  const logo = (await imageBytes('png', { width: 300, height: 100 })).toString('base64')
  const unchanged = [expect.objectContaining({ unchanged: 1 }), expect.objectContaining({ unchanged: 1 })]
  const updated = [expect.objectContaining({ updated: 1 }), expect.objectContaining({ updated: 1 })]
  expect(await imported([user, team])).toEqual([expect.objectContaining({ created: 1 }), expect.objectContaining({ created: 1 })])
  expect(
    await imported([
      { ...user, picture },
      { ...team, logo },
    ]),
  ).toEqual(updated)
  expect(
    await imported([
      { ...user, picture },
      { ...team, logo },
    ]),
  ).toEqual(unchanged)
  expect(await imported([user, team])).toEqual(unchanged)

  const { rows } = await pool.query(
    `SELECT p.id = coalesce(u.picture_id, t.logo_id) AS known, p.large, p.small FROM pictures p LEFT JOIN users u ON u.id = p.user_id
     LEFT JOIN teams t ON t.id = p.team_id WHERE u.email = $1 OR t.slug = $2 ORDER BY u.email`,
    [email, slug],
  )
  expect(rows.map(({ known }) => known)).toEqual([true, true])
  for (const { large, small } of rows)
    expect([await sharp(large).metadata(), await sharp(small).metadata()]).toMatchObject([
      { format: 'webp', width: 256, height: 256 },
      { format: 'webp', width: 64, height: 64 },
    ])
  const { stdout } = await cli.run('export', '-')
  const lines: Record<string, string>[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const exported = lines.filter((record) => record.email === email || record.slug === slug)
  expect(exported.map((record) => record.picture ?? record.logo)).toEqual(rows.map(({ large }) => large.toString('base64')))
  expect(await imported(exported)).toEqual(unchanged)
})

test.each([
  ['user', { email: 'ada@example.com' }, 'picture', 'no base64 of an image', 'must be a JPEG, PNG or WebP file.'],
  ['team', { slug: 'acme' }, 'logo', Buffer.from('<svg/>').toString('base64'), 'must be a JPEG, PNG or WebP file.'],
])('a %s with another file is refused by line', async (type, key, member, file, message) => {
  const { status, stderr } = await cli.import([{ type, ...key, name: 'A', [member]: file }])
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(`line 1: ${type} ${Object.values(key)[0]}: ${member}: The ${member} ${message}`),
  ])
})
