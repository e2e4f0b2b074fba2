import { describe, expect, test } from 'vitest'
import { createUser, join, unique } from '../support/data/team.ts'
import { createDirectory, scim } from '../support/scim/directory.ts'
import { useService } from '../support/service/service.ts'

// The requests and assertions of Okta's "SCIM 2.0 SPEC Test" for Runscope (https://developer.okta.com/docs/guides/scim-provisioning-integration-test/),
// which an app must pass before Okta lists it. They were written down from its documentation, and not run by Okta.

const service = useService()

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'
const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'

const isNotEmpty = (value: unknown) => value !== undefined && value !== null && value !== ''

/** What the test requires of a user that it did not create. */
function expectUser(user: any) {
  const values = [user.id, user.name?.familyName, user.name?.givenName, user.userName, user.active, user.emails?.[0]?.value]
  expect([user.userName, values.map(isNotEmpty)]).toEqual([user.userName, values.map(() => true)])
}

/** `domain` is that of the address, by default a verified one. Okta's test uses another one. */
async function createNewUser(domain?: string) {
  const directory = await createDirectory(service)
  const { send } = directory
  const names = { givenName: unique('Given'), familyName: unique('Family') }
  const userName = `runscope300${names.givenName.toLowerCase()}@${domain ?? directory.domain}`
  const sent = {
    schemas: [userSchema],
    userName,
    name: names,
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: `${names.givenName} ${names.familyName}`,
    active: true,
  }
  const find = (name: string) => send('GET', `/Users?${new URLSearchParams({ filter: `userName eq "${name}"` })}`)
  return { ...directory, names, userName, sent, find }
}

describe('the test of Okta', () => {
  test('finds all attributes of the first user, and of each member that the team had before', async () => {
    const { team, send } = await createDirectory(service)
    for (const name of ['Ada Lovelace', 'Plato', 'Łukasz Nowak'])
      await join(service.database, team, await createUser(service.database, { name }), 'member')
    const { status, body } = await send('GET', '/Users?count=1&startIndex=1')
    expect([status, body.schemas]).toEqual([200, [listSchema]])
    for (const number of [body.itemsPerPage, body.startIndex, body.totalResults]) expect(number).toEqual(expect.any(Number))
    expect(body.Resources).toHaveLength(1)
    const user = await send('GET', `/Users/${body.Resources[0].id}`)
    expect([user.status, user.body.id]).toEqual([200, body.Resources[0].id])
    expectUser(user.body)
    const all = await send('GET', '/Users')
    expect(all.body.Resources).toHaveLength(4)
    for (const each of all.body.Resources) expectUser(each)
  })

  test('finds no user whose name or identifier is unknown', async () => {
    const { send, find } = await createNewUser()
    expect(await find('abcdefgh@atko.com')).toMatchObject({ status: 200, body: { schemas: [listSchema], totalResults: 0 } })
    for (const id of ['010101001010101011001010101011', '00919288221112222']) {
      const { status, body } = await send('GET', `/Users/${id}`)
      expect([status, body.schemas, isNotEmpty(body.detail)]).toEqual([404, [errorSchema], true])
    }
  })

  test.each([
    ['in a verified domain', undefined],
    ['in another domain', 'atko.example'],
  ])('creates a user %s, finds it in any case, and may not create it twice', async (_, domain) => {
    const { send, find, names, userName, sent } = await createNewUser(domain)
    expect(await find(userName)).toMatchObject({ status: 200, body: { schemas: [listSchema], totalResults: 0 } })
    const created = await send('POST', '/Users', sent)
    const values = { active: true, userName, name: names, schemas: [userSchema] }
    expect(created).toMatchObject({ status: 201, body: { ...values, id: expect.stringMatching(/./) } })
    expect(await send('GET', `/Users/${created.body.id}`)).toMatchObject({ status: 200, body: { ...values, id: created.body.id } })
    expect((await send('POST', '/Users', sent)).status).toBe(409)
    expect(await find(userName.toUpperCase())).toMatchObject({ status: 200, body: { totalResults: 1 } })
  })

  test('reads the groups', async () => {
    const { send } = await createDirectory(service)
    expect(await send('GET', '/Groups')).toMatchObject({ status: 200, body: { schemas: [listSchema] } })
  })

  test('is refused with 401 without a token', async () => {
    const filter = encodeURIComponent('userName eq "ada@atko.com"')
    expect(await scim(service, 'non-token', 'GET', `/Users?filter=${filter}`)).toMatchObject({
      status: 401,
      body: { schemas: [errorSchema] },
    })
  })
})
