import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { schema } from '../../schema/index.ts'
import type { Requirement } from '../../schema/requires.ts'
import { executeAs } from '../support/in-process.ts'
import { startService } from '../support/service.ts'
import { everything } from './everything.ts'
import { scenarios, surroundings } from './mutation-scenarios.ts'

const service = await startService()

/** What somebody who finds an unlocked screen must not do: by name, so that none of it is opened to them unnoticed. */
const dangerous = [
  'changePassword',
  'confirmTotp',
  'createPersonalToken',
  'createTeamToken',
  'deleteAccount',
  'deletePasskey',
  'disableSecondFactor',
  'regenerateRecoveryCodes',
  'registerPasskey',
  'renamePasskey',
  'requestEmailChange',
  'requirePasskey',
  'revokeOtherSessions',
  'revokeSession',
  'rotateToken',
]

test('these mutations alone require a recent sign-in', () => {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {})
  const requiring = fields.filter(({ extensions }) => (extensions.requires as Requirement | undefined)?.recentSignIn)
  expect(requiring.map(({ name }) => name).toSorted()).toEqual(dangerous)
})

describe.each(dangerous)('%s', (name) => {
  async function asked(minutesAgo: number) {
    const scenario = scenarios[name]
    if (!scenario) throw new Error('no scenario')
    const { as, variables } = await scenario.make(await surroundings(service))
    if (as.kind !== 'user') throw new Error('nobody’s session')
    const session = { ...as, authenticatedAt: new Date(service.clock.now().getTime() - minutesAgo * 60_000) }
    const before = await everything(service)
    const { data, refusal } = await executeAs(service, session, scenario.document, variables)
    const isUnchanged = isDeepStrictEqual(await everything(service), before)
    return { data, code: refusal?.code, isUnchanged }
  }

  test('is refused to a session whose sign-in is 16 minutes ago, and changes nothing', async () => {
    expect(await asked(16)).toEqual({ data: null, code: 'recent_sign_in_required', isUnchanged: true })
  })

  test('is open to one whose sign-in is 14 minutes ago', async () => {
    expect(await asked(14)).toEqual({ data: { [name]: expect.anything() }, code: undefined, isUnchanged: false })
  })
})

describe.each([
  [
    'invites an owner',
    'inviteMember',
    'mutation ($team: String!) { inviteMember(input: { team: $team, email: "o@example.test", role: OWNER }) { invitation { id } } }',
  ],
  [
    'makes a member an owner',
    'updateMember',
    'mutation ($team: String!, $id: ID!) { updateMember(input: { team: $team, userId: $id, role: OWNER }) { member { id } } }',
  ],
])('whoever %s', (_, name, document) => {
  test.each([
    [16, 'recent_sign_in_required'],
    [14, undefined],
  ])('%s minutes after signing in: %s', async (minutesAgo, code) => {
    const { as, team, member } = await surroundings(service)
    const session = { ...as, authenticatedAt: new Date(service.clock.now().getTime() - minutesAgo * 60_000) }
    const { data, refusal } = await executeAs(service, session, document, { team: team.slug, id: member.id })
    expect([refusal?.code, data?.[name] !== undefined]).toEqual([code, code === undefined])
  })
})
