import { Kind, valueFromASTUntyped } from 'graphql'
import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql'
import type { Prisma } from '../../prisma/generated/client/client.ts'
import { inTransaction } from '../../prisma/transaction.ts'
import { writeAuditEntry } from '../core/audit.ts'
import type { Context } from '../core/context.ts'

type Selection = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>

/** A document with many fields must not make an entry any larger. */
const maxFields = 200

/**
 * Writes one audit entry for each field of `staff` that the document selects, before anything is read: without the entry nothing is
 * returned. It has the arguments and the selected fields with theirs. Directives are not evaluated: a field that `@skip` removes is
 * recorded, too.
 */
export async function auditReading(context: Context, info: Selection): Promise<void> {
  const readings = info.fieldNodes
    .flatMap(({ selectionSet }) => fieldsOf(selectionSet, info))
    .filter(({ name }) => name.value !== '__typename')
  if (readings.length === 0) return
  await inTransaction(context.database, async (transaction) => {
    for (const reading of readings) {
      const args = argumentsOf(reading, info)
      const fields = [...new Set(pathsOf(reading.selectionSet, info, ''))]
      writeAuditEntry(transaction, context, 'readAsStaff', {
        subject: [args['slug'], args['id']].find((each) => typeof each === 'string') ?? reading.name.value,
        subjectName: reading.name.value,
        after: { arguments: args, fields: fields.slice(0, maxFields) },
      })
    }
  })
}

/** The fields of a selection, those of fragments among them. */
function fieldsOf(selectionSet: SelectionSetNode | undefined, { fragments }: Pick<Selection, 'fragments'>): FieldNode[] {
  return (selectionSet?.selections ?? []).flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection]
    const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value]
    return fieldsOf(inner?.selectionSet, { fragments })
  })
}

/** The path of each leaf, with the arguments on the way: `members(search: "ada").nodes.email`. */
function pathsOf(selectionSet: SelectionSetNode | undefined, info: Selection, prefix: string): string[] {
  return fieldsOf(selectionSet, info).flatMap((field) => {
    const args = Object.entries(argumentsOf(field, info)).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    const path = `${prefix}${field.name.value}${args.length > 0 ? `(${args.join(', ')})` : ''}`
    return field.selectionSet ? pathsOf(field.selectionSet, info, `${path}.`) : [path]
  })
}

/** The arguments of a field as JSON, with the values of variables. */
function argumentsOf({ arguments: args = [] }: FieldNode, { variableValues }: Selection): Prisma.InputJsonObject {
  const values = Object.fromEntries(args.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variableValues.coerced)]))
  const text = JSON.stringify(values, (_, value: unknown) => (typeof value === 'string' ? recordable(value) : value))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was an object
  return JSON.parse(text) as Prisma.InputJsonObject
}

/**
 * A text that PostgreSQL can store, of limited length. A search for a token's value must not leave the value in the trail: it is cut
 * to the hint by which lists show the token.
 */
const recordable = (text: string): string =>
  text
    .replaceAll(/([pt]at_)[0-9A-Za-z]*?([0-9A-Za-z]{4})(?![0-9A-Za-z])/g, '$1…$2')
    .replaceAll('\0', '\ufffd')
    .slice(0, 255)
    .toWellFormed()
