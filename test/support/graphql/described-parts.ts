import { isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'
import type { GraphQLNamedType } from 'graphql'
import { schema } from '../../../schema/index.ts'

interface Described {
  name: string
  description: string | null | undefined
}
/** All types of the schema, without those of introspection. */
export const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))

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

/** Everything in the schema that has a description. */
export const describedParts = (): Described[] => types.flatMap(partsOf)
