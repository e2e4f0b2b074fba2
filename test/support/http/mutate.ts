import { Kind, OperationTypeNode, parse, print, visit } from 'graphql'
import type { FieldNode, SelectionNode } from 'graphql'
import type { TestService } from '../service/service.ts'
import { graphql } from './graphql.ts'

export interface Refusal {
  code: string
  message: string
  errors?: Record<string, string[]> | undefined
}

const [errorSelection] = selectionsOf('{ errors { message code errors { field messages } } }')

/** Sends a document and returns its first refusal: in the payload of a mutation, or at the top level. `data` has no `errors`. */
export async function mutate(
  service: Pick<TestService, 'url'>,
  token: string | null,
  document: string,
  variables: Record<string, unknown> = {},
) {
  const { data, errors, ...response } = await graphql(service, token, withErrors(document), variables)
  const refusals: Refusal[] = errors.map(({ message, extensions }) => ({
    message,
    code: extensions?.code ?? '',
    errors: extensions?.errors,
  }))
  for (const payload of Object.values<any>(data ?? {})) {
    for (const { message, code, errors: fields } of payload?.errors ?? [])
      refusals.push({ message, code, errors: Object.fromEntries(fields.map(({ field, messages }: any) => [field, messages])) })
    if (payload) delete payload.errors
  }
  return { ...response, data, refusal: refusals[0] ?? null }
}

/** The document with `errors` selected in the payload of each of its mutations. */
export function withErrors(document: string): string {
  const addTo = (field: SelectionNode): SelectionNode =>
    field.kind === Kind.FIELD && field.selectionSet && errorSelection
      ? { ...field, selectionSet: { ...field.selectionSet, selections: [...field.selectionSet.selections, errorSelection] } }
      : field
  return print(
    visit(parse(document), {
      OperationDefinition: (operation) =>
        operation.operation === OperationTypeNode.MUTATION
          ? { ...operation, selectionSet: { ...operation.selectionSet, selections: operation.selectionSet.selections.map(addTo) } }
          : undefined,
    }),
  )
}

function selectionsOf(document: string): FieldNode[] {
  const [definition] = parse(document).definitions
  const selections = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : []
  return selections.filter((each) => each.kind === Kind.FIELD)
}
