import { expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { addProvider, answerOf } from '../../support/identity-providers/team-provider.ts'
import { createDirectory, patchOf } from '../../support/scim/directory.ts'
import { useService } from '../../support/service/service.ts'

// Several people with one address who sign in at the same moment, or while the directory changes its users: each gets an account of their
// own, and one of them the address.

const service = useService({ hostname: 'localhost' })
const { prisma } = service.database
const providers = useProviders(service.clock.now)

async function createScene() {
  const directory = await createDirectory(service)
  const provider = await providers.create()
  const row = await addProvider(service.database, directory.team, provider, { jitRole: 'member' })
  const email = `sam@${directory.domain}`
  /** Signs in at the provider up to the return of the browser, which the returned function makes. */
  const begin = async (sub: string) => {
    const browser = new Browser(service.url)
    provider.claims = { sub, email }
    const back = await answerOf(await browser.open(`/sign-in/start/${row.id}?return_to=/account`))
    return () => browser.open(back)
  }
  const linked = async () =>
    new Map((await prisma.externalIdentity.findMany({ where: { providerId: row.id } })).map(({ subject, userId }) => [subject, userId]))
  return { ...directory, email, begin, linked }
}

const isFault = ({ status }: { status: number }) => status >= 500

test.each([1, 2, 3])('two newcomers and the person before them at once, after that person was removed (%i)', async () => {
  const { team, email, begin, linked } = await createScene()
  await (
    await begin('emp-1')
  )()
  const first = (await linked()).get('emp-1') ?? ''
  await prisma.member.deleteMany({ where: { userId: first, teamId: team.id } })
  const returns = [await begin('emp-1'), await begin('emp-2'), await begin('emp-3')]
  const pages = await Promise.all(returns.map((open) => open()))
  expect(pages.filter(isFault)).toEqual([])
  const users = await linked()
  expect(users.get('emp-1')).toBe(first)
  const newcomers = ['emp-2', 'emp-3'].flatMap((subject) => users.get(subject) ?? [])
  // The second one is refused: the first one is a member by then.
  expect(newcomers).toHaveLength(1)
  expect(await prisma.user.findUniqueOrThrow({ where: { email } })).toMatchObject({ id: newcomers[0] })
  expect(await prisma.auditEntry.count({ where: { teamId: team.id, action: 'moveAddress' } })).toBe(1)
})

test.each([1, 2, 3])('two newcomers at once, before anybody has the address (%i)', async () => {
  const { email, begin, linked } = await createScene()
  const returns = [await begin('emp-1'), await begin('emp-2')]
  const pages = await Promise.all(returns.map((open) => open()))
  expect(pages.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
  expect([...(await linked()).values()]).toEqual([(await prisma.user.findUniqueOrThrow({ where: { email } })).id])
})

test.each([1, 2, 3])('a newcomer signs in while the directory creates the user (%i)', async () => {
  const { team, email, begin, linked, provision, send } = await createScene()
  const { id } = await provision('sam')
  await (
    await begin('emp-1')
  )()
  const gone = [
    { op: 'replace', path: 'active', value: false },
    { op: 'replace', path: 'userName', value: 'gone' },
  ]
  await send('PATCH', `/Users/${id}`, patchOf(...gone))
  const open = await begin('emp-2')
  const [created, page] = await Promise.all([send('POST', '/Users', { userName: email }), open()])
  expect([created, page].filter(isFault)).toEqual([])
  const users = await linked()
  expect(users.get('emp-1')).toBe(id)
  expect(users.get('emp-2')).not.toBe(id)
  const holder = await prisma.user.findUniqueOrThrow({ where: { email } })
  expect(holder.id).not.toBe(id)
  const members = await prisma.member.findMany({ where: { teamId: team.id, role: 'member' } })
  expect(members.map(({ userId }) => userId)).not.toContain(id)
})
