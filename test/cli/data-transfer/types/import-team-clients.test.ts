import { beforeAll, describe, expect, test } from 'vitest'
import { useCli } from '../../../support/service/cli.ts'

const cli = useCli()
beforeAll(() => cli.answer('team', 'create', '--slug', 'makers', '--name', 'Makers'))

const record = (client_id: string, changes: object = {}) => ({
  type: 'client',
  client_id,
  name: client_id,
  redirect_uris: ['https://app.example/cb'],
  confidential: true,
  grants: ['authorization_code', 'client_credentials'],
  scopes: { required: ['openid'], optional: ['teams'] },
  team: 'none',
  owner_team: 'makers',
  ...changes,
})
const show = (id: string) => cli.answer('client', 'show', id)

describe('an import of clients of teams', () => {
  test.each([
    ['a draft', { state: 'draft' }, { state: 'draft', owner_team: 'makers', proposed_changes: [] }],
    ['a rejected one', { state: 'rejected', rejection_reason: 'No' }, { state: 'rejected', rejection_reason: 'No' }],
    ['a listed one', {}, { state: 'listed', owner_team: 'makers' }],
    [
      'one with proposed changes',
      { proposed_changes: { name: 'Other' } },
      { state: 'listed', proposed_changes: [{ member: 'name', live: [expect.any(String)], proposed: ['Other'] }] },
    ],
  ])('creates %s', async (what, changes, shown) => {
    const id = what.replaceAll(' ', '-')
    expect(await cli.import([record(id, changes)])).toMatchObject({ status: 0 })
    const created = await show(id)
    expect(created).toMatchObject(shown)
    await cli.import([record(id, changes)])
    expect(await show(id)).toEqual(created)
  })

  test.each([
    ['a team that does not exist', { owner_team: 'none' }, 'There is no team none.'],
    [
      'a state without a team',
      { owner_team: undefined, state: 'draft', grants: ['authorization_code'] },
      'is required for a client that is draft',
    ],
    ['client credentials without a team', { owner_team: undefined }, 'client_credentials'],
    ['an unknown state', { state: 'open' }, 'state'],
    ['proposed changes of a draft', { state: 'draft', proposed_changes: { name: 'x' } }, 'goes with a listed client of a team only'],
    ['an unknown member in proposed changes', { proposed_changes: { verify: true } }, 'proposed_changes'],
  ])('refuses %s', async (what, changes, message) => {
    const id = what.replaceAll(' ', '-')
    const { status, stderr, stdout } = await cli.import([record(id, changes)])
    expect([status, stderr + stdout]).toEqual([1, expect.stringContaining(message)])
    expect((await cli.run('client', 'show', id)).status).toBe(1)
  })
})
