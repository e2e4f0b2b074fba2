import { buildSchema, isInputObjectType, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { readSchemaBaseline, readDeclaredChanges, schemaProblems } from '../../build/schema-baseline.ts'
import { publicSchema } from '../../schema/public-schema.ts'

test('the schema has no breaking change since the last release that is not declared in schema/breaking-changes.json', () => {
  const today = new Date().toISOString().slice(0, 10)
  expect(schemaProblems(readSchemaBaseline(), publicSchema(), readDeclaredChanges(), today)).toEqual([])
})

test('every deprecation says what to use and when the part is removed', () => {
  const parts = Object.values(publicSchema().getTypeMap()).flatMap((type) =>
    isObjectType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : [],
  )
  const reasons = parts.flatMap(({ deprecationReason }) => deprecationReason ?? [])
  expect(reasons.filter((reason) => !/^Use .+\. Removed on \d{4}-\d\d-\d\d\.$/.test(reason))).toEqual([])
})

describe('a change of the schema', () => {
  const baseline = buildSchema('type Query { kept: Int removed(first: Int): Int } enum Color { RED BLUE }')
  const changed = buildSchema('type Query { kept: Int! added: String } enum Color { RED BLUE GREEN }')
  const removal = {
    change: 'Field Query.removed was removed.',
    reason: 'Nobody uses it.',
    announced: '2026-01-31',
    effective: '2026-08-01',
  }
  const problems = (declared = [removal], current = changed) => schemaProblems(baseline, current, declared, '2026-08-01')

  test('that breaks clients fails unless it is declared', () => {
    expect(problems([])).toEqual(['not declared: Field Query.removed was removed.'])
    expect(problems()).toEqual([])
  })

  test('that only adds to the schema needs no declaration', () => {
    expect(
      problems([], buildSchema('type Query { kept: Int! removed(first: Int, last: Int): Int added: Int } enum Color { RED BLUE GREEN }')),
    ).toEqual([])
  })

  test('fails if it comes before its date, was announced too late, or was not made', () => {
    expect(problems([{ ...removal, effective: '2026-08-02' }])).toEqual(['made before 2026-08-02: Field Query.removed was removed.'])
    expect(problems([{ ...removal, announced: '2026-03-01' }])).toEqual([
      'announced less than 6 months before: Field Query.removed was removed.',
    ])
    expect(problems([removal], baseline)).toEqual(['declared, but not made: Field Query.removed was removed.'])
  })
})
