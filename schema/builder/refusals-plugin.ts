import SchemaBuilder, { BasePlugin } from '@pothos/core'
import type { PothosOutputFieldConfig, SchemaTypes } from '@pothos/core'
import type { GraphQLFieldResolver } from 'graphql'
import type { Context } from '../core/context.ts'
import { DomainError } from '../core/errors.ts'
import type { ErrorCode, FieldErrors } from '../core/errors.ts'

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      refusals: RefusalsPlugin<Types>
    }
  }
}

/** The names of the payload types for refusals of a mutation that its caller can act on, by error code. */
export const refusalTypes = {
  validation_failed: 'ValidationError',
  last_owner: 'LastOwnerError',
  already_member: 'AlreadyMemberError',
  not_found: 'NotFoundError',
} as const satisfies { [Code in ErrorCode]?: string }
type RefusalCode = keyof typeof refusalTypes

/** An error with one of these codes, as a value, because graphql would throw an `Error` that a resolver returns. */
export interface Refusal {
  code: RefusalCode
  message: string
  errors: FieldErrors
}

/** The payload of a refused mutation, of which all fields but `errors` are null. */
export class RefusedPayload {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    this.refusal = refusal
  }
}

const isRefusalCode = (code: ErrorCode): code is RefusalCode => Object.hasOwn(refusalTypes, code)

/**
 * Returns refusals of mutations as payloads for the callers of `/graphql`. All other callers get the error, which ends their
 * operation (docs/decisions/graphql.md#errors).
 */
class RefusalsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { kind, name, parentType }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (this.buildCache.getTypeConfig(parentType).extensions?.isPayload === true && name !== 'errors')
      return (parent, args, context, info) => (parent instanceof RefusedPayload ? null : resolve(parent, args, context, info))
    if (kind !== 'Mutation') return resolve
    return (parent, args, contextValue, info) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builder's options fix the type of the context
      const context = contextValue as Context
      return context.refusalsInPayload
        ? withRefusal(async () => resolve(parent, args, contextValue, info))
        : resolve(parent, args, contextValue, info)
    }
  }
}

async function withRefusal(mutate: () => Promise<unknown>): Promise<unknown> {
  try {
    return await mutate()
  } catch (error) {
    if (!(error instanceof DomainError) || !isRefusalCode(error.code)) throw error
    const { code, message, details } = error
    return new RefusedPayload({ code, message, errors: details.errors ?? {} })
  }
}

SchemaBuilder.registerPlugin('refusals', RefusalsPlugin)
