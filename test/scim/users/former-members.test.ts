import { expect, test } from 'vitest'
import { createGroups } from '../../support/scim/groups.ts'
import { patchOf } from '../../support/scim/directory.ts'
import { useService } from '../../support/service/service.ts'

// What the account of a user becomes after the membership is no business of the team.

const service = useService()
const { prisma } = service.database

test('a directory does not learn the new name and address of a user who left', async () => {
  const { team, send, provision, createGroup, patch } = await createGroups(service)
  const { id } = await provision('ada', { displayName: 'Ada' })
  const group = await createGroup('Sales', [id])
  await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: false }))
  const present = { name: 'Countess', email: `countess-${id}@home.example` }
  await prisma.user.update({ where: { id }, data: present })
  const filter = encodeURIComponent(`members.display eq "${present.name}"`)
  const answers = [
    await send('GET', `/Users/${id}`),
    await send('GET', `/Groups/${group.id}`),
    await send('GET', `/Groups?filter=${filter}`),
    await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: true })),
    await patch(group.id, { op: 'remove', path: 'members' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204])
  expect(answers[1]?.body).toMatchObject({ members: [{ value: id, display: 'Ada' }] })
  expect(answers[2]?.body).toMatchObject({ totalResults: 0 })
  const entries = await prisma.auditEntry.findMany({ where: { teamId: team.id } })
  expect(entries.filter(({ action }) => action === 'updateScimGroup')).toMatchObject([
    { before: { memberCount: 1 }, after: { memberCount: 0 } },
  ])
  for (const text of [present.name, present.email, 'home.example'])
    expect(JSON.stringify([answers.map(({ body }) => body), entries])).not.toContain(text)
})
