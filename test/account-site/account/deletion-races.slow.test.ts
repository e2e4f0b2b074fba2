import { expect, test } from 'vitest'
import { createPerson } from '../../support/oauth/oauth.ts'
import { repetitions } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'
import { unique } from '../../support/data/team.ts'
import { alertOf, enter, heading, openAs } from '../../support/account-site/page-content.ts'

const service = useService()
const { database } = service
const { prisma } = database
const rounds = repetitions({ short: 4, full: 20 })

test('deleting an account while another browser creates a team leaves either no account or a team with its owner', async () => {
  for (let round = 0; round < rounds; round++) {
    const person = await createPerson(database)
    const [deleting, creating] = [await openAs(service, person, '/account/delete'), await openAs(service, person, '/teams/new')]
    const slug = unique('new')
    const [deleted, created] = await Promise.all([
      deleting.browser.press(deleting.page, 'Delete account', { typedEmail: person.email }),
      creating.browser.press(creating.page, 'Create team', { Name: 'New', Slug: slug }),
    ])
    const teams = await prisma.team.findMany({ where: { slug }, select: { members: { select: { userId: true, role: true } } } })
    if (teams.length === 0) {
      expect([heading(deleted), heading(created)]).toEqual([
        [200, 'Sign in'],
        [200, 'Sign in'],
      ])
      expect((await prisma.user.findUniqueOrThrow({ where: { id: person.id } })).deletionRequestedAt).not.toBeNull()
    } else {
      expect(teams).toEqual([{ members: [{ userId: person.id, role: 'owner' }] }])
      expect(alertOf(deleted)).toEqual([422, `The team New (${slug}) must keep at least one owner.`])
      expect(created.status).toBe(200)
      expect((await enter(creating.browser, person, '/account')).status).toBe(200)
    }
  }
})
