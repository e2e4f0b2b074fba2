import { expect, test } from 'vitest'
import { createGuest } from '../../support/scim/guests.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

/** A directory with an active, an invited and an inactive user, and groups of which one has a role. */
async function createContext() {
  const guest = await createGuest(service, { Engineering: ['member'], 'id-of-finance': ['billing', []] })
  const { team, token, provision, send, createGroup, address, domain } = guest
  const ada = await provision('ada', { name: { givenName: 'Ada', familyName: 'Moreau' }, externalId: 'x-1' })
  const bob = await provision('bob', { displayName: 'Bob' })
  await send('DELETE', `/Users/${(await provision('gone')).id}`)
  await createGroup('Engineering', [ada.id, bob.id])
  await createGroup('Finance', [ada.id], { externalId: 'id-of-finance' })
  await createGroup('Other', [])
  await send('PATCH', `/Users/${bob.id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'active', value: false }],
  })
  const read = async (selection: string) => {
    const { data, errors } = await graphql(service, token, `{ team(slug: "${team.slug}") { ${selection} } }`)
    expect(errors).toEqual([])
    return data.team
  }
  return { ada, bob, guestAddress: address, domain, read }
}

test('an owner lists the users of the directory, with what each is in the team', async () => {
  const { ada, bob, guestAddress, domain, read } = await createContext()
  const selection = 'total nodes { resourceId userName externalId name state userId role isManaged }'
  const { directoryUsers } = await read(`directoryUsers { ${selection} }`)
  const active = { resourceId: ada.id, userName: `ada@${domain}`, externalId: 'x-1', name: 'Ada Moreau', state: 'ACTIVE', role: 'MEMBER' }
  const inactive = { resourceId: bob.id, userName: `bob@${domain}`, externalId: null, name: 'Bob', state: 'INACTIVE' }
  const nobody = { userId: null, role: null, isManaged: false }
  expect(directoryUsers).toEqual({
    total: 3,
    nodes: [
      { ...active, userId: ada.id, isManaged: true },
      { ...inactive, ...nobody },
      expect.objectContaining({ userName: guestAddress, name: 'Guest Outside', state: 'INVITED', ...nobody }),
    ],
  })
  const names = async (given: string) =>
    (await read(`directoryUsers(${given}) { nodes { name } }`)).directoryUsers.nodes.map((user: { name: string }) => user.name)
  expect(await names('state: INVITED')).toEqual(['Guest Outside'])
  expect(await names('state: INACTIVE')).toEqual(['Bob'])
  expect(await names('search: "moreau"')).toEqual(['Ada Moreau'])
  expect(await names('search: "%"')).toEqual([])
  expect(await names('orderBy: { field: NAME, direction: DESC }')).toEqual(['Guest Outside', 'Bob', 'Ada Moreau'])
  const { directoryUsersConnection } = await read(
    'directoryUsersConnection(first: 1) { totalCount nodes { name } pageInfo { hasNextPage } }',
  )
  expect(directoryUsersConnection).toEqual({ totalCount: 3, nodes: [{ name: 'Ada Moreau' }], pageInfo: { hasNextPage: true } })
})

test('an owner lists the groups of the directory, with the role that each gives by its name or its identifier', async () => {
  const { read } = await createContext()
  const selection = 'total nodes { displayName externalId memberCount groupRoles { group role accessibleAppIds } }'
  const engineering = { displayName: 'Engineering', externalId: null, memberCount: 2 }
  const finance = { displayName: 'Finance', externalId: 'id-of-finance', memberCount: 1 }
  const roles = [
    { ...engineering, groupRoles: [{ group: 'Engineering', role: 'MEMBER', accessibleAppIds: null }] },
    { ...finance, groupRoles: [{ group: 'id-of-finance', role: 'BILLING', accessibleAppIds: [] }] },
  ]
  const other = { displayName: 'Other', externalId: null, memberCount: 0, groupRoles: [] }
  expect(await read(`directoryGroups { ${selection} }`)).toEqual({ directoryGroups: { total: 3, nodes: [...roles, other] } })
  expect(await read(`directoryGroups(hasRole: true) { ${selection} }`)).toEqual({ directoryGroups: { total: 2, nodes: roles } })
  expect(await read(`directoryGroups(hasRole: false) { ${selection} }`)).toEqual({ directoryGroups: { total: 1, nodes: [other] } })
  expect((await read('directoryGroups(search: "fin") { nodes { displayName } }')).directoryGroups.nodes).toEqual([
    { displayName: 'Finance' },
  ])
})
