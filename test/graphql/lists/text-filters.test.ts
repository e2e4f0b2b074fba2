import { beforeAll, expect, test } from 'vitest'
import { addAccess } from '../../support/graphql/access-rows.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let owned: OwnedTeam
beforeAll(async () => {
  owned = await createOwnedTeam(service.database)
  await addAccess(service, owned.team.id, 3)
})

const read = (list: string, argument: string, value: string | null) =>
  graphql(service, owned.token, `query ($value: String) { team(slug: "${owned.team.slug}") { ${list}(${argument}: $value) { total } } }`, {
    value,
  })
const totalOf = async (...given: Parameters<typeof read>) => (await read(...given)).data.team[given[0]].total

test.each([
  ['tokens', 'scope'],
  ['personalTokens', 'scope'],
  ['access', 'scope'],
  ['grants', 'scope'],
  ['grants', 'clientId'],
  ['auditEntries', 'subject'],
])('%s(%s:) with a blank text, which names nothing, returns no rows, and with null all', async (list, argument) => {
  for (const blank of ['', ' ']) expect(await totalOf(list, argument, blank)).toBe(0)
  expect(await totalOf(list, argument, null)).toBeGreaterThan(0)
})

test.each([
  ['tokens', 'search', 100],
  ['personalTokens', 'person', 100],
  ['access', 'person', 100],
  ['grants', 'person', 100],
  ['auditEntries', 'actor', 255],
])('%s(%s:) searches for nothing with a blank text, and an error of a long one names it', async (list, argument, most) => {
  expect(await totalOf(list, argument, ' ')).toBe(await totalOf(list, argument, null))
  const { errors } = await read(list, argument, 'x'.repeat(most + 1))
  expect(errors[0]?.extensions?.errors).toEqual({ [argument]: [`The ${argument} field must not be greater than ${most} characters.`] })
})
