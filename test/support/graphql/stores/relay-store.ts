import { Environment, Network, Observable, RecordSource, Store, createOperationDescriptor } from 'relay-runtime'
import type { Received, SelectedField } from './select-all.ts'

// relay-compiler turns a query into this form, which the store works with. The documents of the tests are computed, so this is done here.

const leaf = { alias: null, args: null, storageKey: null }

const selectionOf = ({ name, isPlural: plural, type, fields }: SelectedField): object =>
  fields === undefined
    ? { kind: 'ScalarField', name, ...leaf }
    : {
        kind: 'LinkedField',
        name,
        concreteType: type,
        plural,
        selections: type === null ? fragmentsOf(fields) : selectionsOf(fields[type]),
        ...leaf,
      }

const selectionsOf = (fields: readonly SelectedField[] = []) => fields.map(selectionOf)

const fragmentsOf = (fields: NonNullable<SelectedField['fields']>) => [
  { kind: 'ScalarField', name: '__typename', ...leaf },
  ...Object.entries(fields).map(([type, selected]) => ({
    kind: 'InlineFragment',
    type,
    abstractKey: null,
    selections: selectionsOf(selected),
  })),
]

function operationOf({ fields }: Received, index: number) {
  const name = `Query${index}`
  const selections = selectionsOf(fields)
  const request = {
    kind: 'Request',
    fragment: { kind: 'Fragment', name, type: 'Query', abstractKey: null, argumentDefinitions: [], metadata: null, selections },
    operation: { kind: 'Operation', name, argumentDefinitions: [], selections },
    params: { id: null, cacheID: name, metadata: {}, name, operationKind: 'query', text: '' },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its types are those of generated files
  return createOperationDescriptor(request as never, {})
}

/** Writes responses to Relay’s store, and reads them from it. */
export function relayStore(responses: readonly Received[]): unknown[] {
  const network = Network.create(() => Observable.from(Promise.reject(new Error('the store sends no request'))))
  const environment = new Environment({ network, store: new Store(new RecordSource()) })
  const operations = responses.map(operationOf)
  for (const [index, operation] of operations.entries()) {
    environment.retain(operation)
    environment.commitPayload(operation, responses[index]?.data as never)
  }
  return operations.map((operation) => environment.lookup(operation.fragment).data)
}
