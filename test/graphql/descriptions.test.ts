import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, isScalarType, isSpecifiedScalarType } from 'graphql'
import type { GraphQLNamedType } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../schema/index.ts'

interface Described {
  name: string
  description: string | null | undefined
}
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))

/** A type, its fields, their arguments and its values, with their names as coordinates of the schema. */
function partsOf(type: GraphQLNamedType): Described[] {
  const inside = ({ name, description }: Described, of = type.name) => ({ name: `${of}.${name}`, description })
  if (isEnumType(type)) return [type, ...type.getValues().map((value) => inside(value))]
  if (isInputObjectType(type)) return [type, ...Object.values(type.getFields()).map((field) => inside(field))]
  if (!isObjectType(type) && !isInterfaceType(type)) return [type]
  const fields = Object.values(type.getFields())
  const argumentsOf = fields.flatMap((field) => field.args.map((argument) => inside(argument, `${type.name}.${field.name}`)))
  return [type, ...fields.map((field) => inside(field)), ...argumentsOf]
}

test('every type, field, argument and enum value of the schema has a description', () => {
  const parts = types.flatMap(partsOf)
  expect(parts.length).toBeGreaterThan(800)
  expect(parts.filter(({ description }) => !description).map(({ name }) => name)).toEqual([])
})

test('every scalar of our own names its specification', () => {
  const scalars = types.filter(isScalarType).filter((scalar) => !isSpecifiedScalarType(scalar))
  expect(scalars.map(({ name, specifiedByURL }) => [name, URL.canParse(specifiedByURL ?? '')])).toEqual([
    ['DateTime', true],
    ['Date', true],
    ['MinorUnits', true],
  ])
})
