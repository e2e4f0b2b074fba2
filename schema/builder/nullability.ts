import SchemaBuilder, { BasePlugin } from '@pothos/core'
import type { PothosOutputFieldConfig, SchemaTypes } from '@pothos/core'
import { DirectiveLocation, GraphQLDirective, GraphQLInt, GraphQLList, GraphQLNonNull, isNullableType } from 'graphql'
import type { GraphQLField, GraphQLFieldConfig, GraphQLOutputType } from 'graphql'

// A field that can be refused is nullable, so that an error in it leaves the rest of the response (docs/decisions/graphql.md#nullability).
// Callers that discard a response with errors, such as this service, never see the null. Therefore the schema keeps the declared type as a
// directive that Relay, Apollo Kotlin and code generators support. The types of our own operations are derived from it.

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      nullability: NullabilityPlugin<Types>
    }
  }
}

const semanticNonNull = new GraphQLDirective({
  name: 'semanticNonNull',
  description: 'The field is null only if the response has an error with its path.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    levels: {
      type: new GraphQLList(GraphQLInt),
      default: { value: [0] },
      description: 'The levels of lists that the directive applies to; 0 is the field itself.',
    },
  },
})

/** The directive for fields of payloads (payload-type.ts). Our own operations throw refusals, so for them these fields are never null. */
const nonNullOnSuccess = new GraphQLDirective({
  name: 'nonNullOnSuccess',
  description: 'The field of a payload is null only if the payload has `errors`.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
})

export const nullabilityDirectives = [semanticNonNull, nonNullOnSuccess]

class NullabilityPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>) {
    const isOfPayload = this.buildCache.getTypeConfig(field.parentType).extensions?.isPayload === true && field.name !== 'errors'
    const directive = isOfPayload ? nonNullOnSuccess : canBeRefused(field) ? semanticNonNull : null
    if (field.type.nullable || !directive) return field
    const extensions = { ...field.extensions, directives: { [directive.name]: {} } }
    return { ...field, type: { ...field.type, nullable: true }, extensions }
  }
}

/** Returns true if a caller can get an error for the field itself: for a missing permission, an argument, or a refused change. */
const canBeRefused = <Types extends SchemaTypes>({ kind, args, pothosOptions }: PothosOutputFieldConfig<Types>) =>
  kind === 'Mutation' || 'requires' in pothosOptions || Object.keys(args).length > 0

/** Returns the directives of a field in the printed schema. */
export function listDirectives({ extensions }: Pick<GraphQLFieldConfig<unknown, unknown>, 'extensions'>): object {
  const directives = extensions?.directives
  return typeof directives === 'object' && directives !== null ? directives : {}
}

/** Returns the type of a field for operations that throw on any error. */
export const typeWithoutErrors = (field: GraphQLField<unknown, unknown>): GraphQLOutputType =>
  isNullableType(field.type) && nullabilityDirectives.some(({ name }) => name in listDirectives(field))
    ? new GraphQLNonNull(field.type)
    : field.type

SchemaBuilder.registerPlugin('nullability', NullabilityPlugin)
