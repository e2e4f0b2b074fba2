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

interface Described {
  type: string
  name: string
  mutability: string
  returned: string
  uniqueness: string
  subAttributes?: Described[]
}

/** An attribute of scimmy with what a schema says of it. Its constructor refuses what RFC 7643 §7 does not allow. */
function attributeOf({ type, name, mutability, subAttributes = [], ...config }: Described): SCIMMY.Types.Attribute {
  const nested = subAttributes.map(attributeOf)
  return new SCIMMY.Types.Attribute(type as never, name, { ...config, mutable: mutability }, nested)
}

test('scimmy reads resource types, schemas and the configuration', async () => {
  const { send } = await createDirectory(service)
  const config = (await send('GET', '/ServiceProviderConfig')).body
  expect(new SCIMMY.Schemas.ServiceProviderConfig(config)).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    authenticationSchemes: [{ type: 'oauthbearertoken', name: 'Team token' }],
  })
  const types = (await send('GET', '/ResourceTypes')).body
  for (const type of new SCIMMY.Messages.ListResponse(types).Resources as { name: string; endpoint: string; schema: string }[])
    expect(new SCIMMY.Schemas.ResourceType(type)).toMatchObject({ name: type.name, endpoint: type.endpoint, schema: type.schema })
  const schemas = (await send('GET', '/Schemas')).body
  for (const { id, name, description, attributes } of new SCIMMY.Messages.ListResponse(schemas).Resources) {
    const definition = new SCIMMY.Types.SchemaDefinition(name, id, description, attributes.map(attributeOf))
    for (const each of attributes as Described[])
      expect(definition.attribute(each.name)).toMatchObject({ type: each.type, name: each.name, config: { returned: expect.anything() } })
  }
})
