import { isInterfaceType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { schema } from '../../../schema/index.ts'
import { createManyNodes } from '../../support/graphql/stores/many-nodes.ts'
import { executeAs } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let nodes: Awaited<ReturnType<typeof createManyNodes>>
beforeAll(async () => {
  nodes = await createManyNodes(service, 20)
})

const nodeType = schema.getType('Node')
const types = isInterfaceType(nodeType) ? schema.getPossibleTypes(nodeType).map(({ name }) => name) : []

describe('nodes', () => {
  test('are counted for every type with a global id, except the viewer, which is a single object', () => {
    expect(Object.keys(nodes.ids).toSorted()).toEqual(types.filter((name) => name !== 'Viewer').toSorted())
  })

  test.each(types.filter((name) => name !== 'Viewer'))('loads 20 objects of the type %s with as many statements as one', async (type) => {
    const ids = nodes.ids[type] ?? []
    const count = async (some: string[]) => {
      const reader = await nodes.readerOf(type)
      service.statements.length = 0
      const { data } = await executeAs(service, reader, 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids: some })
      expect(data.nodes).toEqual(some.map((id) => ({ __typename: type, id })))
      return service.statements.length
    }
    expect(new Set(ids).size).toBe(20)
    const ofOne = await count(ids.slice(0, 1))
    expect(ofOne).toBeGreaterThan(0)
    expect(await count(ids)).toBe(ofOne)
  })
})
