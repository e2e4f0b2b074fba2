import { printSchemaWithDirectives } from '@graphql-tools/utils'
import type { Router } from 'express'
import { GraphQLError, execute } from 'graphql'
import type { DocumentNode, ExecutionResult } from 'graphql'
import type { Context } from '../../../schema/core/context.ts'
import { publicSchema } from '../../../schema/public-schema.ts'
import { selectsField } from './count-selections.ts'
import { validateDocument } from './validate-document.ts'
import { sendText } from '../send-text.ts'

/** Returns true if a document selects the schema. `__typename` does not count. */
export const isIntrospection = (document: DocumentNode): boolean => selectsField(document, ['__schema', '__type'])

/** Executes a document with introspection on the schema that HTTP shows. */
export function executeIntrospection(
  document: DocumentNode,
  variableValues: Readonly<Record<string, unknown>>,
  contextValue: Context,
  operationName?: string | null,
): ExecutionResult | Promise<ExecutionResult> {
  const schema = publicSchema()
  const errors = validateDocument(schema, document)
  return errors.length > 0
    ? { errors: errors.map(asValidationError) }
    : execute({ schema, document, variableValues, contextValue, operationName })
}

const asValidationError = ({ message, nodes }: GraphQLError) =>
  new GraphQLError(message, { nodes, extensions: { code: 'graphql_validation_failed' } })

/** Serves the schema in the schema definition language. Like the OpenAPI document, it contains no data and needs no authentication. */
export function serveSchema(router: Router): void {
  let text: string | undefined
  router.get('/schema.graphql', (request, response) => {
    text ??= `${printSchemaWithDirectives(publicSchema())}\n`
    response.set('Access-Control-Allow-Origin', '*')
    sendText(request, response, 'text/plain', text)
  })
}
