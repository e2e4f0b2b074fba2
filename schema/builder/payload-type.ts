import type { FieldMap } from '@pothos/core'
import { builder } from './builder.ts'
import type { Types } from './builder.ts'
import { RefusedPayload, refusalTypes } from './refusals-plugin.ts'
import type { Refusal } from './refusals-plugin.ts'

const FieldErrorType = builder.objectRef<{ field: string; messages: string[] }>('FieldError').implement({
  description: 'What is wrong with one field of the input.',
  fields: (t) => ({
    field: t.exposeString('field', {
      description: 'Name of the field. For an item of a list, its index follows, as in `accessibleAppIds.1`.',
    }),
    messages: t.exposeStringList('messages', { description: 'The messages about the field, for people.' }),
  }),
})

const MutationErrorType = builder.interfaceRef<Refusal>('MutationError').implement({
  description: 'The reason for which a mutation was refused, which the caller can correct. Nothing was changed.',
  resolveType: ({ code }) => refusalTypes[code],
  fields: (t) => ({
    message: t.exposeString('message', { description: 'A message for people.' }),
    code: t.exposeString('code', { description: 'The code of the error, as in REST: for example `last_owner`.' }),
    requestId: t.string({
      description: 'Identifier of the request, as in `X-Request-Id`. Quote it when you contact the operator.',
      resolve: (_, __, { requestId }) => requestId,
    }),
    errors: t.field({
      description: 'The messages by field of the input. Empty for `NotFoundError`.',
      type: [FieldErrorType],
      resolve: ({ errors }) => Object.entries(errors).map(([field, messages]) => ({ field, messages })),
    }),
  }),
})

const descriptions: Record<(typeof refusalTypes)[keyof typeof refusalTypes], string> = {
  ValidationError: 'A field of the input is invalid.',
  LastOwnerError: 'The change would leave a team without an owner.',
  AlreadyMemberError: 'The person already belongs to the team.',
  NotFoundError: 'The caller can change no object with the identifier in the input.',
}
for (const [name, description] of Object.entries(descriptions))
  builder.objectRef<Refusal>(name).implement({ description, interfaces: [MutationErrorType] })

type Fields<Shape> = (t: PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>) => FieldMap

/** Creates the type of a mutation's payload. Every payload has `errors`; if there is one, the fields are null for callers of `/graphql`. */
export const payloadType = <Shape extends object>(name: string, { description, fields }: { description: string; fields: Fields<Shape> }) =>
  builder.objectRef<Shape>(name).implement({
    description,
    extensions: { isPayload: true },
    fields: (t) => ({
      ...fields(t),
      errors: t.field({
        description:
          'The reasons for which the mutation was refused, which the caller can correct; the other fields are then null. Empty if the mutation succeeded.',
        type: [MutationErrorType],
        resolve: (payload) => (payload instanceof RefusedPayload ? [payload.refusal] : []),
      }),
    }),
  })
