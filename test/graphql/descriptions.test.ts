import { getNamedType, isInputObjectType, isObjectType, isScalarType, isSpecifiedScalarType } from 'graphql'
import type { GraphQLArgument, GraphQLInputField } from 'graphql'
import { expect, test } from 'vitest'
import { describedParts, types } from '../support/graphql/described-parts.ts'

test('every type, field, argument and enum value of the schema has a description', () => {
  const parts = describedParts()
  expect(parts.length).toBeGreaterThan(800)
  expect(parts.filter(({ description }) => !description).map(({ name }) => name)).toEqual([])
})

test('every input, payload and list type has a description that no other has', () => {
  const derived = types.filter(({ name }) => /(?:Input|Payload|Page|Edge|Connection)$/.test(name))
  const byDescription = Map.groupBy(derived, ({ description }) => description)
  const repeated = [...byDescription.values()].filter(({ length }) => length > 1)
  expect(repeated.map((same) => same.map(({ name }) => name))).toEqual([])
})

test('arguments and input fields that name a time are scalars of time', () => {
  const inputs = types.flatMap((type): (GraphQLArgument | GraphQLInputField)[] => {
    if (isInputObjectType(type)) return Object.values(type.getFields())
    return isObjectType(type) ? Object.values(type.getFields()).flatMap(({ args }) => args) : []
  })
  const times = inputs.filter(({ name }) => /^(?:since|until)$|(?:At|Before|After|Since|Until)$/.test(name))
  expect(times.length).toBeGreaterThan(5)
  expect(times.filter(({ type }) => !['DateTime', 'Date'].includes(getNamedType(type).name)).map(({ name }) => name)).toEqual([])
})

test('every scalar of our own names its specification', () => {
  const scalars = types.filter(isScalarType).filter((scalar) => !isSpecifiedScalarType(scalar))
  expect(scalars.map(({ name, specifiedByURL }) => [name, URL.canParse(specifiedByURL ?? '')])).toEqual([
    ['DateTime', true],
    ['Date', true],
    ['MinorUnits', true],
    ['JSON', true],
  ])
})
