import SCIMMY from 'scimmy'
import { expect, test } from 'vitest'
import { createDirectory } from '../support/scim/directory.ts'
import { useService } from '../support/service/service.ts'

const service = useService()

test('resource types and schemas have their URLs, and are found by them', async () => {
  const { send } = await createDirectory(service)
  for (const path of ['/ResourceTypes', '/Schemas']) {
    const { body } = await send('GET', path)
    expect(body).toMatchObject({ totalResults: 2, itemsPerPage: 2, startIndex: 1 })
    for (const one of body.Resources) expect((await send('GET', `${path}/${one.id}`)).body).toEqual(one)
  }
  expect((await send('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    etag: { supported: true },
    sort: { supported: false },
  })
})

test('scimmy reads users, groups and lists', async () => {
  const { send, provision } = await createDirectory(service)
  const { id } = await provision('ada', { name: { givenName: 'Ada', familyName: 'L' }, externalId: 'x' })
  const group = await send('POST', '/Groups', { displayName: 'G', members: [{ value: id }] })
  const user = await send('GET', `/Users/${id}`)
  expect(new SCIMMY.Schemas.User(user.body, 'out')).toMatchObject({ id, userName: user.body.userName, active: true })
  expect(new SCIMMY.Schemas.Group(group.body, 'out')).toMatchObject({ id: group.body.id, displayName: 'G' })
  const list = await send('GET', '/Users')
  expect(new SCIMMY.Messages.ListResponse(list.body).Resources.length).toBe(list.body.totalResults)
})
