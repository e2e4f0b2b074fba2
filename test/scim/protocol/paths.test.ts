import { beforeAll, describe, expect, test } from 'vitest'
import { createDirectory, patchOf } from '../../support/scim/directory.ts'
import { useService } from '../../support/service/service.ts'

// A path has the same forms in a filter, in the path of a PATCH, and in the lists of attributes (RFC 7644 §3.10).

const service = useService()
let directory: Awaited<ReturnType<typeof createDirectory>>
let ada: string
let group: string
beforeAll(async () => {
  directory = await createDirectory(service)
  const emails = [
    { value: `ada@${directory.domain}`, type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ]
  ada = (await directory.provision('ada', { emails, name: { givenName: 'Augusta', familyName: 'King' } })).id
  const bob = [
    { value: `bob@${directory.domain}`, type: 'other', primary: true },
    { value: 'bob@home.example', type: 'home' },
  ]
  await directory.provision('bob', { emails: bob })
  group = (await directory.send('POST', '/Groups', { displayName: 'Engineering', members: [{ value: ada }] })).body.id
})

const urn = 'urn:ietf:params:scim:schemas:core:2.0:User:'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:'

describe('a filter', () => {
  /** The users, by the start of their name, or the groups that a filter finds; the code of the error if it is refused. */
  const find = async (path: string, filter: string): Promise<string | string[]> => {
    const query = new URLSearchParams({ filter: filter.replace('DOMAIN', directory.domain) })
    const { status, body } = await directory.send('GET', `${path}?${query}`)
    if (status !== 200) return body.scimType
    const resources: { userName?: string; id: string }[] = body.Resources
    return resources.map(({ userName, id }) => userName?.split('@')[0] ?? id).toSorted()
  }

  test.each([
    ['emails[type eq "work"].value eq "ADA@DOMAIN"', ['ada']],
    ['emails[type eq "home"].value eq "ada@DOMAIN"', []],
    ['emails[type eq "home"].value co "home.example"', ['ada', 'bob']],
    ['emails[type eq "work"].value pr and emails[primary eq true].type eq "work" and userName sw "ada"', ['ada']],
    [`${urn}emails[type eq "work" and primary eq true].value eq "ada@DOMAIN"`, ['ada']],
    [`${urn}emails.value eq "bob@home.example" or ${urn}name.givenName eq "augusta"`, ['ada', 'bob']],
    ['userName sw "bob" and emails[type eq "home"].value ne "ada@home.example"', ['bob']],
    ['userName sw "ada" and emails[type eq "home"].value ne "ada@home.example"', []],
    ['userName sw "ada" and not (emails[type eq "home"].value pr)', []],
    ['phoneNumbers[type eq "work"].value eq "+1 555"', []],
    ['userName sw "ada" and phoneNumbers[type eq "work"].value ne "+1 555"', ['ada']],
    [`addresses[type eq "work"].postalCode pr or ${enterprise}manager.value eq "x" or name.middleName eq "x"`, []],
  ])('%s finds %j', async (filter, names) => {
    expect(await find('/Users', filter)).toEqual(names)
  })

  test('with the URN and brackets finds groups', async () => {
    const prefix = 'urn:ietf:params:scim:schemas:core:2.0:Group:'
    expect(await find('/Groups', `members[type eq "User"].value eq "${ada}"`)).toEqual([group])
    expect(await find('/Groups', `${prefix}members[value eq "${ada}"].display pr and ${prefix}displayName eq "engineering"`)).toEqual([
      group,
    ])
    expect(await find('/Groups', `members[type eq "Group"].value eq "${ada}"`)).toEqual([])
  })

  test.each([
    'emails[type eq "work"].value',
    'emails[type eq "work"].foo eq "x"',
    'emails.value[type eq "work"].type eq "x"',
    'name[givenName eq "Ada"].familyName eq "x"',
    'emails[emails[type eq "work"].value eq "x"].value eq "x"',
    'emails[type eq "work"]value eq "x"',
  ])('%s is refused', async (filter) => {
    expect(await find('/Users', filter)).toBe('invalidFilter')
  })
})

describe('the lists of attributes', () => {
  const read = async (parameters: Record<string, string>) =>
    (await directory.send('GET', `/Users/${ada}?${new URLSearchParams(parameters)}`)).body

  test('select parts of the values that brackets match', async () => {
    const { id, schemas, ...rest } = await read({ attributes: 'emails[type eq "home"].value,name.givenName' })
    expect([id, schemas.length, rest]).toEqual([ada, 1, { name: { givenName: 'Augusta' }, emails: [{ value: 'ada@home.example' }] }])
  })

  test('can have the URN of the schema', async () => {
    const body = await read({
      attributes: `${urn}emails[type eq "work"],${urn}name.familyName , ${enterprise}department,phoneNumbers[type eq "a,b"].value`,
    })
    expect(Object.keys(body)).toEqual(['schemas', 'id', 'name', 'emails'])
    expect([body.name, body.emails]).toEqual([{ familyName: 'King' }, [{ value: `ada@${directory.domain}`, type: 'work', primary: true }]])
  })

  test('exclude attributes, parts, and the values that brackets match', async () => {
    const body = await read({ excludedAttributes: `${urn}emails[type eq "home"],emails.primary,name,meta.version,groups,id` })
    expect(Object.keys(body)).toEqual(['schemas', 'id', 'userName', 'emails', 'active', 'meta'])
    expect(body.emails).toEqual([{ value: `ada@${directory.domain}`, type: 'work' }])
    expect(Object.keys(body.meta)).not.toContain('version')
  })

  test('are those of the answer to a change, too', async () => {
    const { body } = await directory.send(
      'PATCH',
      `/Users/${ada}?attributes=name.givenName`,
      patchOf({ op: 'add', value: { externalId: 'x' } }),
    )
    expect(body).toEqual({ schemas: expect.any(Array), id: ada, name: { givenName: 'Augusta' } })
  })

  test('that cannot be read are refused before anything is changed', async () => {
    const path = `/Users/${ada}?attributes=${encodeURIComponent('emails[type xx "a"]')}`
    expect(await directory.send('PATCH', path, patchOf({ op: 'add', value: { externalId: 'y' } }))).toMatchObject({ status: 400 })
    expect((await read({})).externalId).not.toBe('y')
  })
})
