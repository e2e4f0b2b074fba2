import { beforeAll, describe, expect, test } from 'vitest'
import type { UserPrincipal } from '../../../schema/core/principals.ts'
import { createOwnedTeam, createTeam, createUser, join } from '../../support/data/team.ts'
import { readAllRows } from '../../support/graphql/all-rows.ts'
import { refusedInputs } from '../../support/graphql/refused-inputs.ts'
import { createIssuer } from '../../support/identity-providers/issuer.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createWebhook } from '../../support/webhooks/webhook.ts'

const service = useService()
const { database } = service
const identifiers = new Map<unknown, string>()
let session: UserPrincipal
beforeAll(async () => {
  const { team, owner } = await createOwnedTeam(database, { slug: 'acme' })
  await createTeam(database, { slug: 'other-team' })
  const member = await createUser(database)
  await join(database, team, member, 'member')
  session = await sessionOf(service, owner)
  identifiers.set('MEMBER', member.id)
  identifiers.set('WEBHOOK', (await createWebhook(service, team, 'https://hooks.example.com/', ['team.updated'])).id)
  identifiers.set('ISSUER', await createIssuer())
})

const readRows = async () => [await readAllRows(service), await database.prisma.auditEntry.count()]

describe.each(Object.entries(refusedInputs))('%s', (mutation, { valid, refused }) => {
  test.each(refused)('with %j is refused at %s, and nothing is written', async (wrong, member, text) => {
    const type = mutation.replace(/^./, (letter) => letter.toUpperCase())
    const document = `mutation ($input: ${type}Input!) { ${mutation}(input: $input) { __typename } }`
    const values = Object.entries({ ...valid, ...wrong }).map(([name, value]) => [name, identifiers.get(value) ?? value])
    const before = await readRows()
    const { refusal } = await executeAs(service, session, document, { input: Object.fromEntries(values) })
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', { [member]: [text] }])
    expect(await readRows()).toEqual(before)
  })
})
