import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buildSchema, getNamedType, isInputObjectType, isNonNullType } from 'graphql'
import type { GraphQLInputField } from 'graphql'
import { describe, expect, test } from 'vitest'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { clientUpdates } from '../../support/graphql/updates/client-updates.ts'
import { settingUpdates } from '../../support/graphql/updates/setting-updates.ts'
import { teamUpdates } from '../../support/graphql/updates/team-updates.ts'
import { toColumnName } from '../../support/graphql/updates/update.ts'
import type { Update } from '../../support/graphql/updates/update.ts'
import { changedColumns, readRow } from '../../support/graphql/updates/row.ts'
import { executeAs } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// A change leaves everything as it is that the request does not mention: no default of a new object is applied to an existing one.

const service = useService()
const updates = { ...teamUpdates, ...clientUpdates, ...settingUpdates }
const mutationOf = (name: string) => name.replace(/ .*/, '')

// The reason of an act of staff is no member of the object.
const isOptionalMember = ({ name, type }: GraphQLInputField) => !isNonNullType(type) && name !== 'reason'

/** The optional fields of each mutation that changes an object. `setStaff` replaces the role, with READER by default. */
const mutations = Object.values(
  buildSchema(readFileSync(path.join(projectFolder, 'schema', 'schema.graphql'), 'utf8'))
    .getMutationType()
    ?.getFields() ?? {},
)
  .filter(({ name }) => /^(?:update|set)[A-Z]/.test(name) && name !== 'setStaff')
  .flatMap(({ name, args }) => {
    const input = args[0] && getNamedType(args[0].type)
    const fields = isInputObjectType(input) ? Object.values(input.getFields()).filter(isOptionalMember) : []
    return fields.length === 0 ? [] : [{ name, fields: fields.map((field) => field.name) }]
  })

test('every mutation that changes an object, and each of its optional fields, is part of this test', async () => {
  expect(Object.keys(updates).map(mutationOf)).toEqual(expect.arrayContaining(mutations.map(({ name }) => name)))
  for (const [name, prepare] of Object.entries(updates)) {
    const { fields } = await prepare(await createScenarioContext(service))
    const expected = mutations.find((mutation) => mutation.name === mutationOf(name))?.fields
    expect([name, Object.keys(fields).toSorted()]).toEqual([name, expected?.toSorted()])
  }
})

/** Sends an input about a new object; returns the refusal and what changed. */
async function send(name: string, inputOf: (update: Update) => Record<string, unknown>) {
  const update = await (updates[name] ?? expect.fail(name))(await createScenarioContext(service))
  const before = await readRow(service, update)
  const mutation = mutationOf(name)
  const type = mutation.replace(/^./, (letter) => letter.toUpperCase())
  const document = `mutation ($input: ${type}Input!) { ${mutation}(input: $input) { __typename } }`
  const input = { ...update.object, ...inputOf(update) }
  const { refusal } = await executeAs(service, update.principal, document, { input })
  const after = await readRow(service, update)
  return { update, after, refusal: refusal?.code ?? null, errors: refusal?.details.errors, changed: changedColumns(before, after) }
}

const columnsOf = ({ fields }: Update, field: string) => fields[field]?.columns ?? [toColumnName(field)]

describe.each(Object.keys(updates))('%s', (name) => {
  const { fields } = mutations.find((mutation) => mutation.name === mutationOf(name)) ?? { fields: [] }

  test('without any field changes nothing', async () => {
    const { refusal, changed } = await send(name, () => ({}))
    expect([refusal, changed]).toEqual([expect.toBeOneOf([null, 'validation_failed']), []])
  })

  test.each(fields)('with %s alone changes nothing else', async (field) => {
    const { update, refusal, errors, changed } = await send(name, (each) => ({
      [field]: each.fields[field]?.value,
      ...each.fields[field]?.with,
    }))
    const { isForeign } = update.fields[field] ?? {}
    expect([refusal, isForeign ? null : errors]).toEqual(isForeign ? ['validation_failed', null] : [null, undefined])
    const columns = isForeign ? [] : columnsOf(update, field)
    expect(columns).toEqual(expect.arrayContaining(changed))
    expect(changed.length > 0).toBe(columns.length > 0)
  })

  test.each(fields)('with null for %s removes its value, or changes nothing', async (field) => {
    const { update, after, refusal, changed } = await send(name, () => ({ [field]: null }))
    expect(refusal).toBeOneOf([null, 'validation_failed'])
    expect(refusal === null ? columnsOf(update, field) : []).toEqual(expect.arrayContaining(changed))
    // Null for the products of a member means all of them, and a provider whose client changed must be tested again.
    const values = changed
      .filter((column) => !['all_applications', 'applications'].includes(column))
      .map((column) => [column, after[column]])
    expect(values).toEqual(values.map(([column]) => [column, null]))
  })
})
