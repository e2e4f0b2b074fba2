import { beforeAll } from 'vitest'
import { createOwnedTeam, createUser, join, personalToken, teamToken, unique } from '../data/team.ts'
import type { TestService } from '../service/service.ts'

/** A team, and tokens with different permissions in it by their names, which tests can read. */
export function useCredentials({ database }: TestService) {
  const slug = unique('team')
  const tokens: Record<string, string> = {}
  beforeAll(async () => {
    const { team, owner, token } = await createOwnedTeam(database, { slug })
    const [billing, member] = [await createUser(database), await createUser(database)]
    await join(database, team, billing, 'billing')
    await join(database, team, member, 'member', ['cert'])
    Object.assign(tokens, {
      owner: token,
      'owner with few scopes': await personalToken(database, owner, { scopes: ['teams'] }),
      'owner without scopes': await personalToken(database, owner, { scopes: ['openid'] }),
      billing: await personalToken(database, billing),
      member: await personalToken(database, member),
      'member with few scopes': await personalToken(database, member, { scopes: ['teams'] }),
      stranger: await personalToken(database, await createUser(database)),
      team: await teamToken(database, team),
    })
  })
  return { team: { slug }, tokens }
}
