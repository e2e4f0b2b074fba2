import {
  Kind,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isObjectType,
  parse,
  valueFromASTUntyped,
} from 'graphql'
import type { GraphQLField, GraphQLInputField } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { findRequirement } from '../../../schema/core/requires.ts'
import { publicSchema } from '../../../schema/public-schema.ts'
import { signedIn } from '../../support/account-site/page-content.ts'
import type { Browser } from '../../support/browser/browser.ts'
import { join } from '../../support/data/team.ts'
import { readAllRows } from '../../support/graphql/all-rows.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import type { ScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Every mutation that HTTP shows, with each of its texts and identifiers replaced by one that nothing has.

const service = useService()
let browser: Browser
let user: User
beforeAll(async () => {
  ;({ browser, user } = await signedIn(service))
})

/** A team of the signed-in user. */
async function createContext(): Promise<ScenarioContext> {
  const context = await createScenarioContext(service)
  // An earlier scenario may have turned two-factor authentication on.
  await service.database.pool.query('UPDATE users SET totp_secret = NULL, totp_last_step = NULL')
  await join(service.database, context.team, user, 'owner')
  return { ...context, owner: user, principal: await sessionOf(service, user) }
}

async function send(query: string, variables: object) {
  const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
  const headers = { 'content-type': 'application/json', cookie, origin: service.url, 'sec-fetch-site': 'same-origin' }
  const response = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
  return response.json()
}

/** The input of the scenario of a mutation, with the values of its variables. */
async function inputOf(name: string): Promise<Record<string, unknown>> {
  const { document = '', prepare } = scenarios[name] ?? {}
  const [definition] = parse(document).definitions
  const [field] = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : []
  const input = field?.kind === Kind.FIELD ? field.arguments?.find((argument) => argument.name.value === 'input') : undefined
  const variables = (await prepare?.(await createContext()))?.variables ?? {}
  const value: any = input ? valueFromASTUntyped(input.value, variables) : {}
  return value
}

const isText = ({ type }: GraphQLInputField) => ['ID', 'String'].includes(getNamedType(type).name)
const wrong = ({ type }: GraphQLInputField) => (isListType(getNullableType(type)) ? ['\0'] : '\0')

/** The mutation with all fields of its payload. */
function documentOf({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const payload = getNamedType(type)
  const fields = isObjectType(payload) ? Object.values(payload.getFields()).filter((field) => field.name !== 'errors') : []
  const selected = fields.map((field) => (isCompositeType(getNamedType(field.type)) ? `${field.name} { __typename }` : field.name))
  const errors = 'errors { __typename message code requestId errors { field messages } }'
  return `mutation ($input: ${String(args[0]?.type)}) { ${name}(input: $input) { ${selected.join(' ')} ${errors} } }`
}

/** Returns true if only staff and operators can use a mutation. */
const isForStaff = ({ extensions }: GraphQLField<unknown, unknown>) => findRequirement(extensions)?.authenticationMethod?.length === 0

const mutations = Object.values(publicSchema().getMutationType()?.getFields() ?? {})
const cases = mutations.flatMap((mutation) => {
  const input = mutation.args[0] && getNamedType(mutation.args[0].type)
  const fields = isInputObjectType(input) ? Object.values(input.getFields()).filter(isText) : []
  // A user who is not staff can send any reason, without effect.
  const effective = fields.filter(({ name }) => name !== 'reason' || isForStaff(mutation))
  return effective.map((field) => [`${mutation.name}.${field.name}`, mutation, field] as const)
})

/** Refusals that are not the caller's to correct: the team that a mutation names, and a field for operators. */
const topLevelCodes: Record<string, string> = { 'createPersonalToken.user': 'role_required', 'restoreTeam.team': '' }
const typeNames: Record<string, string> = { validation_failed: 'ValidationError', not_found: 'NotFoundError' }

describe.each(cases)('%s', (name, mutation, field) => {
  test('is refused in the payload if it is invalid or identifies nothing, and nothing is changed', async () => {
    const input = { ...(await inputOf(mutation.name)), [field.name]: wrong(field) }
    // Scenarios of second factors turn one on for the user.
    await service.database.pool.query('UPDATE sessions SET proved_two_factor = true')
    const before = await readAllRows(service)
    const { data, errors = [] } = await send(documentOf(mutation), { input })
    expect(await readAllRows(service)).toEqual(before)
    const topLevelCode = isForStaff(mutation) ? 'operator_only' : (topLevelCodes[name] ?? (field.name === 'team' ? 'team_forbidden' : ''))
    expect(errors.map(({ path, extensions }: any) => [path, extensions.code])).toEqual(
      topLevelCode ? [[[mutation.name], topLevelCode]] : [],
    )
    if (topLevelCode) return expect(data).toEqual({ [mutation.name]: null })
    const { errors: refusals, ...changed } = data[mutation.name]
    expect(Object.values(changed).filter((value) => value !== null)).toEqual([])
    const [{ code }] = refusals
    expect(refusals).toEqual([
      {
        __typename: typeNames[code],
        message: expect.any(String),
        code,
        requestId: expect.any(String),
        errors: code === 'not_found' ? [] : [{ field: expect.any(String), messages: [refusals[0].message] }],
      },
    ])
  })
})

test('every mutation of the schema has a payload with errors', () => {
  expect(mutations.length).toBeGreaterThan(35)
  for (const { name, type } of mutations) {
    const payload = getNamedType(type)
    expect([name, isObjectType(payload) && String(payload.getFields().errors?.type)]).toEqual([name, '[MutationError!]!'])
  }
})
