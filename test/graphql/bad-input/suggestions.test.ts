import { isInputObjectType, isObjectType } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { schema } from '../../../schema/index.ts'
import { publicSchema } from '../../../schema/public-schema.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let token: string
beforeAll(async () => {
  ;({ token } = await createOwnedTeam(service.database))
})

const messagesFor = async (query: string) => (await graphql(service, token, query)).errors.map(({ message }) => message)

/** Fields and types that only operators and pages use, with a document that has their name without the last letter. */
const hidden = Object.values(schema.getTypeMap()).flatMap((type): [name: string, query: string][] => {
  const shown = publicSchema().getType(type.name)
  const misspelt = type.name.slice(0, -1)
  if (!shown && isObjectType(type)) return [[type.name, `{ node(id: "x") { ... on ${misspelt} { id } } }`]]
  if (!shown && isInputObjectType(type)) return [[type.name, `query ($input: ${misspelt}!) { viewer { kind } }`]]
  if (!isObjectType(type) || !isObjectType(shown)) return []
  const known = shown.getFields()
  const select = (field: string) =>
    type === schema.getMutationType() ? `mutation { ${field} }` : type === schema.getQueryType() ? `{ ${field} }` : null
  return Object.keys(type.getFields()).flatMap((name) => {
    const query = select(name.slice(0, -1))
    return name in known || query === null ? [] : [[name, query]]
  })
})

test.each(hidden)('a name similar to the hidden %s is refused without naming it', async (name, query) => {
  const messages = await messagesFor(query)
  expect(messages.length).toBeGreaterThan(0)
  for (const message of messages) expect(message).not.toMatch(new RegExp(`\\b${name}\\b`))
})

test('a name similar to a public one is suggested', async () => {
  expect(hidden.length).toBeGreaterThan(40)
  expect(await messagesFor('{ viewr { kind } }')).toEqual([expect.stringContaining('Did you mean "viewer"')])
  expect(await messagesFor('query ($a: UpdateTeamInpu) { viewer { kind } }')).toContainEqual(expect.stringContaining('"UpdateTeamInput"'))
})

test.each([
  ['a field', 'mutation ($input: CreateClientInput!) { createClient(input: $input) { errors { code } } }', { nam: 'x' }],
  [
    'a value',
    'mutation ($input: SetStaffInput!) { setStaff(input: $input) { errors { code } } }',
    { email: 'a@b.example', isStaff: 'yes' },
  ],
])('variables of a hidden input type with %s that is wrong are refused without naming what the type has', async (_, query, input) => {
  const { errors } = await graphql(service, token, query, { input })
  expect(errors).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(/^Variable "\$input" expected value of type "\w+!" which cannot be used as an input type\.$/),
      extensions: expect.objectContaining({ code: 'bad_user_input' }),
    }),
  ])
})

test('a misspelt field in variables of a public input type is suggested', async () => {
  const query = 'mutation ($input: UpdateTeamInput!) { updateTeam(input: $input) { errors { code } } }'
  const { errors } = await graphql(service, token, query, { input: { team: 'x', nam: 'y' } })
  expect(errors[0]?.message).toContain('Did you mean "name"')
})
