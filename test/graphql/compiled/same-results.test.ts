import { execute, parse, validate } from 'graphql'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { compileQuery } from '../../../schema/compiled/compile-query.ts'
import type { Principal } from '../../../schema/core/context.ts'
import { schema } from '../../../schema/index.ts'
import { createInvoice } from '../../support/data/invoice.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { randomQuery } from '../../support/graphql/random-query.ts'
import type { ArgumentValues } from '../../support/graphql/random-query.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { fuzzing } from '../../support/service/full.ts'
import { contextOf, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
let principals: Principal[]
let values: ArgumentValues
beforeAll(async () => {
  const { team, owner } = await createOwnedTeam(database)
  const member = await createUser(database)
  await join(database, team, member, 'member', ['deploy'])
  const invoice = await createInvoice(database, team, {}, [1, 2])
  await createInvoice(database, team)
  await createGrant(database, member, { team })
  const { client } = await createGrant(database, owner)
  await teamToken(database, team)
  await personalToken(database, member)
  const ownerSession = await sessionOf(service, owner)
  const reader: Principal = {
    ...ownerSession,
    authenticationMethod: 'personal_token',
    scopes: new Set(['teams', 'acct:team:members:read']),
  }
  principals = [ownerSession, reader, await sessionOf(service, member), operator]
  values = {
    slug: [team.slug, team.slug, team.slug, 'other'],
    ID: [member.id, invoice.id, client.clientId, 'unknown', 7],
    String: [owner.email, 'x', null],
    Int: [1, 2, 3, 50, 100, null, 1, 2, 101, 'two'],
    currency: ['EUR', null, 'euro'],
    after: [null, null, 'x'],
    before: [null, null, 'x'],
    Boolean: [true, false],
    DateTime: ['2020-01-31T09:30:00Z', 'yesterday'],
    Date: ['2020-01-31'],
  }
})

test('a compiled query returns the data of graphql in the same order, or leaves a result with errors to graphql', async () => {
  let compared = 0
  const principal = fc.nat({ max: 3 })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { minLength: 40, maxLength: 160 }), principal, async (choices, index) => {
      let next = 0
      const { source, variables } = randomQuery((count) => (choices[next++ % choices.length] ?? 0) % Math.max(count, 1), values)
      const document = parse(source)
      fc.pre(validate(schema, document).length === 0)
      const compiled = compileQuery(schema, document)
      if (!compiled) throw new Error(`not compiled: ${source}`)
      const execution = { schema, document, variableValues: variables }
      const { data, errors } = await execute({ ...execution, contextValue: contextOf(service, principals[index] ?? operator) })
      const result = await compiled.execute(variables, contextOf(service, principals[index] ?? operator))
      expect(JSON.stringify(result)).toBe(errors ? 'null' : JSON.stringify(data))
      if (!errors) compared++
    }),
    fuzzing({ short: 300, full: 5_000 }),
  )
  expect(compared).toBeGreaterThan(30)
})
