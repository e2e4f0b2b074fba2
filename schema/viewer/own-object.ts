import type { ObjectRef } from '@pothos/core'
import type { Types } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { parseIdentifier } from '../core/global-id.ts'
import type { Requirement } from '../core/requires.ts'
import { requirePerson } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import type { ViewerType } from './viewer.ts'

/** Returns the owner of a list at `viewer`. */
export const ofViewer = (_: unknown, context: Context): string => requirePerson(context).user.id

interface OwnObject<Node extends ObjectRef<Types, unknown>> {
  description: string
  requires: Requirement
  type: Node
  /** Noun for the object, in descriptions. */
  noun: string
  find: (context: Context, id: string, userId: string) => Promise<Node['$inferType'] | null>
}

/** Declares a field of `viewer` that returns one object of the user by its identifier or global id, or throws `not_found`. */
export function ownObject<Node extends ObjectRef<Types, unknown>>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, typeof ViewerType.$inferType>,
  { description, requires, type, noun, find }: OwnObject<Node>,
) {
  return t.field({
    description,
    requires,
    type,
    args: { id: t.arg.id({ required: true, description: `The ${noun}’s identifier.` }) },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot resolve Pothos' shape of a generic node
    resolve: (async (viewer: typeof ViewerType.$inferType, args: { id: string }, context: Context) => {
      const id = parseIdentifier(args.id, [type.name])
      const object = viewer.kind === 'user' && isIdentifier(id) ? await find(context, id, viewer.user.id) : null
      if (!object) throw notFound()
      return object
    }) as () => never,
  })
}
