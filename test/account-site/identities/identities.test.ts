import { describe, expect, test } from 'vitest'
import { alertOf, contentOf, heading } from '../../support/account-site/page-content.ts'
import { inTeam, wrongOf } from '../../support/account-site/team.ts'
import { createIdentity, someConditions } from '../../support/identities/identity.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database
const identitiesOf = (teamId: string) => prisma.workloadIdentity.findMany({ where: { teamId } })

describe('a new workload identity', () => {
  test('of a workflow of GitHub Actions leads to the workflow, filled in', async () => {
    const { team, browser, page } = await inTeam(service, 'owner', '/tokens')
    const list = await browser.open(page.root.querySelector('main a[href$="/identities"]')?.getAttribute('href') ?? '')
    expect(contentOf(list)).toContain('without a stored secret')
    const form = await browser.open(list.root.querySelector('main a.button')?.getAttribute('href') ?? '')
    const fields = {
      Name: 'Deploys',
      'Repository ID': '74',
      Environment: 'production',
      'Protected branch': 'main',
      scopes: ['acct:team:read'],
    }
    const created = await browser.press(form, 'Create workload identity', fields)
    const [identity] = await identitiesOf(team.id)
    expect([heading(created), created.url.pathname]).toEqual([[200, 'Deploys'], `/teams/${team.slug}/identities/${identity?.id}`])
    expect(identity).toMatchObject({
      issuer: 'https://token.actions.githubusercontent.com',
      conditions: [
        { claim: 'repository_id', value: '74' },
        { claim: 'environment', value: 'production' },
        { claim: 'ref', value: 'refs/heads/main' },
        { claim: 'ref_protected', value: 'true' },
      ],
      scopes: ['acct:team:read'],
    })
    for (const text of [
      'repository_id is 74',
      'environment is production',
      `client_id=${identity?.id}`,
      `audience=${service.url}`,
      'id-token: write',
    ])
      expect(contentOf(created).replaceAll(/\s+/g, ' ')).toContain(text)
  })

  test('of a pipeline of a self-managed GitLab', async () => {
    const { team, browser } = await inTeam(service, 'owner', '/identities')
    const form = await browser.open(`/teams/${team.slug}/identities/new?preset=gitlab`)
    const fields = { Name: 'CI', 'Project ID': '20', 'GitLab URL': 'https://git.example.com', scopes: ['teams'] }
    const created = await browser.press(form, 'Create workload identity', fields)
    expect(await identitiesOf(team.id)).toMatchObject([{ issuer: 'https://git.example.com' }])
    expect(contentOf(created)).toContain('.gitlab-ci.yml')
  })

  test('of another provider takes one condition a line', async () => {
    const { team, browser } = await inTeam(service, 'owner', '/identities')
    const form = await browser.open(`/teams/${team.slug}/identities/new?preset=other`)
    const fields = {
      Name: 'CI',
      Issuer: 'https://ci.example.com',
      Conditions: 'sub = a = b\r\n\r\nenvironment=production',
      scopes: ['teams'],
    }
    await browser.press(form, 'Create workload identity', fields)
    const conditions = [
      { claim: 'sub', value: 'a = b' },
      { claim: 'environment', value: 'production' },
    ]
    expect(await identitiesOf(team.id)).toMatchObject([{ conditions }])
  })

  test.each<[preset: string, fields: Record<string, string | string[]>, field: string, message: string]>([
    ['github', { 'Repository ID': 'octo/app', Environment: 'x' }, 'projectId', 'Enter the number of the repository, not its name.'],
    ['github', { 'Repository ID': '74' }, 'environment', 'Enter an environment, a branch, or both.'],
    ['gitlab', { 'Project ID': '', scopes: ['teams'] }, 'projectId', 'Enter the number of the project, not its name.'],
    ['gitlab', { 'Project ID': '1', 'GitLab URL': 'http://git.example.com' }, 'issuer', 'GitLab URL must be an https URL.'],
    ['github', { 'Repository ID': '74', Environment: 'x', scopes: [] }, 'scopes', 'Choose at least one permission.'],
    ['github', { Name: '', 'Repository ID': '74', Environment: 'x' }, 'name', 'Enter a name.'],
    ['other', { Conditions: 'sub' }, 'conditions', 'Write each condition as “claim = value”: “sub” has no “=”.'],
    ['other', { Issuer: 'https://10.0.0.1' }, 'issuer', 'Issuer must name a host on the public internet.'],
    ['other', { Conditions: 'sub = a' }, 'conditions', 'Conditions must have at least 2 items.'],
    [
      'other',
      { Conditions: 'sub = a\niss = b' },
      'conditions',
      'Conditions must not be iss, aud, exp, nbf, iat or jti, which are checked in every token.',
    ],
  ])('%s with %j is refused at its field, and what was typed stays', async (preset, changes, field, message) => {
    const { team, browser } = await inTeam(service, 'owner', '/identities')
    const form = await browser.open(`/teams/${team.slug}/identities/new?preset=${preset}`)
    const defaults: Record<string, string> = preset === 'other' ? { Issuer: 'https://ci.example.com', Conditions: 'sub = a\nb = c' } : {}
    const refused = await browser.press(form, 'Create workload identity', { Name: 'CI', scopes: ['teams'], ...defaults, ...changes })
    expect([refused.status, wrongOf(refused, field)]).toEqual([422, message])
    for (const value of Object.values(changes).flat()) expect(refused.root.toString()).toContain(value.split('\n')[0])
    expect(await identitiesOf(team.id)).toEqual([])
  })

  test('is created once, however often the form is sent, and not beyond 50', async () => {
    const { team, browser } = await inTeam(service, 'owner', '/identities')
    const form = await browser.open(`/teams/${team.slug}/identities/new`)
    const fields = { Name: 'CI', 'Repository ID': '74', Environment: 'x', scopes: ['teams'] }
    const [created, again] = [
      await browser.press(form, 'Create workload identity', fields),
      await browser.press(form, 'Create workload identity', fields),
    ]
    expect([again.status, again.url.href]).toEqual([200, created.url.href])
    expect(alertOf(await browser.press(form, 'Create workload identity', { ...fields, Name: 'CD' }))).toEqual([
      422,
      'The workload identity was already created, with other values.',
    ])
    expect(await identitiesOf(team.id)).toHaveLength(1)
    const data = { teamId: team.id, name: 'x', issuer: 'https://ci.example.com', conditions: [], scopes: ['teams'] }
    await prisma.workloadIdentity.createMany({ data: Array.from({ length: 49 }, () => data) })
    expect(contentOf(await browser.open(`/teams/${team.slug}/identities`))).toContain(
      'A team can have 50 workload identities. Delete one to create another.',
    )
  })
})

