import type { ObjectRef } from '@pothos/core'
import type { Types } from '../builder/builder.ts'
import { addGlobalId } from '../builder/node.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { loadBatched } from '../lists/batch.ts'
import { throughField } from './through-field.ts'

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
