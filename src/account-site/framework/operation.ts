import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { Requirement } from '../../../schema/core/requires.ts'
import { prepareDocument, run } from '../../../schema/execute.ts'
import type { PageContext } from './page-context.ts'

/** An operation that a handler executes itself, because it executes it several times or together with others. */
export interface SiteOperation<Data, Variables> {
  requirements: readonly Requirement[]
  run(variables: Variables, ctx: PageContext): Promise<Data>
}

/** Prepares an operation. The build has validated its document. */
export function siteOperation<Data, Variables extends Readonly<Record<string, unknown>>>(
  document: TypedDocumentNode<Data, Variables>,
): SiteOperation<Data, Variables> {
  const prepared = prepareDocument(document)
  return { requirements: prepared.requirements, run: (variables, ctx) => run<Data>(prepared, variables, ctx.graphqlContext) }
}
