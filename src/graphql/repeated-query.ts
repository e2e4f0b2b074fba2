import type { Request } from 'express'
import { GraphQLError } from 'graphql'
import type { Context } from '../../schema/core/context.ts'
import { inOperation } from '../../schema/core/tracing.ts'
import type { DocumentCache } from './documents/document-cache.ts'
import { charge, newBudget } from './limits.ts'
import { isRecord } from './record.ts'

/**
 * Executes a query in its compiled form. Returns null for a document that is not compiled, for invalid parameters, and for a result with
 * errors: yoga then handles the request (docs/decisions/graphql.md#compiled-queries).
 */
export async function executeRepeatedQuery(
  { headers }: Request,
  parameters: unknown,
  documents: DocumentCache,
  context: Context,
): Promise<{ mediaType: string; text: string } | null> {
  const mediaType = mediaTypeOf(headers.accept)
  if (mediaType === null || !isRecord(parameters)) return null
  const { query, variables, operationName, extensions, ...others } = parameters
  const hasOthers = Object.keys(others).length > 0
  if (typeof query !== 'string' || hasOthers || !isRecord(variables ?? {}) || !isRecord(extensions ?? {})) return null
  const compiled = documents.getCompiled(query)
  if (!compiled || (operationName ?? compiled.operationName) !== compiled.operationName) return null
  const values = isRecord(variables) ? variables : {}
  // `charge` throws for invalid variables. Yoga then reports them.
  const cost = await charge({ document: compiled.document, variables: values }, context, newBudget()).catch(() => null)
  const data =
    cost === null || cost instanceof GraphQLError
      ? null
      : await inOperation(context, compiled.document, compiled.operationName, () => compiled.execute(values, context))
  return data && { mediaType, text: JSON.stringify({ data, extensions: { cost } }) }
}

const json = 'application/json'
const graphqlJson = 'application/graphql-response+json'
const mediaTypes = new Map([[graphqlJson, graphqlJson], ...[json, 'application/*', '*/*'].map((range) => [range, json] as const)])

/** The media type with which yoga would respond to an `Accept` header field: that of the first supported range. Null where yoga must decide. */
function mediaTypeOf(accept = '*/*'): string | null {
  const ranges = accept.replaceAll(/\s/g, '').toLowerCase().split(',')
  const matching = ranges.map((range) => mediaTypes.get(range.split(';', 1)[0] ?? ''))
  return accept.includes('charset') ? null : (matching.find((mediaType) => mediaType !== undefined) ?? null)
}
