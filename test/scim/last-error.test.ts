import { expect, test } from 'vitest'
import { createCleanup } from '../../src/service/cleanup.ts'
import { createDirectory, scim } from '../support/scim/directory.ts'
import { teamToken } from '../support/data/team.ts'
import { graphql } from '../support/http/graphql.ts'
import { useService } from '../support/service/service.ts'
import { retention } from '../support/service/test-settings.ts'

const service = useService()
const { prisma } = service.database
const minute = 60_000
const day = 24 * 60 * minute

/** A directory, and what its owner reads of the last error. */
async function createContext() {
  const directory = await createDirectory(service)
  const { team, token } = directory
  const lastError = async () => {
    const document = `{ team(slug: "${team.slug}") { directoryUrl lastDirectoryError { at method path status scimType detail } } }`
    const { data, errors } = await graphql(service, token, document)
    expect(errors).toEqual([])
    expect(data.team.directoryUrl).toBe(`${service.url}/scim/v2`)
    return data.team.lastDirectoryError
  }
  return { ...directory, lastError }
}

test('the last error of a directory is stored with its kind of path, and without the body', async () => {
  const { provision, send, domain, lastError } = await createContext()
  expect(await lastError()).toBeNull()
  const { id, userName } = await provision('ada')
  expect(await lastError()).toBeNull()
  const before = service.clock.now().toISOString()
  const { body } = await send('POST', '/Users', { userName, displayName: 'Secret Name', emails: [{ value: userName }] })
  const detail = `The user ada@${domain} exists already.`
  expect(body).toMatchObject({ status: '409', scimType: 'uniqueness', detail })
  const { at, ...error } = await lastError()
  expect(at >= before && at <= service.clock.now().toISOString()).toBe(true)
  expect(error).toEqual({ method: 'POST', path: '/scim/v2/Users', status: 409, scimType: 'uniqueness', detail })
  service.clock.advance(minute)
  await send('PATCH', `/Users/${id}`, { Operations: [] })
  expect(await lastError()).toMatchObject({ method: 'PATCH', path: '/scim/v2/Users/{id}', status: 400, scimType: 'invalidSyntax' })
  service.clock.advance(minute)
  await send('GET', '/Groups/00000000-0000-4000-8000-000000000000')
  expect(await lastError()).toMatchObject({ method: 'GET', path: '/scim/v2/Groups/{id}', status: 404, scimType: null })
})

test('of the errors of a directory within a minute, the first one is stored', async () => {
  const { send, lastError } = await createContext()
  await send('GET', '/Users/first')
  const first = await lastError()
  expect(first.detail).toContain('first')
  service.clock.advance(minute / 2)
  await Promise.all(Array.from({ length: 5 }, () => send('GET', '/Users/second')))
  expect(await lastError()).toEqual(first)
  service.clock.advance(minute / 2)
  await send('GET', '/Users/third')
  expect((await lastError()).detail).toContain('third')
})

test('a message that repeats what the directory sent is stored as one line of at most 500 characters', async () => {
  const { send, lastError } = await createContext()
  const hostile = `\u202Ex\n\u0000${'y'.repeat(2000)}`
  const { status } = await send('GET', `/Users?filter=${encodeURIComponent(`${hostile} eq "1"`)}`)
  expect(status).toBe(400)
  const { detail } = await lastError()
  for (const character of ['\u202E', '\n', '\0']) expect(detail).not.toContain(character)
  expect(Array.from(detail).length).toBeLessThanOrEqual(500)
  service.clock.advance(minute)
  await send('PATCH', `/Users/${'z'.repeat(3000)}`, {})
  expect(Array.from((await lastError()).detail).length).toBeLessThanOrEqual(500)
})

test('the last error of a directory is deleted after 30 days', async () => {
  const { send, lastError } = await createContext()
  await send('GET', '/Users/x')
  const cleanUp = async (days: number) => {
    const now = () => new Date(service.clock.now().getTime() + days * day)
    await createCleanup({ database: service.database, retention, now, report: (error) => expect.fail(String(error)) }).run()
  }
  await cleanUp(29)
  expect(await lastError()).not.toBeNull()
  await cleanUp(30)
  expect(await lastError()).toBeNull()
})

test('a request that is not of the directory stores no error', async () => {
  const { team, lastError } = await createContext()
  const other = await teamToken(service.database, team, { scopes: ['acct:team:read'] })
  expect((await scim(service, other, 'GET', '/Users')).status).toBe(403)
  expect((await scim(service, 'tat_unknown', 'GET', '/Users')).status).toBe(401)
  expect(await lastError()).toBeNull()
})

test('the response to a directory does not depend on whether the error can be stored', async () => {
  const { send, team } = await createContext()
  await prisma.$executeRawUnsafe('ALTER TABLE directory_errors ADD CONSTRAINT refuses CHECK (status <> 404) NOT VALID')
  try {
    expect(await send('GET', '/Users/x')).toMatchObject({ status: 404, body: { detail: 'The resource x does not exist.' } })
    expect(await prisma.directoryError.count({ where: { teamId: team.id } })).toBe(0)
  } finally {
    await prisma.$executeRawUnsafe('ALTER TABLE directory_errors DROP CONSTRAINT refuses')
  }
})
