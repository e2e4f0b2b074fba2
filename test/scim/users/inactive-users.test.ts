import { expect, test } from 'vitest'
import { heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { unique } from '../../support/data/team.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { addProvider, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { patchOf } from '../../support/scim/directory.ts'
import { createGroups } from '../../support/scim/groups.ts'
import { useService } from '../../support/service/service.ts'

// A user whom the directory deactivated can still have an account at the provider of the team.

const service = useService({ hostname: 'localhost' })
const { prisma } = service.database
const providers = useProviders(service.clock.now)

/** A user who is in a group with a role at the provider, and whose first sign-in is before or after the directory deactivates them. */
async function createInactive(jitRole: 'member' | null, isKnown: boolean) {
  const directory = await createGroups(service, { staff: ['member'] })
  const { id } = await directory.provision('ada')
  const provider = await providers.create()
  const row = await addProvider(service.database, directory.team, provider, { groupsClaim: 'groups', jitRole })
  provider.claims = { sub: unique('subject'), email: `ada@${directory.domain}`, groups: ['staff'] }
  const signIn = () => signInAtProvider(new Browser(service.url), row.id)
  if (isKnown) await signIn()
  const setActive = (value: boolean) => directory.send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value }))
  await setActive(false)
  return { ...directory, id, provider, signIn, setActive }
}

test.each([
  ['the first', 'member', false],
  ['the first', null, false],
  ['a later', 'member', true],
] as const)('%s sign-in (role of new members: %s) does not add a user whom the directory deactivated', async (_, jitRole, isKnown) => {
  const { id, signIn, setActive, termsOf, send } = await createInactive(jitRole, isKnown)
  const page = await signIn()
  // An account whose membership ended is not linked without a question, although the directory created it.
  if (!isKnown) expect(heading(page)).toEqual([200, 'Is this your account?'])
  expect(await prisma.externalIdentity.count({ where: { userId: id } })).toBe(isKnown ? 1 : 0)
  expect(await termsOf(id)).toBeNull()
  expect((await send('GET', `/Users/${id}`)).body).toMatchObject({ active: false })
  expect((await setActive(true)).status).toBe(200)
  expect(await termsOf(id)).toMatchObject({ role: 'member' })
})

test('the first sign-in without groups does not add such a user either', async () => {
  const { id, provider, signIn, termsOf } = await createInactive('member', false)
  delete provider.claims['groups']
  await signIn()
  expect(await termsOf(id)).toBeNull()
})
