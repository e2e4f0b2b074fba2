import { describe, expect, test } from 'vitest'
import { enter, heading } from '../../support/account-site/page-content.ts'
import { rowsOf } from '../../support/account-site/team.ts'
import { Browser } from '../../support/browser/browser.ts'
import { join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { createGroups } from '../../support/scim/groups.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database

/** A directory, and the entries about its groups since the last call. */
async function createAudited() {
  const groups = await createGroups(service)
  const { team, domain } = groups
  let seen = 0
  const entries = async () => {
    const where = { teamId: team.id, action: { in: ['createScimGroup', 'updateScimGroup', 'deleteScimGroup'] } }
    const rows = await prisma.auditEntry.findMany({ where, orderBy: [{ at: 'asc' }, { id: 'asc' }] })
    const unseen = rows.slice(seen)
    seen = rows.length
    return unseen
  }
  const changes = async () => (await entries()).map(({ action, subjectName, before, after }) => [action, subjectName, before, after])
  return { ...groups, entries, changes, address: (name: string) => `${name}@${domain}` }
}

describe('the audit log', () => {
  test('says which token created a group, and with which members', async () => {
    const { team, provision, createGroup, entries, address } = await createAudited()
    const { id } = await createGroup('Engineering', [(await provision('bo')).id, (await provision('ada')).id], { externalId: 'e1' })
    const token = await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id, name: 'Directory' } })
    expect(await entries()).toEqual([
      expect.objectContaining({
        action: 'createScimGroup',
        actorKind: 'team',
        actorName: 'Directory',
        authenticationMethod: 'team_token',
        credentialId: token.id,
        teamId: team.id,
        subject: id,
        subjectName: 'Engineering',
        before: null,
        after: { displayName: 'Engineering', externalId: 'e1', memberCount: 2, addedMembers: [address('ada'), address('bo')] },
      }),
    ])
  })

  test('says what changed of a group, and nothing of a request that changes nothing', async () => {
    const { send, provision, createGroup, patch, changes, address } = await createAudited()
    const [ada, bo] = [await provision('ada'), await provision('bo')]
    const { id } = await createGroup('Sales', [ada.id])
    await changes()
    await patch(id, { op: 'replace', path: 'displayName', value: 'Sales 2' })
    await patch(id, { op: 'replace', path: 'displayName', value: 'Sales 2' }, { op: 'add', path: 'members', value: [{ value: ada.id }] })
    await patch(id, { op: 'add', path: 'members', value: [{ value: bo.id }] })
    await patch(id, { op: 'remove', path: 'members' }, { op: 'add', path: 'members', value: [{ value: ada.id }] })
    await send('PUT', `/Groups/${id}`, { displayName: 'Sales 3', externalId: 's', members: [{ value: bo.id }] })
    expect(await changes()).toEqual([
      ['updateScimGroup', 'Sales 2', { displayName: 'Sales' }, { displayName: 'Sales 2' }],
      ['updateScimGroup', 'Sales 2', { memberCount: 1 }, { memberCount: 2, addedMembers: [address('bo')] }],
      ['updateScimGroup', 'Sales 2', { memberCount: 2, removedMembers: [address('bo')] }, { memberCount: 1 }],
      [
        'updateScimGroup',
        'Sales 3',
        { displayName: 'Sales 2', externalId: null, removedMembers: [address('ada')] },
        { displayName: 'Sales 3', externalId: 's', addedMembers: [address('bo')] },
      ],
    ])
  })

  test('says that a group was deleted, and which members it had', async () => {
    const { send, provision, createGroup, changes, address } = await createAudited()
    const { id } = await createGroup('Sales', [(await provision('ada')).id])
    await changes()
    await send('DELETE', `/Groups/${id}`)
    const before = { displayName: 'Sales', externalId: null, memberCount: 1, removedMembers: [address('ada')] }
    expect(await changes()).toEqual([['deleteScimGroup', 'Sales', before, null]])
  })

  test('names twenty members of a change at most, and counts all', async () => {
    const { provision, createGroup, changes } = await createAudited()
    const ids: string[] = []
    for (let n = 0; n < 21; n++) ids.push((await provision(`u${n}`)).id)
    await createGroup('Large', ids)
    const [[, , , after] = []] = await changes()
    expect(after).toMatchObject({ memberCount: 21, addedMembers: { length: 20 } })
  })

  test('has no entry of a request that is refused', async () => {
    const { send, createGroup, patch, changes } = await createAudited()
    const { id } = await createGroup('Sales')
    await createGroup('Support')
    await changes()
    expect((await send('POST', '/Groups', { displayName: 'sales' })).status).toBe(409)
    expect((await patch(id, { op: 'replace', path: 'displayName', value: 'Support' })).status).toBe(409)
    expect(await changes()).toEqual([])
  })

  test('shows on its pages what the directory did', async () => {
    const { team, send, provision, createGroup, patch, address } = await createAudited()
    const ada = await provision('ada')
    const { id } = await createGroup('Sales')
    await patch(id, { op: 'add', path: 'members', value: [{ value: ada.id }] })
    await send('DELETE', `/Groups/${id}`)
    const [browser, owner] = [new Browser(service.url), await createPerson(service.database)]
    await join(service.database, team, owner, 'owner')
    const page = await enter(browser, owner, `/teams/${team.slug}/audit-trail`)
    const sentences = ['deleted the directory group Sales', 'changed the directory group Sales', 'created the directory group Sales']
    expect(
      rowsOf(page)
        .map((row) => row[1])
        .filter((text) => text?.includes('group')),
    ).toEqual(sentences)
    const link = page.root.querySelectorAll('.rows tr').find(({ text }) => text.includes('changed'))
    const entry = await browser.open(link?.querySelector('a.entry')?.getAttribute('href') ?? '')
    expect([heading(entry), rowsOf(entry)]).toEqual([
      [200, 'Directory group changed'],
      [
        ['Number of members', '0', '1'],
        ['Added members', '', address('ada')],
      ],
    ])
  })
})
