import { expect, test } from 'vitest'
import { createUser, join } from '../../support/data/team.ts'
import { createGroups } from '../../support/scim/groups.ts'
import { createDirectory, patchOf } from '../../support/scim/directory.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

/** A member who was invited after another user had got the address as `userName`, and perhaps one more the identifier. */
async function invitedWithTakenName({ isIdentifierTaken = false } = {}) {
  const groups = await createGroups(service)
  const { team, domain, provision } = groups
  const address = `bob@${domain}`
  const bob = await createUser(service.database, { email: address })
  await provision('ada', { userName: address })
  if (isIdentifierTaken) await provision('eve', { userName: bob.id })
  await join(service.database, team, bob, 'member')
  return { ...groups, bob, address, path: `/Users/${bob.id}` }
}

test('a name that differs only in case by the rules of the database is that of another user', async () => {
  const { send, provision } = await createDirectory(service)
  // JavaScript writes the last letter of a Greek word in lower case as ς, PostgreSQL as σ.
  const { id } = await provision('ada', { userName: 'ας' })
  await provision('bob', { userName: 'ασ' })
  const rename = (value: string) => send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'userName', value }))
  expect(await rename('ΑΣ')).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
  expect(await rename('Ας')).toMatchObject({ status: 200, body: { userName: 'Ας' } })
})

test('a member whose address another user has as name is read, changed and removed under the identifier', async () => {
  const { bob, address, path, send } = await invitedWithTakenName()
  expect((await send('GET', path)).body).toMatchObject({ userName: bob.id, emails: [{ value: address }] })
  const { body } = await send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${address}"`)}`)
  expect(body.totalResults).toBe(1)
  expect(await send('PATCH', path, patchOf({ op: 'add', path: 'externalId', value: 'x' }))).toMatchObject({
    status: 200,
    body: { userName: bob.id, externalId: 'x' },
  })
  expect(await send('PATCH', path, patchOf({ op: 'replace', path: 'active', value: false }))).toMatchObject({ status: 200 })
})

test('a member whose address and identifier others have as names is changed under another name only', async () => {
  const { bob, path, send } = await invitedWithTakenName({ isIdentifierTaken: true })
  expect(await send('POST', '/Groups', { displayName: 'G', members: [{ value: bob.id }] })).toMatchObject({
    status: 400,
    body: { scimType: 'invalidValue' },
  })
  expect(await send('PATCH', path, patchOf({ op: 'add', path: 'externalId', value: 'x' }))).toMatchObject({ status: 409 })
  expect(await send('PUT', path, { userName: 'bob' })).toMatchObject({ status: 200, body: { userName: 'bob' } })
  expect(await send('DELETE', path)).toMatchObject({ status: 204 })
})
