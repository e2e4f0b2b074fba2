import { brandWithType, getTypeBrand } from '@pothos/core'
import type { MaybePromise, ObjectRef } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import { z } from 'zod'
import { builder } from './builder.ts'
import type { Types } from './builder.ts'
import type { Context } from '../core/context.ts'
import { DomainError, notFound } from '../core/errors.ts'
import { globalId, parseGlobalId } from '../core/global-id.ts'
import type { ObjectKey } from '../core/global-id.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { parse } from '../core/validation.ts'

/** The key of an object, and the function that loads it by its key, with the checks of the field through which other queries read it. */
interface Identity<Row> {
  key(row: Row, context: Context): MaybePromise<readonly string[]>
  /** Returns the object. Throws the errors of that field, and `not_found` if the field returns null. */
  load(context: Context, key: readonly string[], info: GraphQLResolveInfo): MaybePromise<Row | null>
}

type Load = (context: Context, key: readonly string[], info: GraphQLResolveInfo) => Promise<object>
const loads = new Map<string, Load>()

const NodeType = builder.interfaceRef<object>('Node').implement({
  description: 'An object with an identity. Objects with the same `id` are the same, wherever they appear.',
  resolveType: (value) => {
    const ref = getTypeBrand(value)
    return ref === null || typeof ref === 'string' ? ref : builder.configStore.getTypeConfig(ref).name
  },
  fields: (t) => ({
    id: t.id({
      description: 'The global identifier: opaque, and unique among the objects of all types.',
      resolve: () => {
        throw new Error('each type has its own resolver')
      },
    }),
  }),
})

/** Gives the objects of a type a global id, by which `node` and `nodes` find them. */
export function addGlobalId<Row extends object>(ref: ObjectRef<Types, Row>, { key, load }: Identity<Row>): void {
  const type = ref.name
  ref.addInterfaces([NodeType])
  builder.objectField(ref, 'id', (t) =>
    t.id({
      description: 'The global identifier: opaque, and unique among the objects of all types.',
      resolve: async (row, _, context) => globalId({ type, key: await key(row, context) }),
    }),
  )
  loads.set(type, async (context, parts, info) => {
    const row = await load(context, parts, info)
    // A key with additional parts would be a second id of the object.
    if (!row || (await key(row, context)).length !== parts.length) throw notFound()
    brandWithType(row, ref)
    return row
  })
}

/** Returns the object of a type with this key; null if there is none, or if the caller may not see it. */
export async function findNode(context: Context, { type, key }: ObjectKey, info: GraphQLResolveInfo): Promise<object | null> {
  const load = loads.get(type)
  if (!load) throw new Error(`no ${type} has a global id`)
  try {
    return await load(context, key, info)
  } catch (error) {
    if (error instanceof DomainError && error.code !== 'unavailable') return null
    throw error
  }
}

async function loadNode(context: Context, id: string, info: GraphQLResolveInfo): Promise<object> {
  requirePrincipal(context)
  const object = parseGlobalId(id)
  const load = object && loads.get(object.type)
  if (!load) throw notFound()
  return load(context, object.key, info)
}

const maxNodes = 100
const nodesRules = z.object({ ids: z.array(z.string()).max(maxNodes) })

builder.queryFields((t) => ({
  node: t.field({
    description: 'The object with a global id. It needs the permissions of the field through which other queries find the object.',
    type: NodeType,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The global id.' }) },
    resolve: (_, { id }, context, info) => loadNode(context, id, info),
  }),
  nodes: t.field({
    description: `The objects with these global ids, at most ${maxNodes}, in this order. One that is refused is null and has an error.`,
    type: [NodeType],
    nullable: { list: false, items: true },
    complexity: ({ ids }) => ({ field: 1, multiplier: Math.max(ids.length, 1) }),
    args: { ids: t.arg.idList({ required: true, description: 'The global ids.' }) },
    resolve: (_, args, context, info) => parse(nodesRules, args).ids.map((id) => loadNode(context, id, info)),
  }),
}))
