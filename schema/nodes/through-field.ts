import type { ObjectRef } from '@pothos/core'
import { isObjectType } from 'graphql'
import type { GraphQLResolveInfo } from 'graphql'
import type { Types } from '../builder/builder.ts'
import { addGlobalId } from '../builder/node.ts'
import type { Context } from '../core/context.ts'
import { findRequirement } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { loadBatched } from '../lists/batch.ts'

/** A field, such as `Team.member`, and the type of the objects that it returns. */
interface Field {
  parent: 'Query' | 'Viewer' | 'Team' | 'TeamInvoice'
  field: string
  type: string
}

function getField({ parent, field }: Pick<Field, 'parent' | 'field'>, { schema }: GraphQLResolveInfo) {
  const type = schema.getType(parent)
  const definition = isObjectType(type) ? type.getFields()[field] : undefined
  if (!definition) throw new Error(`there is no field ${parent}.${field}`)
  return definition
}

/**
 * Resolves a field, so that reading an object by its global id has the same checks and errors as reading it through the field that other
 * queries use.
 */
export async function throughField<Result>(
  field: Field,
  parent: object,
  args: object,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Result> {
  const returnType = info.schema.getType(field.type)
  const { resolve } = getField(field, info)
  if (!resolve || !isObjectType(returnType)) throw new Error(`${field.parent}.${field.field} returns no ${field.type}`)
  // The Prisma plugin reads which fields of the returned type are selected.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the field returns objects of this type
  return (await resolve(parent, args, context, { ...info, returnType })) as Result
}

/** Returns the requirement of a field, for an object that only a list contains. */
export function requirementOfField(field: Pick<Field, 'parent' | 'field'>, info: GraphQLResolveInfo): Requirement {
  const requirement = findRequirement(getField(field, info).extensions)
  if (!requirement) throw new Error(`${field.parent}.${field.field} requires nothing`)
  return requirement
}

interface InList<Row> {
  /** The type of the field that returns the list. */
  parent: 'Query' | 'Viewer'
  field: string
  getKey(row: Row): string
}

/** Adds a global id to the objects of a short list that has no field for a single object. A request reads the list once. */
export function identifyInList<Row extends object>(ref: ObjectRef<Types, Row>, { parent, field, getKey }: InList<Row>): void {
  addGlobalId<Row>(ref, {
    key: (row) => [getKey(row)],
    async load(context, [key = ''], info) {
      const load = async () => {
        const source = parent === 'Viewer' ? requirePrincipal(context) : {}
        const rows = await throughField<Row[]>({ parent, field, type: ref.name }, source, {}, context, info)
        return new Map(rows.map((row) => [getKey(row), row]))
      }
      return (await loadBatched(context, `node ${ref.name}`, key, load)) ?? null
    },
  })
}
