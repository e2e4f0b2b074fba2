import { describe, expect, test } from 'vitest'
import { mutate } from '../../support/http/mutate.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'

// A disabled account can sign in to nothing, so it does not count as an owner who remains.

const service = useService()
const { database } = service

/** Creates a team with one enabled and one disabled owner. */
async function createTeamWithDisabledOwner() {
  const owned = await createOwnedTeam(database)
  const disabled = await createUser(database, { disabledAt: new Date() })
  await join(database, owned.team, disabled, 'owner')
  return { ...owned, disabled }
}
const message = 'The team must keep at least one owner.'

describe('the only owner with an enabled account', () => {
  test.each([
    ['leave', (team: string) => `leaveTeam(input: { team: "${team}" }) { member { role } }`],
    [
      'be demoted',
      (team: string, id: string) => `updateMember(input: { team: "${team}", userId: "${id}", role: MEMBER }) { member { role } }`,
    ],
    ['be removed', (team: string, id: string) => `removeMember(input: { team: "${team}", userId: "${id}" }) { member { role } }`],
  ])('cannot %s', async (_, mutation) => {
    const { team, owner } = await createTeamWithDisabledOwner()
    const { refusal } = await executeAs(service, await sessionOf(service, owner), `mutation { ${mutation(team.slug, owner.id)} }`, {})
    expect([refusal?.code, refusal?.details.errors]).toEqual(['last_owner', { role: [message] }])
  })

  test('cannot delete the account, which lists the team as solely owned', async () => {
    const { team, owner } = await createTeamWithDisabledOwner()
    const session = await sessionOf(service, owner)
    const { data } = await executeAs(service, session, '{ viewer { solelyOwnedTeams { slug hasOtherMembers } } }', {})
    expect(data.viewer.solelyOwnedTeams).toEqual([{ slug: team.slug, hasOtherMembers: true }])
    for (const [principal, mutation] of [
      [session, 'deleteAccount'],
      [operator, `deleteUser(input: { email: "${owner.email}" })`],
    ] as const) {
      const { refusal } = await executeAs(service, principal, `mutation { ${mutation} { user { email } } }`, {})
      expect(refusal?.code).toBe('last_owner')
    }
  })

  test('can remove the disabled owner', async () => {
    const { team, token, disabled } = await createTeamWithDisabledOwner()
    const remove = `mutation { removeMember(input: { team: "${team.slug}", userId: "${disabled.id}" }) { member { role } } }`
    expect((await mutate(service, token, remove)).refusal).toBeNull()
  })
})

test('a deleted team whose owners are all disabled is restored with a new owner only', async () => {
  const { team, owner } = await createOwnedTeam(database)
  const heir = await createUser(database)
  await executeAs(
    service,
    operator,
    `mutation { deleteTeam(input: { team: "${team.slug}", confirmSlug: "${team.slug}" }) { team { slug } } }`,
    {},
  )
  await database.prisma.user.update({ where: { id: owner.id }, data: { disabledAt: new Date() } })
  const restore = async (more = '') =>
    (await executeAs(service, operator, `mutation { restoreTeam(input: { team: "${team.slug}"${more} }) { team { slug } } }`, {})).refusal
  expect((await restore())?.details.errors).toEqual({
    owner: ['The accounts of all owners were deleted or disabled: name an account that becomes the owner.'],
  })
  expect(await restore(`, owner: "${heir.email}"`)).toBeNull()
})
