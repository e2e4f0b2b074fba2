import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { prepareDocument, run } from '../../../schema/execute.ts'
import type { Requirement } from '../../../schema/core/requires.ts'
import type { DownloadedFile } from '../../web/files/send-file.ts'
import type { PageContext } from './page-context.ts'

interface DownloadDeclaration<Data, Variables> {
  path: string
  document: TypedDocumentNode<Data, Variables>
  variables(ctx: PageContext): Variables
  file(data: Data, ctx: PageContext): Promise<DownloadedFile>
}

/** A file made from one query, as the server executes it. */
export interface Download {
  path: string
  /** Requirements of its query, if it is one query. Others are checked when the file is loaded. */
  requirements?: readonly Requirement[]
  load(ctx: PageContext): Promise<DownloadedFile>
}

/** Declares a file that signed-in users can download. */
export function download<Data, Variables extends Readonly<Record<string, unknown>>>(
  declaration: DownloadDeclaration<Data, Variables>,
): Download {
  const { path, document, variables, file } = declaration
  const operation = prepareDocument(document)
  const { requirements } = operation
  return { path, requirements, load: async (ctx) => file(await run<Data>(operation, variables(ctx), ctx.graphqlContext), ctx) }
}
