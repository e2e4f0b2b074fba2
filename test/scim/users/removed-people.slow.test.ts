import { describe, expect, test } from 'vitest'
import { heading } from '../../support/account-site/page-content.ts'
import type { Page } from '../../support/browser/browser.ts'
import { Browser } from '../../support/browser/browser.ts'
import { unique } from '../../support/data/team.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { addProvider, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { patchOf } from '../../support/scim/directory.ts'
import { createGroups } from '../../support/scim/groups.ts'
import { useService } from '../../support/service/service.ts'

// A person whom the directory removed can still sign in at the provider of the team. No account makes that person a member again.

const service = useService({ hostname: 'localhost' })
const { prisma } = service.database
const providers = useProviders(service.clock.now)

type Removal = 'deactivated' | 'deleted'
type History = 'has signed in before' | 'has an account of their own' | 'never signed in'

async function createRemoved(removal: Removal, history: History) {
  const directory = await createGroups(service, { staff: ['member'] })
  const { domain, send, team } = directory
  const address = `sam@${domain}`
  if (history === 'has an account of their own') await createPerson(service.database, { email: address })
  const { id } = await directory.provision('sam', { externalId: 'sam' })
  const provider = await providers.create()
  const row = await addProvider(service.database, team, provider, { jitRole: 'member', groupsClaim: 'groups' })
  const subject = unique('sam')
  const signIn = (claims: object = {}, browser = new Browser(service.url)): Promise<Page> => {
    provider.claims = { sub: subject, email: address, groups: ['staff'], ...claims }
    return signInAtProvider(browser, row.id, { return_to: '/account' })
  }
  if (history === 'has signed in before') await signIn()
  const path = `/Users/${id}`
  await (removal === 'deleted' ? send('DELETE', path) : send('PATCH', path, patchOf({ op: 'replace', path: 'active', value: false })))
  /** The members of the team, but for its owner. */
  const members = async () => (await prisma.member.findMany({ where: { teamId: team.id, role: 'member' } })).map(({ userId }) => userId)
  return { ...directory, id, address, subject, row, signIn, members }
}

interface Removed extends Awaited<ReturnType<typeof createRemoved>> {}

const ways: Record<string, (removed: Removed) => Promise<unknown>> = {
  'sign in again': ({ signIn }) => signIn(),
  'continue with a new account': async ({ signIn }) => {
    const browser = new Browser(service.url)
    const page = await signIn({}, browser)
    if (page.root.text.includes('Continue with a new account')) await browser.press(page, 'Continue with a new account')
  },
  'sign in with another identity': ({ signIn }) => signIn({ sub: unique('other') }),
  'sign in after the account was erased': async ({ id, signIn }) => {
    await prisma.user.delete({ where: { id } })
    await signIn()
  },
  'disconnect the account, change its address and sign in': async ({ id, signIn }) => {
    await prisma.externalIdentity.deleteMany({ where: { userId: id } })
    await prisma.user.update({ where: { id }, data: { email: `${unique('sam')}@private.example` } })
    await signIn()
  },
  'sign in again and then without an address and an account': async ({ signIn, subject }) => {
    await signIn()
    await prisma.user.deleteMany({ where: { externalIdentities: { some: { subject } } } })
    await signIn({ email: undefined })
  },
}
const cases = (['deactivated', 'deleted'] as const).flatMap((removal) =>
  (['has signed in before', 'has an account of their own', 'never signed in'] as const).flatMap((history) =>
    Object.keys(ways).map((way): [Removal, History, string] => [removal, history, way]),
  ),
)

describe('a person whom the directory removed', () => {
  test.each(cases)('(%s, who %s) is no member again by the way: %s', async (removal, history, way) => {
    const removed = await createRemoved(removal, history)
    await ways[way]?.(removed)
    expect(await removed.members()).toEqual([])
  })

  test.each(['deactivated', 'deleted'] as const)('(%s) is a member again once the directory says so', async (removal) => {
    const { id, send, provision, signIn, members } = await createRemoved(removal, 'has signed in before')
    await signIn()
    if (removal === 'deleted') expect((await provision('sam', { externalId: 'sam' })).id).toBe(id)
    else await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: true }))
    expect(await members()).toEqual([id])
    await signIn()
    expect(await members()).toEqual([id])
    expect(await prisma.directoryRemoval.count({ where: { userId: id } })).toBe(0)
  })

  test('does not get into the account of the newcomer who has the address by now', async () => {
    const { id, provision, send, signIn, members } = await createRemoved('deactivated', 'has signed in before')
    await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'userName', value: 'gone' }))
    const newcomer = await provision('sam', { externalId: 'newcomer' })
    await prisma.externalIdentity.deleteMany({ where: { userId: id } })
    expect(heading(await signIn())).toEqual([200, 'Is this your account?'])
    expect(await prisma.externalIdentity.count({ where: { userId: newcomer.id } })).toBe(0)
    expect(await members()).toEqual([newcomer.id])
  })
})

test('a newcomer is a member through the directory, and signs in to the account that it made', async () => {
  const { id, provision, send, signIn, members } = await createRemoved('deactivated', 'has signed in before')
  await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'userName', value: 'gone' }))
  const newcomer = await provision('sam', { externalId: 'newcomer' })
  const subject = unique('newcomer')
  expect((await signIn({ sub: subject })).url.pathname).toBe('/account')
  expect(await prisma.externalIdentity.findFirstOrThrow({ where: { subject } })).toMatchObject({ userId: newcomer.id })
  // The one before still signs in to the old account, outside of the team.
  await signIn()
  expect(await prisma.session.count({ where: { userId: id } })).toBeGreaterThan(0)
  expect(await members()).toEqual([newcomer.id])
})

test('a newcomer who signed in before the directory created the user is that user', async () => {
  const { id, provision, signIn, members } = await createRemoved('deleted', 'has signed in before')
  const subject = unique('newcomer')
  await signIn({ sub: subject })
  expect(await members()).toEqual([])
  const { userId } = await prisma.externalIdentity.findFirstOrThrow({ where: { subject } })
  expect(userId).not.toBe(id)
  expect((await provision('sam', { externalId: 'newcomer' })).id).toBe(userId)
  expect(await members()).toEqual([userId])
  expect(await prisma.directoryRemoval.count({ where: { userId } })).toBe(0)
})

test('a person who was asked for a proof while deactivated is linked at once when active again', async () => {
  const { id, send, signIn, members } = await createRemoved('deactivated', 'never signed in')
  expect(heading(await signIn())).toEqual([200, 'Is this your account?'])
  await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: true }))
  expect((await signIn()).url.pathname).toBe('/account')
  expect(await members()).toEqual([id])
})
