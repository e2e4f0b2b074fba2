import { expect, test } from 'vitest'
import { createGroups } from '../../support/scim/groups.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

test('a list has at most 20 groups with their members, and more without', async () => {
  const { send, createGroup } = await createGroups(service)
  for (let n = 0; n < 21; n++) await createGroup(`G${n}`)
  const sizeOf = async (query: string) => {
    const { body } = await send('GET', `/Groups?${query}`)
    return [body.totalResults, body.itemsPerPage, body.Resources.length]
  }
  expect(await sizeOf('')).toEqual([21, 20, 20])
  expect(await sizeOf('count=200&startIndex=21')).toEqual([21, 1, 1])
  expect(await sizeOf('count=5')).toEqual([21, 5, 5])
  expect(await sizeOf('excludedAttributes=members')).toEqual([21, 21, 21])
  expect(await sizeOf('attributes=displayName')).toEqual([21, 21, 21])
})
