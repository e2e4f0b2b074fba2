import { expect, test } from 'vitest'
import { createUser, join } from '../../support/data/team.ts'
import { createDirectory, patchOf } from '../../support/scim/directory.ts'
import { useService } from '../../support/service/service.ts'

// Okta requires a given name and a family name of each user.

const service = useService()
const { prisma } = service.database

test.each([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Augusta Ada King Lovelace', 'Augusta Ada King', 'Lovelace'],
  ['Plato', 'Plato', 'Plato'],
])('the name %s of a member whom the directory never mentioned is split at its last blank', async (name, givenName, familyName) => {
  const { team, send } = await createDirectory(service)
  const user = await createUser(service.database, { name })
  await join(service.database, team, user, 'member')
  const { body } = await send('GET', `/Users/${user.id}`)
  expect(body).toMatchObject({ displayName: name, name: { formatted: name, givenName, familyName } })
  const filter = `id eq "${user.id}" and name.givenName eq "${givenName}" and name.familyName eq "${familyName}"`
  expect((await send('GET', `/Users?${new URLSearchParams({ filter })}`)).body.Resources).toEqual([body])
})

test.each([
  [
    'a formatted name',
    { name: { formatted: 'Ada Lovelace' }, displayName: 'Countess' },
    { formatted: 'Ada Lovelace', givenName: 'Ada', familyName: 'Lovelace' },
  ],
  ['a display name', { displayName: 'Ada  Lovelace ' }, { givenName: 'Ada', familyName: 'Lovelace' }],
  ['one part', { displayName: 'Ada Lovelace', name: { familyName: 'King' } }, { givenName: 'Ada', familyName: 'King' }],
  ['nothing', {}, { givenName: 'ada', familyName: 'ada' }],
])('the parts that a directory leaves out, of a user with %s, are those of what it stated, else of the account', async (_, more, name) => {
  const { send, provision } = await createDirectory(service)
  const { id } = await provision('ada', more)
  expect((await send('GET', `/Users/${id}`)).body.name).toEqual(name)
})

test('a directory that changes one part does not state the other', async () => {
  const { team, send } = await createDirectory(service)
  const user = await createUser(service.database, { name: 'Ada Lovelace' })
  await join(service.database, team, user, 'member')
  await send('PATCH', `/Users/${user.id}`, patchOf({ op: 'replace', path: 'name', value: { givenName: 'Augusta' } }))
  const { attributes } = await prisma.scimUser.findUniqueOrThrow({ where: { teamId_userId: { teamId: team.id, userId: user.id } } })
  expect(attributes).toMatchObject({ name: { formatted: 'Ada Lovelace', givenName: 'Augusta', familyName: null } })
  await send('PATCH', `/Users/${user.id}`, patchOf({ op: 'remove', path: 'displayName' }, { op: 'remove', path: 'name' }))
  await prisma.user.update({ where: { id: user.id }, data: { name: 'Ada King' } })
  expect((await send('GET', `/Users/${user.id}`)).body.name).toEqual({ givenName: 'Ada', familyName: 'King' })
  // The name of the account of a user who left is no business of the team.
  await send('PATCH', `/Users/${user.id}`, patchOf({ op: 'replace', path: 'active', value: false }))
  expect((await send('GET', `/Users/${user.id}`)).body.name).toEqual({ givenName: user.email, familyName: user.email })
})
