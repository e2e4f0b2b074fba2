import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CompactSign, exportJWK, generateKeyPair } from 'jose'
import type { CryptoKey, JWK, JWTPayload } from 'jose'
import { afterAll, beforeAll } from 'vitest'

/** A key of an issuer with its public form. */
export interface IssuerKey {
  privateKey: CryptoKey
  publicJwk: JWK & { kid: string }
}

export async function createKey(alg = 'RS256', kid = 'key-1'): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void

export const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** An issuer of ID tokens for jobs, at a path of its own. A test changes how it answers. */
export interface CiIssuer {
  readonly url: string
  key: IssuerKey
  metadata: Answer
  keys: Answer
  /** The paths that were requested. */
  readonly requests: string[]
  /** Signs claims with the key of the issuer. */
  sign(claims: object, header?: object, key?: IssuerKey): Promise<string>
}

const sign = (claims: object, header: object, { privateKey, publicJwk }: IssuerKey): Promise<string> =>
  new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ typ: 'JWT', alg: publicJwk.alg ?? 'RS256', kid: publicJwk.kid, ...header })
    .sign(privateKey)

/** Runs issuers during the tests of a file. `create` returns a new one, with the given end of its URL. */
export function useCiIssuers(): { create(suffix?: string): Promise<CiIssuer>; origin(): string } {
  const issuers = new Map<string, CiIssuer & { requests: string[] }>()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [path = '', issuer] = [...issuers].find(([each]) => pathname.startsWith(`${each}/`)) ?? []
    issuer?.requests.push(pathname.slice(path.length))
    if (pathname === `${path}/.well-known/openid-configuration`) issuer?.metadata(response, request)
    else if (pathname === `${path}/jwks`) issuer?.keys(response, request)
    else response.writeHead(404).end()
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    origin,
    async create(suffix = '') {
      const path = `/${issuers.size + 1}${suffix}`
      const url = `${origin()}${path}`
      const issuer: CiIssuer & { requests: string[] } = {
        url,
        key: await createKey(),
        metadata: json({ issuer: url, jwks_uri: `${url}/jwks` }),
        keys: (response, request) => json({ keys: [issuer.key.publicJwk] })(response, request),
        requests: [],
        sign: (claims, header = {}, key = issuer.key) => sign(claims, header, key),
      }
      issuers.set(path, issuer)
      return issuer
    },
  }
}

/** The end of the URL of an issuer that is known to be GitHub's, that of GitHub Enterprise Server. */
export const githubSuffix = '/_services/token'

let counter = 0
/** Times and identifier of a token that is valid for a quarter of an hour, as GitHub sets them. */
function registered(iss: string, aud: string, now: Date): JWTPayload {
  const seconds = Math.floor(now.getTime() / 1000)
  return { iss, aud, iat: seconds, nbf: seconds - 5, exp: seconds + 900, jti: `job-${process.pid}-${++counter}` }
}

/** The claims of an ID token of GitHub Actions: https://docs.github.com/en/actions/reference/security/oidc */
export const githubClaims = (iss: string, aud: string, now = new Date()) => ({
  ...registered(iss, aud, now),
  sub: 'repo:octo-org/octo-repo:environment:production',
  environment: 'production',
  ref: 'refs/heads/main',
  sha: '1f2b8a7c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a',
  repository: 'octo-org/octo-repo',
  repository_owner: 'octo-org',
  actor_id: '12',
  repository_visibility: 'private',
  repository_id: '74',
  repository_owner_id: '65',
  run_id: '8421',
  run_number: '10',
  run_attempt: '2',
  runner_environment: 'github-hosted',
  actor: 'octocat',
  workflow: 'deploy',
  head_ref: '',
  base_ref: '',
  event_name: 'push',
  ref_protected: 'true',
  ref_type: 'branch',
  workflow_ref: 'octo-org/octo-repo/.github/workflows/deploy.yml@refs/heads/main',
  workflow_sha: '1f2b8a7c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a',
  job_workflow_ref: 'octo-org/octo-automation/.github/workflows/oidc.yml@refs/heads/main',
  job_workflow_sha: '0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b',
})

/** The claims of an ID token of GitLab CI: https://docs.gitlab.com/ci/secrets/id_token_authentication */
export const gitlabClaims = (iss: string, aud: string, now = new Date()) => ({
  ...registered(iss, aud, now),
  sub: 'project_path:my-group/my-project:ref_type:branch:ref:main',
  namespace_id: '72',
  namespace_path: 'my-group',
  project_id: '20',
  project_path: 'my-group/my-project',
  user_id: '1',
  user_login: 'sample-user',
  user_email: 'sample-user@example.com',
  user_access_level: 'developer',
  pipeline_id: '574',
  pipeline_source: 'push',
  job_id: '302',
  ref: 'main',
  ref_type: 'branch',
  ref_path: 'refs/heads/main',
  ref_protected: 'true',
  groups_direct: ['my-group'],
  environment: 'production',
  environment_protected: 'false',
  deployment_tier: 'production',
  environment_action: 'start',
  runner_id: 1,
  runner_environment: 'self-hosted',
  sha: '714a629c0b401fdce83e847fc9589983fc6f46bc',
  project_visibility: 'public',
  ci_config_ref_uri: 'gitlab.example.com/my-group/my-project//.gitlab-ci.yml@refs/heads/main',
  ci_config_sha: '714a629c0b401fdce83e847fc9589983fc6f46bc',
})
