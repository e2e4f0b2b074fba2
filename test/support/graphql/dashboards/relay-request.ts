import { getNamedType, getNullableType, isListType, isObjectType, print, valueFromASTUntyped } from 'graphql'
import type { ArgumentNode, DocumentNode, FieldNode, GraphQLObjectType, SelectionNode } from 'graphql'
import type { ConcreteRequest } from 'relay-runtime'
import { publicSchema } from '../../../../schema/public-schema.ts'

// relay-compiler generates this form of a query from tagged templates in JavaScript, and from nothing else. The documents of the dashboards
// are files with fields of objects only, without fragments, so this is all of it.

/** A query in the form that Relay executes. */
export function relayRequest(document: DocumentNode): ConcreteRequest {
  const [operation] = document.definitions
  const query = publicSchema().getQueryType()
  if (operation?.kind !== 'OperationDefinition' || !operation.name || !query) throw new Error('not a query with a name')
  const name = operation.name.value
  const selections = selectionsOf(operation.selectionSet.selections, query)
  const argumentDefinitions = (operation.variableDefinitions ?? []).map(({ variable }) => ({
    kind: 'LocalArgument',
    name: variable.name.value,
    defaultValue: null,
  }))
  const request = {
    kind: 'Request',
    fragment: { kind: 'Fragment', name, type: query.name, abstractKey: null, argumentDefinitions, metadata: null, selections },
    operation: { kind: 'Operation', name, argumentDefinitions, selections },
    params: { id: null, cacheID: name, metadata: {}, name, operationKind: 'query', text: print(document) },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type describes generated files
  return request as unknown as ConcreteRequest
}

const selectionsOf = (selections: readonly SelectionNode[], parent: GraphQLObjectType): object[] =>
  selections.map((selection) => {
    if (selection.kind !== 'Field') throw new Error('the documents have no fragments')
    return fieldOf(selection, parent)
  })

function fieldOf({ name, alias, arguments: given = [], selectionSet }: FieldNode, parent: GraphQLObjectType): object {
  const args = given.length > 0 ? given.map(argumentOf).toSorted((a, b) => (a.name < b.name ? -1 : 1)) : null
  const base = { alias: alias?.value ?? null, args, name: name.value, storageKey: null }
  if (!selectionSet) return { ...base, kind: 'ScalarField' }
  const type = parent.getFields()[name.value]?.type
  const object = type && getNamedType(type)
  if (!object || !isObjectType(object)) throw new Error(`${name.value} is no field of an object`)
  const selections = selectionsOf(selectionSet.selections, object)
  return { ...base, kind: 'LinkedField', concreteType: object.name, plural: isListType(getNullableType(type)), selections }
}

const argumentOf = ({ name, value }: ArgumentNode) =>
  value.kind === 'Variable'
    ? { kind: 'Variable', name: name.value, variableName: value.name.value }
    : { kind: 'Literal', name: name.value, value: valueFromASTUntyped(value) }