test('an identity is changed and deleted on its page', async () => {
  const { team, browser } = await inTeam(service, 'owner', '/identities')
  const id = await createIdentity(service, team)
  const path = `/teams/${team.slug}/identities/${id}`
  const page = await browser.open(path)
  const saved = await browser.press(page, 'Save', { Name: 'Releases', Conditions: 'sub = b\nref = main', scopes: ['teams'] })
  expect(saved.text).toContain('The workload identity was saved.')
  const conditions = [
    { claim: 'sub', value: 'b' },
    { claim: 'ref', value: 'main' },
  ]
  expect(await identitiesOf(team.id)).toMatchObject([{ name: 'Releases', conditions, scopes: ['teams'] }])
  const deleted = await browser.press(saved, 'Delete this workload identity')
  expect([deleted.url.pathname, deleted.text.includes('The workload identity was deleted.')]).toEqual([
    `/teams/${team.slug}/identities`,
    true,
  ])
  expect(await identitiesOf(team.id)).toEqual([])
})

test('access to the team shows the identity, and revoking it there deletes it', async () => {
  const { team, browser } = await inTeam(service, 'owner', '/access')
  await createIdentity(service, team, { name: 'Nightly', conditions: someConditions })
  const page = await browser.open(`/teams/${team.slug}/access`)
  expect(contentOf(page)).toContain('Workload identity')
  await browser.press(page, 'Revoke access')
  expect(await identitiesOf(team.id)).toEqual([])
})

test('members and billing members have no such pages', async () => {
  for (const role of ['member', 'billing'] as const) expect((await inTeam(service, role, '/identities')).page.status).toBe(403)
})
