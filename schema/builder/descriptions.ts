import SchemaBuilder, { BasePlugin } from '@pothos/core'
import type { PothosInputFieldConfig, PothosOutputFieldConfig, PothosTypeConfig, SchemaTypes } from '@pothos/core'
import { getNamedType, isInputObjectType, isObjectType } from 'graphql'
import type { GraphQLField, GraphQLNamedType, GraphQLObjectType, GraphQLSchema } from 'graphql'
import { z } from 'zod'
import type PrismaTypes from '../../prisma/generated/pothos.ts'
import { getDatamodel } from '../../prisma/generated/pothos.ts'

// The Prisma plugin copies the `///` comments of schema.prisma to the fields that `builder.prismaObject` exposes. This
// plugin does the same for types whose rows come from hand-written SQL, for input types and for computed fields.

type ModelName = keyof PrismaTypes
type FieldName = {
  [Name in ModelName]: `${Name}.${keyof PrismaTypes[Name]['Shape'] & string}` | `${Name}.${PrismaTypes[Name]['RelationName']}`
}[ModelName]

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      descriptions: DescriptionsPlugin<Types>
    }
    interface BaseTypeOptions {
      /** The model whose comment describes this type, and each of its fields of the same name that has no other description. */
      describedBy?: ModelName
    }
    interface FieldOptions {
      /** The field of a model whose comment describes this field, such as `Invoice.application`. */
      describedBy?: FieldName
    }
    interface InputFieldOptions {
      /** The field of a model whose comment describes this field, such as `Invoice.application`. */
      describedBy?: FieldName
    }
  }
}

const documented = z.object({ documentation: z.string().optional() })
const models = z
  .record(z.string(), documented.extend({ fields: z.array(documented.extend({ name: z.string() })) }))
  .parse(getDatamodel().datamodel.models)
interface Described {
  describedBy?: string
}

class DescriptionsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onTypeConfig(type: PothosTypeConfig): PothosTypeConfig {
    const { describedBy }: Described = type.pothosOptions
    const description = type.description ?? (describedBy === undefined ? undefined : readDescription(describedBy))
    return { ...type, description }
  }

  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>) {
    const exposed = field.extensions?.pothosExposedField
    return this.#describe(field, field.parentType, typeof exposed === 'string' ? exposed : field.name)
  }

  override onInputFieldConfig(field: PothosInputFieldConfig<Types>) {
    const isArgument = field.parentField !== undefined
    return this.#describe(field, isArgument ? null : field.parentType, field.name)
  }

  override afterBuild(schema: GraphQLSchema): GraphQLSchema {
    describeByUse(schema)
    return schema
  }

  #describe<Field extends PothosInputFieldConfig<Types> | PothosOutputFieldConfig<Types>>(
    field: Field,
    parentType: string | null,
    modelField: string,
  ): Field {
    if (field.description) return field
    if (field.name === 'input' && parentType === null) return { ...field, description: 'What to change.' }
    const { describedBy }: Described = field.pothosOptions
    const parent: Described = parentType === null ? {} : this.buildCache.getTypeConfig(parentType).pothosOptions
    const source = describedBy ?? (parent.describedBy && `${parent.describedBy}.${modelField}`)
    return source === undefined ? field : { ...field, description: readDescription(source) }
  }
}

/** Returns the `///` comment of a model, or of a field such as `Invoice.application`. */
function readDescription(name: string): string {
  const [modelName = '', fieldName] = name.split('.')
  const model = models[modelName]
  const described = fieldName === undefined ? model : model?.fields.find((field) => field.name === fieldName)
  if (described?.documentation === undefined) throw new Error(`schema.prisma does not describe ${name}`)
  return described.documentation
}

/** Describes the types that are derived from others: the inputs of mutations, and the types of lists. Existing descriptions are kept. */
function describeByUse(schema: GraphQLSchema): void {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type)) type.description ??= ofInput(mutations.filter((mutation) => takes(mutation, type)))
    if (isObjectType(type)) type.description ??= ofListType(type)
  }
}

const takes = (mutation: GraphQLField<unknown, unknown>, type: GraphQLNamedType) =>
  mutation.args.some((argument) => getNamedType(argument.type) === type)

function ofInput(mutations: readonly GraphQLField<unknown, unknown>[]): string | undefined {
  const [first] = mutations
  if (!first) return undefined
  const names = mutations.map(({ name }) => `\`${name}\``)
  const purpose = mutations.length === 1 ? getPurpose(first) : '.'
  return `The input of ${new Intl.ListFormat('en').format(names)}${purpose}`
}

/** Returns the purpose of a mutation, from the first sentence of its description. */
function getPurpose({ description }: GraphQLField<unknown, unknown>): string {
  const sentence = /^[^]*?[.](?= |\n|$)/.exec(description ?? '')?.[0]
  return sentence === undefined ? '.' : `, which ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}

/** Describes a page, a connection or an edge of a connection by the type of its resources. */
function ofListType(type: GraphQLObjectType): string | undefined {
  const { nodes, node, edges } = type.getFields()
  if (edges && nodes)
    return `A part of a list of \`${getNamedType(nodes.type).name}\` between two cursors, as defined by the Relay specification.`
  if (nodes) return `One page of a list of \`${getNamedType(nodes.type).name}\`, by its number.`
  return node && `An edge of a connection: a resource of type \`${getNamedType(node.type).name}\` and its cursor.`
}

SchemaBuilder.registerPlugin('descriptions', DescriptionsPlugin)
