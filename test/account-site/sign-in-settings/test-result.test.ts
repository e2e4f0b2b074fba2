import { expect, test } from 'vitest'
import { contentOf } from '../../support/account-site/page-content.ts'
import { inTeam } from '../../support/account-site/team.ts'
import { createUser } from '../../support/data/team.ts'
import { seedProvider } from '../../support/identity-providers/seed-provider.ts'
import { seedTest, statedAnswer } from '../../support/identity-providers/seed-test.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

async function opened(provider: Parameters<typeof seedProvider>[2], answer: object | null) {
  const { team, person: user, browser } = await inTeam(service, 'owner', '/sign-in')
  const id = await seedProvider(service, team, { testedAt: new Date(), ...provider })
  if (answer) await seedTest(service, user, id, answer)
  const page = await browser.open(`/teams/${team.slug}/sign-in/${id}/test`)
  return {
    warnings: page.root.querySelectorAll('main p.caution').map(({ text }) => text),
    content: contentOf(page),
    page,
    team,
    id,
    browser,
  }
}

test('the result of a test says which claim is used for what, and shows everything that was sent', async () => {
  const { warnings, content, page } = await opened({}, statedAnswer)
  expect(warnings).toEqual([])
  expect(content).toContain('The identity provider sent everything that this service uses.')
  const rows = page.root.querySelectorAll('tbody tr').map((row) => row.querySelectorAll('th, td').map(({ text }) => text))
  expect(rows).toEqual([
    ['Identifying the user', 'sub', '00u1mx8dbwGqDGoLV5d7'],
    ['Email address', 'email', 'ada@example.com'],
    ['Name', 'name', 'Ada Moreau'],
    ['Groups', '', 'not read'],
  ])
  expect(
    page.root
      .querySelectorAll('#claims dt')
      .map(({ text }) => text)
      .toSorted(),
  ).toEqual(Object.keys(statedAnswer.claims).toSorted())
})

test('the result warns of what is missing', async () => {
  const nothing = { ...statedAnswer, email: null, name: null, claims: { sub: '1' } }
  const { warnings } = await opened({ groupsClaim: 'groups', testedAt: null, issuer: 'https://accounts.google.com' }, nothing)
  expect(warnings).toEqual([
    'The settings were changed after this test. Test the sign-in again.',
    expect.stringContaining('sends no email address'),
    expect.stringContaining('sends no name'),
    expect.stringContaining('sends no groups'),
    expect.stringContaining('does not belong to a Google Workspace organization'),
  ])
  const overage = { ...statedAnswer, claims: { ...statedAnswer.claims, _claim_names: { groups: 'src1' } } }
  expect((await opened({ groupsClaim: 'groups' }, overage)).warnings).toEqual([expect.stringContaining('too many groups')])
})

test('hides results of other users, of other providers, and expired ones', async () => {
  const { content, team, id, browser } = await opened({}, null)
  expect(content).toContain('You have not tested the sign-in recently.')
  await seedTest(service, await createUser(service.database), id)
  const path = `/teams/${team.slug}/sign-in/${id}/test`
  expect(contentOf(await browser.open(path))).toContain('You have not tested the sign-in recently.')
})
