import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, join } from '../support/team.ts'

const service = await startService()
const { database } = service

describe('GET /v1/teams', () => {
  test('lists the teams of the person by slug, whole', async () => {
    const { team, owner, token } = await createOwnedTeam(database, { gravatarEmail: 'crew@example.test', timezone: 'Europe/Kyiv' })
    const second = await createTeam(database, { slug: `a-${team.slug}`, name: 'First' })
    await join(database, second, owner, 'member')
    const { status, body } = await request(service, 'GET', '/api/v1/teams', { token })
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        expect.objectContaining({ slug: second.slug, name: 'First', timezone: null, gravatar_email: null }),
        {
          slug: team.slug,
          name: 'Acme',
          timezone: 'Europe/Kyiv',
          gravatar_email: 'crew@example.test',
          avatar_url: `https://www.gravatar.com/avatar/${createHash('sha256').update('crew@example.test').digest('hex')}?d=mp`,
          created_at: team.createdAt.toISOString(),
          updated_at: team.updatedAt.toISOString(),
        },
      ],
    })
  })
})
