import { beforeEach, describe, expect, test } from 'vitest'
import { createOwnedTeam } from '../../support/data/team.ts'
import { json, useCiIssuers } from '../../support/identities/ci-issuer.ts'
import { createIdentity, someConditions } from '../../support/identities/identity.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const issuers = useCiIssuers()
const members = 'issuer conditions { claim value }'
const create = `mutation ($input: CreateWorkloadIdentityInput!) { result: createWorkloadIdentity(input: $input) { identity { ${members} } } }`
const update = `mutation ($input: UpdateWorkloadIdentityInput!) { result: updateWorkloadIdentity(input: $input) { identity { ${members} } } }`

async function createScene() {
  const { team, owner } = await createOwnedTeam(service.database)
  return { team, session: await sessionOf(service, owner) }
}
let scene: Awaited<ReturnType<typeof createScene>>
beforeEach(async () => {
  scene = await createScene()
})

/** The outcomes of a new identity and of a change of an existing one. */
async function outcomesOf(input: { issuer: string; conditions?: object }) {
  const { team, session } = scene
  const id = await createIdentity(service, team)
  const valid = { name: 'Deploys', conditions: someConditions, scopes: ['acct:team:read'] }
  return [
    await executeAs(service, session, create, { input: { team: team.slug, ...valid, ...input } }),
    await executeAs(service, session, update, { input: { id, ...input } }),
  ]
}

const github = 'https://token.actions.githubusercontent.com'
const onGitHub = [
  { claim: 'repository_id', value: '74' },
  { claim: 'environment', value: 'production' },
]
const onGitLab = [
  { claim: 'project_id', value: '22' },
  { claim: 'ref_protected', value: 'true' },
]

describe('a condition that no ID token can meet is refused:', () => {
  const elsewhere = 'https://ci.example.com'
  const blank = 'must not begin or end with a blank'
  test.each([
    ['a pattern', elsewhere, someConditions, { claim: 'repository', value: 'repo:acme/*' }, 'must not have a wildcard'],
    ['a pattern as claim', elsewhere, someConditions, { claim: 'custom_*', value: 'x' }, 'must not have a wildcard'],
    ['a blank before a value', elsewhere, someConditions, { claim: 'ref', value: ' main' }, blank],
    ['a blank after a value', elsewhere, someConditions, { claim: 'ref', value: 'main\u00a0' }, blank],
    ['an invisible character after a value', elsewhere, someConditions, { claim: 'ref', value: 'main\u200b' }, blank],
    ['a blank after a claim', elsewhere, someConditions, { claim: 'ref ', value: 'main' }, blank],
    ['a branch of GitHub by its name alone', github, onGitHub, { claim: 'ref', value: 'main' }, 'such as refs/heads/main'],
    ['a truth value of GitHub in capitals', github, onGitHub, { claim: 'ref_protected', value: 'True' }, 'such as true'],
    ['a pull request of GitHub', github, onGitHub, { claim: 'event_name', value: 'pull_request' }, 'code of a fork'],
    ['the ref of a pull request', github, onGitHub, { claim: 'ref', value: 'refs/pull/1/merge' }, 'code of a fork'],
    ['a branch of GitLab by its path', 'https://gitlab.com', onGitLab, { claim: 'ref', value: 'refs/heads/main' }, 'such as main'],
    ['the same at a self-managed GitLab', elsewhere, onGitLab, { claim: 'ref', value: 'refs/heads/main' }, 'such as main'],
  ])('%s', async (_, issuer, others, condition, message) => {
    for (const { refusal } of await outcomesOf({ issuer, conditions: [...others, condition] })) {
      const [field = '', [text] = []] = Object.entries(refusal?.details.errors ?? {})[0] ?? []
      expect([refusal?.code, field.startsWith('conditions'), text]).toEqual(['validation_failed', true, expect.stringContaining(message)])
    }
  })
})

describe('the issuer of an identity is stored as its ID tokens write it:', () => {
  const issuerOf = async (issuer: string, conditions: object = someConditions) =>
    (await outcomesOf({ issuer, conditions })).map(({ data, refusal }) => data?.result?.identity?.issuer ?? refusal?.details.errors)

  test.each([
    [github, `${github}/`],
    [github, 'HTTPS://Token.Actions.GitHubUserContent.com'],
    [`${github}/acme`, `${github}:443/acme/`],
    [github, `${github}/.well-known/openid-configuration`],
    ['https://git.example.com/_services/token', 'https://Git.example.com/_services/token/'],
  ])('GitHub’s %s from %s', async (issuer, entered) => {
    expect(await issuerOf(entered, onGitHub)).toEqual([issuer, issuer])
  })

  test('GitLab’s without a slash', async () => {
    expect(await issuerOf('https://GitLab.com/', onGitLab)).toEqual(['https://gitlab.com', 'https://gitlab.com'])
  })

  test.each(['', '/'])('that of a service whose issuer ends with “%s” from its metadata', async (end) => {
    const issuer = await issuers.create()
    const name = issuer.url + end
    issuer.metadata = json({ issuer: name, jwks_uri: `${issuer.url}/jwks` })
    for (const entered of ['', '/', '/.well-known/openid-configuration'].map((tail) => issuer.url.replace('http', 'HTTP') + tail))
      expect(await issuerOf(entered)).toEqual([name, name])
  })

  test('and another one than that of the metadata is refused', async () => {
    const issuer = await issuers.create()
    issuer.metadata = json({ issuer: 'https://ci.example.com/other', jwks_uri: `${issuer.url}/jwks` })
    const refused = { issuer: [expect.stringContaining('is that of another issuer: https://ci.example.com/other.')] }
    expect(await issuerOf(issuer.url)).toEqual([refused, refused])
  })

  test.each(['https://ci.example.com', 'https://ci.example.com/', 'https://ci.example.com/a/B'])(
    '%s, whose metadata cannot be read yet, as entered',
    async (issuer) => expect(await issuerOf(issuer)).toEqual([issuer, issuer]),
  )

  test('and its host in lower case also then', async () => {
    expect(await issuerOf('https://CI.Example.com/A/')).toEqual(['https://ci.example.com/A/', 'https://ci.example.com/A/'])
  })
})
