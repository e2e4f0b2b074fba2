import { describe, expect, test } from 'vitest'
import type { Application, Role } from '../../../prisma/generated/client/enums.ts'
import { patchOf } from '../../support/scim/directory.ts'
import { createGroups } from '../../support/scim/groups.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database

const terms = (role: Role, managed: boolean, applications: Application[] | null = null) => ({
  role,
  managed,
  allApplications: applications === null,
  applications: applications ?? [],
})

describe('the roles of groups', () => {
  test('follow the groups of the directory', async () => {
    const { team, provision, createGroup, patch, termsOf, send } = await createGroups(service, {
      Dev: ['member', ['flow']],
      Acc: ['billing', ['cert']],
    })
    const { id } = await provision('ada')
    const dev = await createGroup('Dev', [id])
    expect(await termsOf(id)).toEqual(terms('member', true, ['flow']))
    const acc = await createGroup('Accounting', [id], { externalId: 'Acc' })
    expect(await termsOf(id)).toEqual(terms('member', true, ['cert', 'flow']))
    await patch(dev.id, { op: 'remove', path: 'members', value: [{ value: id }] })
    expect(await termsOf(id)).toEqual(terms('billing', true, ['cert']))
    await send('DELETE', `/Groups/${acc.id}`)
    expect(await termsOf(id)).toEqual(terms('member', true))
    await patch(dev.id, { op: 'add', path: 'members', value: [{ value: id }] })
    await patch(dev.id, { op: 'replace', path: 'displayName', value: 'Other' })
    expect(await termsOf(id)).toEqual(terms('member', true))
    expect(await prisma.auditEntry.count({ where: { teamId: team.id, action: 'applyGroups' } })).toBe(6)
  })

  test('are those of a user who is activated again', async () => {
    const { provision, createGroup, termsOf, send } = await createGroups(service, { Dev: ['billing'] })
    const { id } = await provision('ada')
    await createGroup('Dev', [id])
    await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: false }))
    await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: true }))
    expect(await termsOf(id)).toEqual(terms('billing', true))
  })

  test('count at once when an owner changes them', async () => {
    const { team, owner, provision, createGroup, termsOf } = await createGroups(service)
    const { id } = await provision('ada')
    await createGroup('Dev', [id])
    const document = `mutation ($team: String!, $groups: [GroupRoleInput!]!) { setGroupRoles(input: { team: $team, groups: $groups }) { team { slug } } }`
    const set = async (groups: object[]) => executeAs(service, await sessionOf(service, owner), document, { team: team.slug, groups })
    await set([{ group: 'Dev', role: 'BILLING' }])
    expect(await termsOf(id)).toEqual(terms('billing', true))
    await set([])
    expect(await termsOf(id)).toEqual(terms('billing', false))
  })

  test('never concern an owner', async () => {
    const { owner, createGroup, termsOf } = await createGroups(service, { Dev: ['billing'] })
    await createGroup('Dev', [owner.id])
    expect(await termsOf(owner.id)).toEqual(terms('owner', false))
  })
})
