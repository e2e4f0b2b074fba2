import type { Condition } from './conditions.ts'
import { findPreset } from './presets.ts'

interface SampleOptions {
  authUrl: string
  /** Identifier of the identity, which is its `client_id`. */
  id: string
  conditions: readonly Condition[]
}

export interface SampleJob {
  /** Path of the file, or its kind. */
  file: string
  code: string
}

/** Builds the commands that exchange the ID token in `$ID_TOKEN`, and put the token of the team into `$TOKEN`. */
const exchange = ({ authUrl, id }: SampleOptions, indent: string) =>
  `TOKEN=$(curl -sS --fail-with-body ${authUrl}/api/oauth/token \\
  -d grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer \\
  -d client_id=${id} \\
  --data-urlencode "assertion=$ID_TOKEN" | jq -er .access_token)`.replaceAll('\n', `\n${indent}`)

const call = ({ authUrl }: SampleOptions) => `curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" ${authUrl}/api/v1/user`

const findValue = ({ conditions }: SampleOptions, claim: string) => conditions.find((each) => each.claim === claim)?.value
/** Quotes a name for a YAML file with JSON, which is valid YAML. */
const quoted = (name: string) => (/^[\w./-]+$/.test(name) ? name : JSON.stringify(name))

function githubWorkflow(options: SampleOptions): string {
  const environment = findValue(options, 'environment')
  const branch = (findValue(options, 'ref') ?? 'refs/heads/main').replace('refs/heads/', '')
  return `on:
  push:
    branches: [${quoted(branch)}]
permissions:
  contents: read
  id-token: write
jobs:
  call-api:
    runs-on: ubuntu-latest${environment === undefined ? '' : `\n    environment: ${quoted(environment)}`}
    steps:
      - name: Get a token of the team
        run: |
          ID_TOKEN=$(curl -sS --fail-with-body -G "$ACTIONS_ID_TOKEN_REQUEST_URL" \\
            -H "Authorization: Bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" \\
            --data-urlencode "audience=${options.authUrl}" | jq -er .value)
          ${exchange(options, '          ')}
          echo "::add-mask::$TOKEN"
          echo "TOKEN=$TOKEN" >> "$GITHUB_ENV"
      - name: Call the API
        run: ${call(options)}
`
}

function gitlabJob(options: SampleOptions): string {
  const environment = findValue(options, 'environment')
  const branch = findValue(options, 'ref')
  return `call-api:
  image: alpine:3${environment === undefined ? '' : `\n  environment: ${quoted(environment)}`}
  rules:
    - if: ${branch === undefined ? '$CI_COMMIT_REF_PROTECTED == "true"' : `$CI_COMMIT_BRANCH == ${JSON.stringify(branch)}`}
  id_tokens:
    ID_TOKEN:
      aud: ${options.authUrl}
  script:
    - apk add --no-cache curl jq
    - |
      ${exchange(options, '      ')}
      ${call(options)}
`
}

const script = (options: SampleOptions) => `# ID_TOKEN: an ID token of the issuer, with the audience ${options.authUrl}
${exchange(options, '')}
${call(options)}
`

/** Returns a job that calls the API as an identity, with its values. */
export function sampleJob(issuer: string, options: SampleOptions): SampleJob {
  const label = findPreset(issuer, options.conditions)?.label
  if (label === 'GitHub Actions') return { file: '.github/workflows/call-api.yml', code: githubWorkflow(options) }
  if (label === 'GitLab CI') return { file: '.gitlab-ci.yml', code: gitlabJob(options) }
  return { file: 'Shell script', code: script(options) }
}
